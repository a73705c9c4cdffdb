//! Values, parameters, rows and their limits.

use super::*;

#[test]
fn every_value_comes_back_as_it_was() {
    let (_folder, file) = database();
    let granted = open(&file, &["items"], true);
    let bounds = bounds();
    for value in [
        Value::Null,
        Value::Integer(0),
        Value::Integer(i64::MIN),
        Value::Integer(i64::MAX),
        Value::Real(0.1),
        Value::Real(1e308),
        Value::Real(5e-324),
        Value::Real(f64::INFINITY),
        Value::Real(f64::NEG_INFINITY),
        Value::Real(3.0),
        text(""),
        text("it's \"quoted\"; -- \0 äöü \u{10ffff}\r\n"),
        text("123"),
        Value::Blob(vec![]),
        Value::Blob(vec![0, 255, 39, 0]),
        Value::Blob(vec![7; 1 << 20]),
    ] {
        let back = granted
            .query("SELECT ?", std::slice::from_ref(&value), &bounds)
            .unwrap();
        assert_eq!(back.rows, [[value.clone()]]);
        // Through a column without a type of its own.
        let given = [value.clone()];
        granted
            .execute(
                "INSERT OR REPLACE INTO items (id, data) VALUES (50, ?)",
                &given,
                &bounds,
            )
            .unwrap();
        let back = granted
            .query("SELECT data FROM items WHERE id = 50", &[], &bounds)
            .unwrap();
        assert_eq!(back.rows, [[value]]);
    }
    let nan = granted.query("SELECT ?", &[Value::Real(f64::NAN)], &bounds);
    assert_eq!(error(nan), SqlError::Invalid("parameter 1 is NaN".into()));
}

#[test]
fn rows_have_names_and_order() {
    let (_folder, file) = database();
    let granted = open(&file, &["ORDERS", "large"], false);
    let rows = granted
        .query(
            "SELECT id, total AS Sum, customer || ? FROM orders WHERE total > ? ORDER BY id DESC",
            &[text("!"), Value::Integer(20)],
            &bounds(),
        )
        .unwrap();
    assert_eq!(rows.columns, ["id", "Sum", "customer || ?"]);
    assert_eq!(
        rows.rows,
        [
            [Value::Integer(3), Value::Real(300.0), text("Ada!")],
            [Value::Integer(1), Value::Real(120.5), text("Ada!")]
        ]
    );
    let rows = granted
        .query("SELECT customer FROM large ORDER BY id", &[], &bounds())
        .unwrap();
    assert_eq!(rows.rows, [[text("Ada")], [text("Ada")]]);
    let rows = granted
        .query("SELECT * FROM orders WHERE 0", &[], &bounds())
        .unwrap();
    assert_eq!((rows.columns.len(), rows.rows.len()), (3, 0));
}

