//! What values of WASI weigh and how reports show them.

use std::fmt::Debug;

use serde_json::{Value as Json, json};
use wasmtime::component::Resource;
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::clocks::wall_clock::Datetime;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, ErrorCode,
    MetadataHashValue, NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::bindings::io::streams::StreamError;

use crate::capability::call::Crossing;
use crate::trace;

/// A handle is a number, as the guest has it.
impl<T: 'static> Crossing for Resource<T> {
    fn bytes(&self) -> u64 {
        size_of::<u32>() as u64
    }
    fn report(&self) -> Json {
        json!(self.rep())
    }
}

impl Crossing for Vec<Resource<DynPollable>> {
    fn bytes(&self) -> u64 {
        size_of_val(self.as_slice()) as u64
    }
    fn report(&self) -> Json {
        self.iter().map(Crossing::report).collect()
    }
}

impl Crossing for Vec<(Resource<Descriptor>, String)> {
    fn bytes(&self) -> u64 {
        let texts: usize = self.iter().map(|(_, path)| path.len()).sum();
        (size_of_val(self.as_slice()) + texts) as u64
    }
    fn report(&self) -> Json {
        self.iter()
            .map(|(folder, path)| json!([folder.rep(), path]))
            .collect()
    }
}

impl Crossing for (Vec<u8>, bool) {
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
    fn report(&self) -> Json {
        json!([self.0.report(), self.1])
    }
}

impl Crossing for (u64, u64) {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        json!([self.0, self.1])
    }
}

impl Crossing for DirectoryEntry {
    fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.name.len()) as u64
    }
    fn report(&self) -> Json {
        json!({ "type": case(self.type_), "name": trace::text(&self.name) })
    }
}

impl Crossing for DescriptorStat {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        json!({
            "type": case(self.type_),
            "link-count": self.link_count,
            "size": self.size,
            "data-access-timestamp": self.data_access_timestamp.report(),
            "data-modification-timestamp": self.data_modification_timestamp.report(),
            "status-change-timestamp": self.status_change_timestamp.report(),
        })
    }
}

impl Crossing for Datetime {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        json!({ "seconds": self.seconds, "nanoseconds": self.nanoseconds })
    }
}

impl Crossing for NewTimestamp {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        match self {
            Self::NoChange => json!({ "no-change": null }),
            Self::Now => json!({ "now": null }),
            Self::Timestamp(time) => json!({ "timestamp": time.report() }),
        }
    }
}

impl Crossing for MetadataHashValue {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        json!({ "lower": self.lower, "upper": self.upper })
    }
}

impl Crossing for StreamError {
    fn bytes(&self) -> u64 {
        size_of::<u32>() as u64
    }
    fn report(&self) -> Json {
        match self {
            Self::LastOperationFailed(error) => json!({ "last-operation-failed": error.rep() }),
            Self::Closed => json!({ "closed": null }),
        }
    }
}

impl Crossing for ErrorCode {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        json!(self.name())
    }
}

/// Enumerations and flags, whose names are those of the bindings' own text: `DescriptorType::RegularFile`, `OpenFlags(CREATE | TRUNCATE)`.
macro_rules! named {
    ($show:ident: $($ty:ty),+) => {
        $(impl Crossing for $ty {
            fn bytes(&self) -> u64 {
                size_of::<Self>() as u64
            }
            fn report(&self) -> Json {
                $show(*self)
            }
        })+
    };
}

named!(case: Advice, DescriptorType);
named!(flags: DescriptorFlags, OpenFlags, PathFlags);

/// The case's name in WIT.
fn case(value: impl Debug) -> Json {
    let text = format!("{value:?}");
    let name = text.rsplit("::").next().unwrap_or(&text);
    let mut kebab = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    json!(kebab)
}

/// The names of the flags that are set.
fn flags(value: impl Debug) -> Json {
    let text = format!("{value:?}");
    let inside = text
        .split_once('(')
        .map_or("", |(_, rest)| rest.trim_end_matches(')'));
    inside
        .split(['|', ' '])
        .filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()))
        .map(|name| json!(name.to_ascii_lowercase().replace('_', "-")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_flags_have_their_names() {
        assert_eq!(ErrorCode::NoEntry.report(), json!("no-entry"));
        assert_eq!(ErrorCode::Io.report(), json!("io"));
        assert_eq!(DescriptorType::RegularFile.report(), json!("regular-file"));
        assert_eq!(
            (OpenFlags::CREATE | OpenFlags::TRUNCATE).report(),
            json!(["create", "truncate"])
        );
        assert_eq!(PathFlags::empty().report(), json!([]));
        assert_eq!(
            (DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY).report(),
            json!(["read", "mutate-directory"])
        );
    }
}
