fn days_in_month(y: i32, m: u32) -> u32 {
    match m {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) => 29,
        2 => 28,
        _ => panic!("month"),
    }
}
fn to_days((y, m, d): (i32, u32, u32)) -> i64 {
    let mut n = 0i64;
    for yy in 1970..y {
        n += if yy % 4 == 0 && (yy % 100 != 0 || yy % 400 == 0) {
            366
        } else {
            365
        };
    }
    for mm in 1..m {
        n += days_in_month(y, mm) as i64;
    }
    n + d as i64 - 1
}
fn parse(s: &str) -> Option<(i32, u32, u32)> {
    let mut it = s.trim().split('-');
    Some((
        it.next()?.parse().ok()?,
        it.next()?.parse().ok()?,
        it.next()?.parse().ok()?,
    ))
}
pub fn run(text: String) -> String {
    let Some((a, b)) = text.split_once("..") else {
        return "bad".to_string();
    };
    match (parse(a), parse(b)) {
        (Some(a), Some(b)) => {
            let d = to_days(b) - to_days(a);
            let wd = (to_days(a) + 4).rem_euclid(7) as usize;
            format!("{d} {}", ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][wd])
        }
        _ => "bad".into(),
    }
}
