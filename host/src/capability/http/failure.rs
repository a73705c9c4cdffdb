//! What went wrong on the way, as the guest is told.

use std::error::Error;
use std::io;

use super::names::NameError;
use super::types::HttpError;
use crate::grant::http::Origin;

/// hyper's words for a head that is larger than it keeps; it has no type that can be asked for. A test sees to it that a
/// new version still says them.
const HEAD_TOO_LARGE: &str = "message head is too large";

/// And for a connection that ends before the head or the body does.
const BROKEN_OFF: [&str; 2] = [
    "connection closed before message completed",
    "end of file before message length reached",
];

/// The error of a request to `origin` that gave no response, or of a body that broke off.
pub(super) fn told(error: &reqwest::Error, origin: &Origin) -> HttpError {
    if error.is_builder() {
        return HttpError::InvalidUrl(format!(
            "no request can be made of it: {}",
            innermost(error)
        ));
    }
    for cause in causes(error) {
        if let Some(name) = cause.downcast_ref::<NameError>() {
            return match name {
                NameError::Unknown => HttpError::Dns(format!("{origin}: {name}")),
                NameError::Refused(..) => HttpError::AddressRefused(format!(
                    "{origin}: {name}, and the grant does not list it"
                )),
            };
        }
        if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
            return HttpError::Tls(format!("{origin}: {tls}"));
        }
    }
    if error.is_timeout() {
        return HttpError::Timeout(format!("{origin} cannot be reached in time"));
    }
    let reason = innermost(error);
    let told = format!("{origin}: {reason}");
    if reason.contains(HEAD_TOO_LARGE) {
        return HttpError::TooLarge(told);
    }
    if BROKEN_OFF.iter().any(|words| reason.contains(words)) {
        return HttpError::Connection(told);
    }
    let broken = causes(error)
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .last();
    match broken.map(io::Error::kind) {
        Some(io::ErrorKind::TimedOut) => HttpError::Timeout(told),
        // The decoder's way to say that the body is no gzip.
        Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other) => {
            HttpError::Protocol(told)
        }
        Some(_) => HttpError::Connection(told),
        None if error.is_connect() => HttpError::Connection(told),
        None => HttpError::Protocol(told),
    }
}

/// The error and what it comes from. An `io::Error` names the source of what it holds, and not what it holds.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |&cause| {
        let held = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        match held {
            Some(held) => Some(held as &(dyn Error + 'static)),
            None => cause.source(),
        }
    })
}

fn innermost(error: &reqwest::Error) -> String {
    causes(error)
        .last()
        .map(ToString::to_string)
        .unwrap_or_default()
}
