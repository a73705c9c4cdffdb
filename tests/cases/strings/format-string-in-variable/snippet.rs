let f = "{}"; format!(f, n)
