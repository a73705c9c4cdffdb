//! The `core` that a snippet sees: what the curated `std` has of it. See that crate.

pub use std::{
    alloc, any, array, ascii, borrow, cell, char, clone, cmp, convert, default, error, f32, f64,
    fmt, future, hash, hint, i8, i16, i32, i64, i128, isize, iter, marker, mem, num, ops, option,
    panic, pin, prelude, primitive, ptr, result, slice, str, task, u8, u16, u32, u64, u128, usize,
};

pub use std::{
    assert, assert_eq, assert_ne, cfg, cfg_select, column, compile_error, concat, debug_assert,
    debug_assert_eq, debug_assert_ne, file, format_args, line, matches, module_path, stringify,
    todo, unimplemented, unreachable, write, writeln,
};

/// Values only.
pub mod ffi {
    pub use std::ffi::{
        CStr, FromBytesUntilNulError, FromBytesWithNulError, c_char, c_double, c_float, c_int,
        c_long, c_longlong, c_schar, c_short, c_uchar, c_uint, c_ulong, c_ulonglong, c_ushort,
        c_void,
    };
}

/// Addresses as values.
pub mod net {
    pub use std::net::{
        AddrParseError, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6,
    };
}

/// Atomics.
pub mod sync {
    pub use std::sync::atomic;
}

/// Spans of time.
pub mod time {
    pub use std::time::{Duration, TryFromFloatSecsError};
}
