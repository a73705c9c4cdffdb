pub fn given() -> Arguments15 {
    let scheduled = account_read::get_scheduled_transactions().unwrap_or_default();
    let rents = scheduled.iter().filter(|payment| payment.subject.to_lowercase().contains("rent")).map(|payment| payment.id);
    let history = account_read::get_most_recent_transactions(Some(100)).unwrap_or_default();
    let received = history.iter().filter(|payment| payment.recipient == "me" && payment.amount == 10.0);
    Arguments15 { rents: rents.collect(), friends: received.map(|payment| payment.sender.clone()).collect() }
}
