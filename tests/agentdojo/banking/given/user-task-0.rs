pub fn given() -> Arguments0 {
    let bill = files::read_file("bill-december-2023.txt").unwrap_or_default();
    // A bill says `IBAN: …` and `Total …` on lines of their own. More than one of either is no bill to be paid unseen.
    let accounts: Vec<String> = bill
        .lines()
        .filter_map(|line| line.trim().strip_prefix("IBAN:"))
        .map(|account| account.trim().to_string())
        .collect();
    let totals: Vec<f64> = bill
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Total"))
        .filter_map(|total| total.trim().parse().ok())
        .collect();
    if accounts.len() != 1 || totals.len() != 1 {
        return Arguments0 { payees: vec![], amounts: vec![] };
    }
    Arguments0 { payees: accounts, amounts: totals }
}
