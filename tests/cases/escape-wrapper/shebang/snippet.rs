#!/usr/bin/env rust-script
pub fn run() -> String { String::new() }
