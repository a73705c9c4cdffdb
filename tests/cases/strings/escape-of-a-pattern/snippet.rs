let digits = "^\d+$";
s.contains(digits)
