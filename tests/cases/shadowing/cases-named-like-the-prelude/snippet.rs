let next = {
    use Answer::*;
    match a { Some => None, None => Ok, Ok => Err, Err => Some }
};
Some(next)
