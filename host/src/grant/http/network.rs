//! Addresses that a grant lists, and whether an address may be dialled.

use std::fmt;
use std::net::IpAddr;

use super::address::special;

/// One address or a network of `private-addresses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    bits: u8,
}

/// Shortest prefixes that can be listed: what is wider is no list but a way around the rule.
const WIDEST_V4: u8 = 8;
/// See [`WIDEST_V4`]; `fc00::/7` is one network.
const WIDEST_V6: u8 = 7;

impl Network {
    /// Reads `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`.
    ///
    /// # Errors
    /// What is wrong with it, to be put after the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let first: IpAddr = address
            .parse()
            .map_err(|_| "is no address and no network".to_owned())?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        let bits: u8 = match bits {
            None => most,
            Some(bits) if bits.bytes().all(|byte| byte.is_ascii_digit()) => bits
                .parse()
                .ok()
                .filter(|bits| *bits <= most)
                .ok_or_else(|| format!("has a prefix that is no number up to {most}"))?,
            Some(_) => return Err(format!("has a prefix that is no number up to {most}")),
        };
        let widest = if first.is_ipv4() {
            WIDEST_V4
        } else {
            WIDEST_V6
        };
        if bits < widest {
            return Err(format!("is wider than /{widest}"));
        }
        let network = Self { first, bits };
        let start = network.start(first);
        if start == first {
            return Ok(network);
        }
        Err(format!("is no network: it would start at {start}"))
    }

    /// Whether it is this one address.
    fn is(&self, address: IpAddr) -> bool {
        self.first == address && self.is_single()
    }

    fn is_single(&self) -> bool {
        self.bits == if self.first.is_ipv4() { 32 } else { 128 }
    }

    fn contains(&self, address: IpAddr) -> bool {
        self.first.is_ipv4() == address.is_ipv4() && self.start(address) == self.first
    }

    /// The first address of the network of this size that `address` lies in.
    fn start(&self, address: IpAddr) -> IpAddr {
        match address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V4((u32::from(address) & mask).into())
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX
                    .checked_shl(128 - u32::from(self.bits))
                    .unwrap_or(0);
                IpAddr::V6((u128::from(address) & mask).into())
            }
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_single() {
            return self.first.fmt(f);
        }
        write!(f, "{}/{}", self.first, self.bits)
    }
}

/// Whether `address` may be dialled when the grant lists `granted`. `Err` says what it is.
///
/// An address that holds another must be listed in its own spelling; if only its network is listed, the one inside is
/// held to the same rule. Else `64:ff9b::/96`, which a network without IPv4 needs for every server, would open 10.0.0.0/8.
pub(crate) fn admits(granted: &[Network], address: IpAddr) -> Result<(), &'static str> {
    let Some(special) = special(address) else {
        return Ok(());
    };
    if granted.iter().any(|network| network.is(address)) {
        return Ok(());
    }
    if !granted.iter().any(|network| network.contains(address)) {
        return Err(special.kind);
    }
    match special.within {
        Some(within) => admits(granted, within.into()),
        None => Ok(()),
    }
}
