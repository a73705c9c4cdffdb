use super::*;
use crate::Point;
p.x + crate::glue::offset() + super::snippet::run(p)
