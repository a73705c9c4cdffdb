(0..3).map(|_| monotonic::now()).collect()
