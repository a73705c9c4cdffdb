struct DateTime {
    y: i64,
    mo: u32,
    d: u32,
    h: u32,
    mi: u32,
    s: u32,
}
impl std::fmt::Display for DateTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            self.y, self.mo, self.d, self.h, self.mi, self.s
        )
    }
}
fn from_unix(t: i64) -> DateTime {
    let days = t.div_euclid(86_400);
    let rem = t.rem_euclid(86_400) as u32;
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let d = (doy - (153 * mp + 2) / 5 + 1) as u32;
    let m = if mp < 10 { mp + 3 } else { mp - 9 } as u32;
    DateTime {
        y: yoe + era * 400 + i64::from(m <= 2),
        mo: m,
        d,
        h: rem / 3600,
        mi: rem / 60 % 60,
        s: rem % 60,
    }
}
pub fn run(text: String) -> String {
    text.trim()
        .parse()
        .map(from_unix)
        .map(|d| d.to_string())
        .unwrap_or_default()
}
