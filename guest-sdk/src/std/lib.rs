//! The `std` that a snippet sees: the parts of the standard library that have no authority.
//!
//! Compiled as a crate *named* `std`, it takes the place of the real one: rustc's own prelude and `extern crate std`
//! come from here. What is missing here does not exist for a snippet, and rustc says so in its own words. Most of it
//! is plain re-exports; only what prints, or has an impure part, is written anew.
//!
//! Rules for the macros of this crate, held by a test of the host: a caller's tokens stand only inside
//! `$crate::format_args!(…)` or as parsed fragments; never under `#[…]`, at item level, or inside `unsafe {}`; no
//! internal rule starts with a token that a caller can write; inner macros are called through `$crate::`.

pub mod alloc;
pub mod ffi;
pub mod io;
mod keep;
mod log;
pub mod net;
pub mod panic;
pub mod path;
pub mod prelude;
pub mod ptr;
mod sort;
pub mod sync;
pub mod thread;
pub mod time;

#[doc(hidden)]
pub use log::{print as __print, print_line as __print_line};

// Whole modules: nothing in them reaches out of the program, and rustc suggests imports from them by itself.
pub use ::std::{
    any, array, ascii, borrow, boxed, cell, char, clone, cmp, collections, convert, default, error,
    f32, f64, fmt, future, hash, hint, i8, i16, i32, i64, i128, isize, iter, marker, mem, num, ops,
    option, pin, primitive, rc, result, slice, str, string, task, u8, u16, u32, u64, u128, usize,
};

/// The macros of the real `std` that share their name with a module, taken without it: `std::panic` has `set_hook`.
mod macros_only {
    mod env {}
    mod panic {}
    mod vec {}
    pub use ::std::*;
}

pub use ::std::vec;
pub use macros_only::panic;

pub use ::std::{
    assert, assert_eq, assert_ne, cfg, cfg_select, column, compile_error, concat, debug_assert,
    debug_assert_eq, debug_assert_ne, file, format, format_args, line, matches, module_path,
    stringify, todo, unimplemented, unreachable, write, writeln,
};

/// Appends text to the hole's log.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::__print($crate::format_args!($($text)*)) };
}

/// Appends a line to the hole's log.
#[macro_export]
macro_rules! println {
    () => { $crate::__print_line($crate::format_args!("")) };
    ($($text:tt)*) => { $crate::__print_line($crate::format_args!($($text)*)) };
}

/// Appends text to the hole's log.
#[macro_export]
macro_rules! eprint {
    ($($text:tt)*) => { $crate::__print($crate::format_args!($($text)*)) };
}

/// Appends a line to the hole's log.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::__print_line($crate::format_args!("")) };
    ($($text:tt)*) => { $crate::__print_line($crate::format_args!($($text)*)) };
}

/// Logs an expression with its value, and gives the value back.
#[macro_export]
macro_rules! dbg {
    () => {
        $crate::__print_line($crate::format_args!("[{}:{}:{}]", $crate::file!(), $crate::line!(), $crate::column!()))
    };
    ($value:expr $(,)?) => {
        match $value {
            value => {
                $crate::__print_line($crate::format_args!(
                    "[{}:{}:{}] {} = {:#?}",
                    $crate::file!(),
                    $crate::line!(),
                    $crate::column!(),
                    $crate::stringify!($value),
                    &value
                ));
                value
            }
        }
    };
    ($($value:expr),+ $(,)?) => { ($($crate::dbg!($value)),+,) };
}

/// Statics of one instance. An instance has one thread.
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[doc = $doc:literal])* $(#[allow($($lint:path),* $(,)?)])* $vis:vis static $name:ident: $type:ty = $value:expr $(; $($rest:tt)*)?) => {
        $vis static $name: $crate::thread::LocalKey<$type> = $crate::thread::LocalKey::new(|| -> $type { $value });
        $($crate::thread_local! { $($rest)* })?
    };
}
