let mut w = w;
w.t.11 = 0;
w.t.12 = w.t.12.repeat(2);
w
