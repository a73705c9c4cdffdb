CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total REAL, placed TEXT);
CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, name TEXT, price REAL, photo BLOB);
CREATE TABLE salaries (name TEXT PRIMARY KEY, amount INTEGER);
CREATE VIEW large AS SELECT id, customer, total FROM orders WHERE total >= 100;
INSERT INTO orders VALUES (1, 'Ada', 120.5, '2026-01-03'), (2, 'Bo', 20, '2026-01-20'), (3, 'Ada', 300, '2026-02-01'), (4, 'Cy', NULL, NULL);
INSERT INTO items VALUES (1, 1, 'pen', 2.5, x'00ff'), (2, 1, 'ink', 118, NULL), (3, 2, 'pad', 20, NULL), (4, 3, 'desk', 300, NULL);
INSERT INTO salaries VALUES ('Ada', 90000), ('Bo', 80000);
