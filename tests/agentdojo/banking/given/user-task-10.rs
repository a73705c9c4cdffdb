pub fn given() -> Arguments10 {
    let history = account_read::get_most_recent_transactions(Some(100)).unwrap_or_default();
    let own = history.iter().filter(|payment| payment.sender == "me");
    let bills: Vec<_> = own.filter(|payment| payment.subject.to_lowercase().contains("bill")).collect();
    Arguments10 {
        payees: bills.iter().map(|payment| payment.recipient.clone()).collect(),
        amounts: bills.iter().map(|payment| payment.amount).collect(),
    }
}
