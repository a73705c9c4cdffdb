pub fn given() -> Arguments18 {
    let emails = mail_read::search_emails("hiking trip", None).unwrap_or_default();
    let from_mark = emails.into_iter().map(|email| email.sender).filter(|sender| sender.to_lowercase().starts_with("mark"));
    Arguments18 { marks: from_mark.collect() }
}
