let bytes = text.as_bytes();
let standard = encoding::base64_encode(bytes);
let url = encoding::base64_url_encode(bytes);
let back = encoding::base64_decode(&url)? == bytes && encoding::base64_decode(&standard)? == bytes;
let hex = encoding::hex_encode(bytes);
let same = encoding::hex_decode(&hex.to_uppercase())? == bytes;
Ok(vec![standard, url, format!("{back} {same}"), hex, encoding::sha256(bytes), encoding::blake3(b"")])