#[test]
fn what_models_write_is_done() {
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items", "counted"], true);
    let bounds = bounds();
    for query in [
        "SELECT customer, count(*), sum(total), avg(total), min(total), max(total) FROM orders GROUP BY customer HAVING count(*) > 0 ORDER BY 2 DESC LIMIT 10",
        "SELECT o.id, i.name FROM orders AS o LEFT JOIN items i ON i.order_id = o.id WHERE i.name IS NOT NULL",
        "SELECT DISTINCT lower(customer) FROM orders WHERE customer LIKE 'a%' OR customer IN ('Bo', 'Cy')",
        "WITH t AS (SELECT customer, total FROM orders) SELECT customer, rank() OVER (PARTITION BY customer ORDER BY total) FROM t",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT sum(i) FROM n",
        "SELECT strftime('%Y-%m', '2026-01-02'), date('2026-01-31', '+1 month'), round(1.25, 1), coalesce(NULL, 1)",
        "SELECT json_extract('{\"a\": [1, 2]}', '$.a[1]'), '{\"a\": 1}' ->> 'a', group_concat(name, ', ') FROM items",
        "SELECT CASE WHEN total > 100 THEN 'large' ELSE 'small' END, printf('%.2f', total), substr(customer, 1, 1), typeof(total) FROM orders",
        "SELECT CAST('12' AS INTEGER), 7 / 2, 7 % 2, 'a' || 'b', 1 BETWEEN 0 AND 2, 'x' GLOB '[a-z]'",
        "SELECT count(*) FROM (SELECT 1 FROM orders)",
        "SELECT (SELECT count(*) FROM items WHERE order_id = orders.id) AS n FROM orders",
        "select * from Orders;",
    ] {
        let rows = granted.query(query, &[], &bounds);
        assert!(
            rows.as_ref().is_ok_and(|rows| !rows.rows.is_empty()),
            "{query}: {rows:?}"
        );
    }
    assert_eq!(
        granted.execute(
            "INSERT INTO orders (customer, total) VALUES (?, ?), (?, ?)",
            &[text("Cy"), Value::Real(1.0), text("Di"), Value::Null],
            &bounds
        ),
        Ok(2)
    );
    assert_eq!(
        granted.execute(
            "UPDATE orders SET total = total + 1 WHERE customer = ?",
            &[text("Ada")],
            &bounds
        ),
        Ok(2)
    );
    assert_eq!(
        granted.execute("UPDATE orders SET total = 0 WHERE 0", &[], &bounds),
        Ok(0)
    );
    assert_eq!(granted.execute("DELETE FROM items", &[], &bounds), Ok(3));
    let rows = granted
        .returning(
            "INSERT INTO counted (name) VALUES (?) RETURNING id, name",
            &[text("x")],
            &bounds,
        )
        .unwrap();
    assert_eq!(rows.rows, [[Value::Integer(1), text("x")]]);
    assert_eq!(granted.execute("INSERT INTO orders (id, customer, total) VALUES (1, 'E', 5) ON CONFLICT (id) DO UPDATE SET total = excluded.total", &[], &bounds), Ok(1));
    assert_eq!(
        column(&file, "SELECT customer FROM orders ORDER BY id"),
        ["Ada", "Bo", "Ada", "Cy", "Di"]
    );
}

#[test]
fn errors_say_what_is_wrong() {
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items"], true);
    let bounds = bounds();
    for (statement, parameters, expected) in [
        (
            "SELECT nam FROM items",
            vec![],
            SqlError::Invalid("no such column: nam".into()),
        ),
        (
            "SELECT FROM items",
            vec![],
            SqlError::Invalid("near \"FROM\": syntax error".into()),
        ),
        (
            "SELECT nosuch(1)",
            vec![],
            SqlError::Invalid("no such function: nosuch".into()),
        ),
        (
            "SELECT * FROM orders WHERE id = ?",
            vec![],
            SqlError::Invalid("the statement has 1 parameters, and 0 are given".into()),
        ),
        (
            "SELECT 1",
            vec![Value::Null],
            SqlError::Invalid("the statement has 0 parameters, and 1 are given".into()),
        ),
        (
            "SELECT ?1, ?1",
            vec![Value::Null, Value::Null],
            SqlError::Invalid("the statement has 1 parameters, and 2 are given".into()),
        ),
        (
            "DELETE FROM items",
            vec![],
            SqlError::Denied("`query` only reads".into()),
        ),
        (
            "PRAGMA table_info(items)",
            vec![],
            SqlError::Denied("PRAGMA is not allowed".into()),
        ),
        (
            "SELECT random()",
            vec![],
            SqlError::Denied("the function `random` is not allowed".into()),
        ),
        (
            "",
            vec![],
            SqlError::Invalid("there is no statement".into()),
        ),
        (
            "SELECT CAST(x'ff' AS TEXT) AS t",
            vec![],
            SqlError::Invalid(
                "the text in column `t` is no UTF-8; CAST(… AS BLOB) gives its bytes".into(),
            ),
        ),
    ] {
        assert_eq!(
            error(granted.query(statement, &parameters, &bounds)),
            expected,
            "{statement}"
        );
    }
    for (statement, expected) in [
        (
            "SELECT * FROM orders",
            SqlError::Invalid("the statement changes no rows; `query` reads".into()),
        ),
        (
            "INSERT INTO orders VALUES (1, 'x', 1)",
            SqlError::Constraint("UNIQUE constraint failed: orders.id".into()),
        ),
        (
            "INSERT INTO orders (id) VALUES (9)",
            SqlError::Constraint("NOT NULL constraint failed: orders.customer".into()),
        ),
        (
            "INSERT INTO items (name) VALUES (zeroblob(60))",
            SqlError::Constraint("CHECK constraint failed: length(name) < 50".into()),
        ),
        (
            "INSERT INTO items (id) VALUES ('x')",
            SqlError::Invalid("datatype mismatch".into()),
        ),
        (
            "BEGIN",
            SqlError::Denied(
                "each statement is a transaction of its own: none can be begun or ended".into(),
            ),
        ),
        (
            "CREATE TABLE x (y)",
            SqlError::Denied(
                "only rows of granted tables can be read and changed, not how the database is made"
                    .into(),
            ),
        ),
    ] {
        assert_eq!(
            error(granted.execute(statement, &[], &bounds)),
            expected,
            "{statement}"
        );
    }
    let none = granted.returning("DELETE FROM items WHERE 0", &[], &bounds);
    assert_eq!(
        error(none),
        SqlError::Invalid("the statement gives no rows; with `RETURNING *` it would".into())
    );
    assert_eq!(
        column(&file, "SELECT name FROM items ORDER BY id"),
        ["pen", "ink", "pad"]
    );
}

