use std::net::IpAddr;

use super::*;
use crate::error::render;
use crate::plan::manifest::Manifest;

fn resolved(lines: &str) -> Result<HttpGrant, String> {
    let text = format!("schema = 1\n[hole.h.grant.http]\n{lines}");
    let manifest = Manifest::parse("lacuna.toml".into(), "lacuna.toml", &text)
        .map_err(|fault| render(&fault))?;
    resolve(&manifest.holes["h"].grants["http"]).map_err(|fault| render(&fault))
}

#[test]
fn what_is_left_out_has_its_default() {
    let grant = resolved("origins = [\"https://API.example.com/\"]").unwrap();
    assert_eq!(grant.origins[0].to_string(), "https://api.example.com");
    assert_eq!(grant.methods, ["GET"]);
    assert_eq!((grant.redirects, grant.max_body), (0, 4 << 20));
    assert!(
        grant.paths.is_none() && grant.private_addresses.is_empty() && grant.secrets.is_empty()
    );
    assert_eq!(
        grant.to_string(),
        "GET to https://api.example.com, no redirects"
    );
}

#[test]
fn everything_is_read() {
    let grant = resolved(
        "origins = [\"http://10.0.0.5:8080\"]\nmethods = [\"GET\", \"POST\"]\npaths = [\"/api\"]\nredirects = 2\n\
         private-addresses = [\"10.0.0.0/8\", \"::1\"]\nmax-body = \"1KiB\"\nheader.X-Key = { env = \"KEY\" }",
    )
    .unwrap();
    assert_eq!(
        grant.to_string(),
        "GET, POST to http://10.0.0.5:8080 below /api, 2 redirects, private addresses 10.0.0.0/8, ::1, with `x-key` from KEY"
    );
    assert_eq!(grant.max_body, 1024);
}

#[test]
fn wrong_keys_are_told_with_place_and_hint() {
    const FINE: &str = "origins = [\"https://a.example\"]\n";
    let fine = |more: &str| format!("{FINE}{more}");
    for (lines, words) in [
        (String::new(), "needs `origins`"),
        ("origins = []".to_owned(), "is empty"),
        ("origins = [\"a.example\"]".to_owned(), "is no origin"),
        (
            "origins = [\"https://*.example\"]".to_owned(),
            "has a wildcard",
        ),
        (
            "origins = [\"https://a.example/api\"]".to_owned(),
            "more than scheme, host and port",
        ),
        (
            "origins = [\"https://a.example?x\"]".to_owned(),
            "more than scheme, host and port",
        ),
        (
            "origins = [\"https://a.example#x\"]".to_owned(),
            "more than scheme, host and port",
        ),
        (
            "origins = [\"https://me@a.example\"]".to_owned(),
            "has a user name",
        ),
        (
            "origins = [\"https://a.example.\"]".to_owned(),
            "dot at the end",
        ),
        (
            "origins = [\"https://a.example:0\"]".to_owned(),
            "the port 0",
        ),
        (
            "origins = [\"ftp://a.example\"]".to_owned(),
            "http:// or https://",
        ),
        ("origins = [\"https://a b\"]".to_owned(), "has a blank"),
        (
            "origins = [\"http://8.8.2056\"]".to_owned(),
            "unusual spelling",
        ),
        (
            "origins = [\"http://127.0.0.1\"]".to_owned(),
            "is a loopback address",
        ),
        (
            "origins = [\"http://[::ffff:8.8.8.8]\"]".to_owned(),
            "address",
        ),
        (fine("methods = []"), "is empty"),
        (fine("methods = [\"post\"]"), "write \"POST\""),
        (fine("methods = [\"GE T\"]"), "is no method"),
        (fine("methods = [\"TRACE\"]"), "cannot be granted"),
        (fine("methods = [\"CONNECT\"]"), "cannot be granted"),
        (fine("paths = []"), "is empty"),
        (fine("paths = [\"api\"]"), "does not begin with `/`"),
        (fine("paths = [\"/api/*\"]"), "no plain path"),
        (fine("paths = [\"/api?x\"]"), "no plain path"),
        (fine("paths = [\"/a/../b\"]"), "segment `.` or `..`"),
        (fine("paths = [\"/a%2fb\"]"), "encoded"),
        (fine("paths = [\"/ü\"]"), "encoded"),
        (fine("redirects = 21"), "more than 20"),
        (
            fine("private-addresses = [\"localhost\"]"),
            "no address and no network",
        ),
        (
            fine("private-addresses = [\"10.0.0.1/8\"]"),
            "it would start at 10.0.0.0",
        ),
        (
            fine("private-addresses = [\"10.0.0.0/33\"]"),
            "no number up to 32",
        ),
        (
            fine("private-addresses = [\"10.0.0.0/+8\"]"),
            "no number up to 32",
        ),
        (fine("private-addresses = [\"0.0.0.0/0\"]"), "wider than /8"),
        (fine("private-addresses = [\"::/0\"]"), "wider than /7"),
        (
            fine("header.host = { env = \"KEY\" }"),
            "cannot hold a secret",
        ),
        (
            fine("header.\"a b\" = { env = \"KEY\" }"),
            "no name of a header",
        ),
        (fine("header.a = { env = \"\" }"), "no name of a variable"),
        (
            fine("header.a = { env = \"A\" }\nheader.A = { env = \"A\" }"),
            "stands there twice",
        ),
        (
            "origins = [\"https://a.example\", \"https://b.example\"]\nheader.a = { env = \"A\" }"
                .to_owned(),
            "belongs to one server",
        ),
    ] {
        let text = resolved(&lines).map(|grant| grant.to_string()).unwrap_err();
        assert!(text.contains(words), "{lines}: {text}");
        assert!(text.contains("lacuna.toml:"), "{lines}: {text}");
    }
}

