pub fn given() -> Arguments9 {
    let scheduled = account_read::get_scheduled_transactions().unwrap_or_default();
    let rents = scheduled.iter().filter(|payment| payment.subject.to_lowercase().contains("rent")).map(|payment| payment.id);
    Arguments9 { rents: rents.collect() }
}
