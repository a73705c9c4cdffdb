let mut n = 1; let inc = || n += 1; inc(); n
