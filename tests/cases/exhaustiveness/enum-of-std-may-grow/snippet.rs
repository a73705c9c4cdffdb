use std::num::IntErrorKind;
match s.parse::<u8>() {
    Ok(n) => n.to_string(),
    Err(e) => match e.kind() {
        IntErrorKind::Empty => "empty".to_string(),
        IntErrorKind::InvalidDigit => "digit".to_string(),
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "large".to_string(),
        IntErrorKind::Zero => "zero".to_string(),
    },
}
