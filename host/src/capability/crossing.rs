//! The plain values that cross between guest and host: what they weigh and how reports show them. Records and variants
//! have theirs beside the type.

use serde_json::{Value as Json, json};

use super::call::Crossing;
use crate::trace;
use crate::value::float_to_json;

/// Numbers of a list that a report has one by one.
const FEW: usize = 4096;

/// Values of one size.
macro_rules! plain {
    ($($ty:ty),+) => {
        $(impl Crossing for $ty {
            fn bytes(&self) -> u64 {
                size_of::<Self>() as u64
            }
            fn report(&self) -> Json {
                json!(self)
            }
        })+
    };
}

plain!(bool, u8, u16, u32, i32, u64, i64);

impl Crossing for () {
    fn bytes(&self) -> u64 {
        0
    }
    fn report(&self) -> Json {
        Json::Null
    }
}

impl Crossing for f64 {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        float_to_json(*self)
    }
}

impl Crossing for char {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }
    fn report(&self) -> Json {
        json!(self.to_string())
    }
}

impl Crossing for String {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }
    fn report(&self) -> Json {
        trace::text(self)
    }
    fn exact(&self) -> Json {
        json!(self)
    }
}

impl Crossing for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }
    fn report(&self) -> Json {
        trace::bytes(self)
    }
    fn exact(&self) -> Json {
        json!(self)
    }
}

/// What a list weighs: the space of each item, and what it holds elsewhere.
fn list<T: Crossing>(items: &[T]) -> u64 {
    items
        .iter()
        .map(|item| size_of::<T>() as u64 + item.bytes())
        .sum()
}

impl Crossing for Vec<u32> {
    fn bytes(&self) -> u64 {
        size_of_val(self.as_slice()) as u64
    }
    fn report(&self) -> Json {
        // A number for each would take more than the list itself; a trace holds the start of it anyway.
        if self.len() <= FEW {
            return json!(self);
        }
        trace::text(&format!("{self:?}"))
    }
    fn exact(&self) -> Json {
        json!(self)
    }
}

/// Lists whose items weigh what they hold.
macro_rules! lists {
    ($($item:ty),+ $(,)?) => {
        $(impl Crossing for Vec<$item> {
            fn bytes(&self) -> u64 {
                list(self)
            }
            fn report(&self) -> Json {
                self.iter().map(Crossing::report).collect()
            }
            fn exact(&self) -> Json {
                self.iter().map(Crossing::exact).collect()
            }
        })+
    };
}

lists!(
    String,
    Option<String>,
    Vec<String>,
    Vec<Option<String>>,
    (String, String)
);

impl Crossing for (String, String) {
    fn bytes(&self) -> u64 {
        (self.0.len() + self.1.len()) as u64
    }
    fn report(&self) -> Json {
        json!([self.0.report(), self.1.report()])
    }
    fn exact(&self) -> Json {
        json!([self.0, self.1])
    }
}

impl<T: Crossing> Crossing for Option<T> {
    fn bytes(&self) -> u64 {
        self.as_ref().map_or(0, Crossing::bytes)
    }
    fn report(&self) -> Json {
        self.as_ref().map_or(Json::Null, Crossing::report)
    }
    fn exact(&self) -> Json {
        self.as_ref().map_or(Json::Null, Crossing::exact)
    }
}

impl<T: Crossing, E: Crossing> Crossing for Result<T, E> {
    fn bytes(&self) -> u64 {
        match self {
            Ok(value) => value.bytes(),
            Err(error) => error.bytes(),
        }
    }
    fn report(&self) -> Json {
        match self {
            Ok(value) => json!({ "ok": value.report() }),
            Err(error) => json!({ "err": error.report() }),
        }
    }
    fn exact(&self) -> Json {
        match self {
            Ok(value) => json!({ "ok": value.exact() }),
            Err(error) => json!({ "err": error.exact() }),
        }
    }
}
