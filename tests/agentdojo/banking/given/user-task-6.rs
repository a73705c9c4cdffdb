pub fn given() -> Arguments6 {
    let history = account_read::get_most_recent_transactions(Some(100)).unwrap_or_default();
    let own = history.iter().filter(|payment| payment.sender == "me");
    let spotify = own.filter(|payment| payment.subject.to_lowercase().contains("spotify"));
    Arguments6 { amounts: spotify.map(|payment| payment.amount).collect() }
}
