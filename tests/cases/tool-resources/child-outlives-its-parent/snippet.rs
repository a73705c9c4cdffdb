let row = {
    let table = Table::new("t");
    table.row(n).ok_or("no row")?
};
Ok(row.text())