#[test]
fn public_addresses_are_dialled_and_no_others() {
    for address in [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.0.0.1",
        "128.0.0.1",
        "169.253.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "192.167.0.1",
        "198.17.0.1",
        "198.20.0.1",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00::1",
        "2001:200::1",
        "2003::1",
    ] {
        let address: IpAddr = address.parse().unwrap();
        assert_eq!(admits(&[], address), Ok(()), "{address}");
    }
    for (address, kind) in [
        ("127.0.0.1", "a loopback address"),
        ("::1", "a loopback address"),
        ("10.1.2.3", "a private address"),
        ("fd00::1", "a private address"),
        ("169.254.169.254", "a link-local address"),
        ("100.64.0.1", "an address shared behind a carrier"),
        ("::ffff:1.1.1.1", "a mapped IPv4 address"),
        ("::ffff:0:1.1.1.1", "a translated IPv4 address"),
        ("64:ff9b::1.1.1.1", "a NAT64 address"),
        ("64:ff9b:1::1.1.1.1", "a NAT64 address"),
        ("2002:101:101::", "a 6to4 address"),
        ("2001::1", "a Teredo address"),
        ("::1.1.1.1", "an IPv4-compatible address"),
    ] {
        let address: IpAddr = address.parse().unwrap();
        assert_eq!(admits(&[], address), Err(kind), "{address}");
        let itself = Network::parse(&address.to_string()).unwrap();
        assert_eq!(admits(&[itself], address), Ok(()), "{address}");
    }
}

#[test]
fn what_stands_in_an_address_is_held_to_the_rule_too() {
    let nat64 = Network::parse("64:ff9b::/96").unwrap();
    let private = Network::parse("10.0.0.0/8").unwrap();
    let outside: IpAddr = "64:ff9b::808:808".parse().unwrap();
    let inside: IpAddr = "64:ff9b::a00:1".parse().unwrap();
    assert_eq!(admits(&[nat64], outside), Ok(()));
    assert_eq!(admits(&[nat64], inside), Err("a private address"));
    assert_eq!(admits(&[nat64, private], inside), Ok(()));
    assert_eq!(admits(&[private], inside), Err("a NAT64 address"));
}