#[test]
fn limits_hold_at_their_number() {
    let (_folder, file) = database();
    let rows = |max_rows: u64| SqlGrant {
        max_rows,
        ..grant(&file, &["orders", "items"], true)
    };
    let state = State::default();
    let open = |max_rows| Granted::new(&rows(max_rows), &state).unwrap();
    let all = "SELECT id FROM orders";
    assert_eq!(open(3).query(all, &[], &bounds()).unwrap().rows.len(), 3);
    assert_eq!(
        error(open(2).query(all, &[], &bounds())),
        SqlError::TooLarge("the statement gives more than 2 rows".into())
    );
    let change = "UPDATE items SET data = NULL";
    assert_eq!(
        error(open(2).execute(change, &[], &bounds())),
        SqlError::TooLarge("the statement changes more than 2 rows".into())
    );
    assert_eq!(
        error(open(2).execute("DELETE FROM items", &[], &bounds())),
        SqlError::TooLarge("the statement changes more than 2 rows".into())
    );
    assert_eq!(open(3).execute(change, &[], &bounds()), Ok(3));
    assert!(open(0).query("SELECT 1 WHERE 0", &[], &bounds()).is_ok());

    // What crosses: names of columns, a place for each row and value, the texts.
    let open = open(1000);
    let one = "SELECT 'x' AS c";
    let answer = open.query(one, &[], &bounds()).unwrap();
    let weight = crate::capability::call::Crossing::bytes(&answer);
    assert!(open.query(one, &[], &Bounds::new(10, weight)).is_ok());
    let at = hit(open.query(one, &[], &Bounds::new(10, weight - 1)));
    assert_eq!((at.name, at.at, at.used), ("crossing", weight - 1, weight));
    // What is written.
    let given = [Value::Blob(vec![1; 1000])];
    let insert = "INSERT INTO items (data) VALUES (?)";
    let weight = crate::capability::call::Crossing::bytes(&given[0]);
    assert_eq!(
        open.execute(insert, &given, &bounds().staging(weight, 1)),
        Ok(1)
    );
    let at = hit(open.execute(insert, &given, &bounds().staging(weight - 1, 1)));
    assert_eq!((at.name, at.at), ("staged", weight - 1));
    assert_eq!(column(&file, "SELECT id || '' FROM items").len(), 4);
}
