pub fn given() -> Arguments20 {
    let found = contacts::search_contacts_by_name("Sarah Baker").unwrap_or_default();
    Arguments20 { sarahs: found.into_iter().filter(|contact| contact.name == "Sarah Baker").map(|contact| contact.email).collect() }
}
