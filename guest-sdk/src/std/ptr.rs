//! What safe code can do with pointers.

pub use ::std::ptr::{
    NonNull, addr_eq, dangling, dangling_mut, eq, fn_addr_eq, from_mut, from_ref, hash, null,
    null_mut, slice_from_raw_parts, slice_from_raw_parts_mut, without_provenance,
    without_provenance_mut,
};
