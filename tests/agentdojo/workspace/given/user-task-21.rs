pub fn given() -> Arguments21 {
    let events = calendar_read::search_calendar_events("Introductory meeting", Some("2024-05-15")).unwrap_or_default();
    let meeting = events.into_iter().filter(|event| event.title == "Introductory meeting");
    Arguments21 { participants: meeting.flat_map(|event| event.participants).collect() }
}
