//! Which addresses are not the public internet. The list follows IANA's registries of special-purpose addresses; what is
//! neither there nor global unicast is refused too.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not a public one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Special {
    /// What it is, with its article: `a loopback address`.
    pub(crate) kind: &'static str,
    /// The IPv4 address that stands in it, where packets would end.
    pub(crate) within: Option<Ipv4Addr>,
}

/// What an address is when it is no public one.
pub(crate) fn special(address: IpAddr) -> Option<Special> {
    match address {
        IpAddr::V4(address) => v4(address).map(|kind| Special { kind, within: None }),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> Option<&'static str> {
    Some(match address.octets() {
        [0, ..] => "an unspecified address",
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => "a private address",
        [100, 64..=127, ..] => "an address shared behind a carrier",
        [127, ..] => "a loopback address",
        [169, 254, ..] => "a link-local address",
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => "a documentation address",
        [192, 0, 0, _] | [192, 88, 99, _] => "a reserved address",
        [198, 18..=19, ..] => "a benchmarking address",
        [255, 255, 255, 255] => "the broadcast address",
        [224..=239, ..] => "a multicast address",
        [240..=255, ..] => "a reserved address",
        _ => return None,
    })
}

/// Forms that hold an IPv4 address are refused whatever they hold: a name that has them names a public server in plain
/// IPv4 as well, and how a machine routes them differs.
fn v6(address: Ipv6Addr) -> Option<Special> {
    let plain = |kind| Some(Special { kind, within: None });
    let holds = |kind, high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        let within = Some(Ipv4Addr::new(a, b, c, d));
        Some(Special { kind, within })
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => plain("an unspecified address"),
        [0, 0, 0, 0, 0, 0, 0, 1] => plain("a loopback address"),
        [0, 0, 0, 0, 0, 0xffff, high, low] => holds("a mapped IPv4 address", high, low),
        [0, 0, 0, 0, 0xffff, 0, high, low] => holds("a translated IPv4 address", high, low),
        [0, 0, 0, 0, 0, 0, high, low] => holds("an IPv4-compatible address", high, low),
        // Of 64:ff9b:1::/48 the place of the IPv4 address depends on the network's own choice.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x64, 0xff9b, 1, _, _, _, high, low] => {
            holds("a NAT64 address", high, low)
        }
        [0x2002, high, low, ..] => holds("a 6to4 address", high, low),
        // Teredo has the client's address inverted.
        [0x2001, 0, _, _, _, _, high, low] => holds("a Teredo address", !high, !low),
        [_, _, _, _, 0 | 0x200, 0x5efe, high, low] => holds("an ISATAP address", high, low),
        [0x2001, 2, 0, ..] => plain("a benchmarking address"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => plain("a documentation address"),
        [0x2001, 0..=0x1ff, ..] => plain("a reserved address"),
        [0xfc00..=0xfdff, ..] => plain("a private address"),
        [0xfe80..=0xfebf, ..] => plain("a link-local address"),
        [0xfec0..=0xfeff, ..] => plain("a private address"),
        [0xff00..=0xffff, ..] => plain("a multicast address"),
        [0x2000..=0x3fff, ..] => None,
        _ => plain("a reserved address"),
    }
}
