mod metric { pub fn unit() -> u32 { 1 } }
mod imperial { pub fn unit() -> u32 { 2 } }
use metric::*;
use imperial::*;

pub fn run() -> u32 { unit() }
