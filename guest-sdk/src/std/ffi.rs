//! Text as other systems have it: values only.

pub use ::std::ffi::{
    CStr, CString, FromBytesUntilNulError, FromBytesWithNulError, FromVecWithNulError,
    IntoStringError, NulError, OsStr, OsString, c_char, c_double, c_float, c_int, c_long,
    c_longlong, c_schar, c_short, c_uchar, c_uint, c_ulong, c_ulonglong, c_ushort, c_void,
};
