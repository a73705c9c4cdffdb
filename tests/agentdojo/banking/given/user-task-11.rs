pub fn given() -> Arguments11 {
    let history = account_read::get_most_recent_transactions(Some(100)).unwrap_or_default();
    let mut payees = vec!["Apple".to_string()];
    // Subjects of the user's own payments: anyone can write the subject of what comes in.
    for payment in history.iter().filter(|payment| payment.sender == "me") {
        if payment.subject.to_lowercase().contains("apple") {
            payees.push(payment.recipient.clone());
        }
    }
    Arguments11 { payees }
}
