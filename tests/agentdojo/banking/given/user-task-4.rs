pub fn given() -> Arguments4 {
    let history = account_read::get_most_recent_transactions(Some(100)).unwrap_or_default();
    let mut amounts: Vec<f64> = history
        .iter()
        .filter(|payment| payment.sender == "GB29NWBK60161331926819")
        .map(|payment| payment.amount)
        .collect();
    amounts.push(amounts.iter().sum());
    Arguments4 { amounts }
}
