use ::compiler_builtins::mem::memcpy;
use ::dlmalloc::Dlmalloc;
use ::getopts::Options;
use ::hashbrown::HashMap;
use ::libc::open;
use ::proc_macro::TokenStream;
use ::std_detect::is_x86_feature_detected;
use ::test::Bencher;
use ::unwind::_Unwind_Reason_Code;
pub fn run() -> String { String::new() }
