let row = source::take();
if row.text().is_empty() { return false; }
target::put(row);
true
