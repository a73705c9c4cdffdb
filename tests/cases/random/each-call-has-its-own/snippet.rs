random::integer(0, 999)
