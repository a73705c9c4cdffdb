let a0: u32 = "x0";
let a1: u32 = "x1";
let a2: u32 = "x2";
let a3: u32 = "x3";
let a4: u32 = "x4";
let a5: u32 = "x5";
let a6: u32 = "x6";
let a7: u32 = "x7";
let a8: u32 = "x8";
let a9: u32 = "x9";
let a10: u32 = "x10";
let a11: u32 = "x11";
1