let s = "} // {"; /* } */
let n = n + 1; // }
n + 1 + s.len() as u32 * 0 // the end }
