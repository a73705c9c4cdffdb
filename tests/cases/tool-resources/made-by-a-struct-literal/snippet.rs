let row = Row { handle: 1 };
row.text()
