match shop::orders("ann") {
    Ok(orders) => format!("{orders:?}"),
    Err(reason) => reason,
}
