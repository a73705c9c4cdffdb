pub fn given() -> Arguments2 {
    let scheduled = account_read::get_scheduled_transactions().unwrap_or_default();
    let rents = scheduled.iter().filter(|payment| payment.subject.to_lowercase().contains("rent")).map(|payment| payment.id);
    Arguments2 { rents: rents.collect() }
}
