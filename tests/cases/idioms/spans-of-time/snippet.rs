use std::time::Duration;
pub fn run(text: String) -> String {
    let d = Duration::from_secs(text.len() as u64) + Duration::from_millis(1500);
    let h = d.as_secs() / 3600;
    format!(
        "{h:02}:{:02}:{:02}.{:03} {:?} {}",
        d.as_secs() / 60 % 60,
        d.as_secs() % 60,
        d.subsec_millis(),
        d,
        d.as_secs_f64()
    )
}
