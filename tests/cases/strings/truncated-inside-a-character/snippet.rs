let mut s = s;
s.truncate(2);
s
