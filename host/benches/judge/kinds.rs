//! The granted functions that are called, and what does the same without a guest.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use lacuna::Lacuna;
use redb::{ReadableDatabase, TableDefinition};
use rusqlite::Connection;
use serde_json::{Value, json};
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

use crate::calls::{Direct, Kind, Row};

/// Bytes that are read of a file, and that a key has.
const BYTES: usize = 1024;

pub(crate) async fn all(lacuna: &Lacuna, work: &Path) -> Vec<Row> {
    vec![
        file(lacuna, &work.join("file")).await,
        key(lacuna, &work.join("key")).await,
        row(lacuna, &work.join("row")).await,
        server(lacuna, &work.join("server")).await,
        component(lacuna, &work.join("component")).await,
    ]
}

async fn file(lacuna: &Lacuna, folder: &Path) -> Row {
    std::fs::create_dir_all(folder.join("data")).unwrap();
    let file = folder.join("data/file");
    std::fs::write(&file, [b'x'; BYTES]).unwrap();
    let kind = Kind {
        name: "fs `read` of 1 KB",
        imports: "import disk: lacuna:fs/read@0.1.0;",
        grants: "[hole.calls.grant.disk]\npath = \"data\"",
        call: "disk::read(\"file\", 0, 1024).unwrap().len() as u64",
        ..Kind::default()
    };
    let direct: Direct = Box::new(move || {
        let length = std::fs::read(&file).unwrap().len() as u64;
        Box::pin(std::future::ready(length))
    });
    Row::new(lacuna, folder, kind, direct).await
}

async fn key(lacuna: &Lacuna, folder: &Path) -> Row {
    const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("bench");
    std::fs::create_dir_all(folder).unwrap();
    for file in ["store.redb", "direct.redb"] {
        let _ = std::fs::remove_file(folder.join(file));
    }
    let database = redb::Database::create(folder.join("direct.redb")).unwrap();
    let writing = database.begin_write().unwrap();
    {
        let mut table = writing.open_table(TABLE).unwrap();
        table.insert("key", [b'x'; BYTES].as_slice()).unwrap();
    }
    writing.commit().unwrap();
    let kind = Kind {
        name: "kv `get` of 1 KB",
        imports: "import store: lacuna:kv/read@0.1.0; import change: lacuna:kv/write@0.1.0;",
        grants: "[hole.calls.grant.store]\nfile = \"store.redb\"\n[hole.calls.grant.change]\nfile = \"store.redb\"",
        first: "change::set(\"key\", &[b'x'; 1024]).unwrap();",
        call: "store::get(\"key\").unwrap().map_or(0, |value| value.len() as u64)",
        ..Kind::default()
    };
    let direct: Direct = Box::new(move || {
        let reading = database.begin_read().unwrap();
        let table = reading.open_table(TABLE).unwrap();
        let value = table.get("key").unwrap().unwrap().value().to_vec();
        Box::pin(std::future::ready(value.len() as u64))
    });
    Row::new(lacuna, folder, kind, direct).await
}

async fn row(lacuna: &Lacuna, folder: &Path) -> Row {
    const QUERY: &str = "SELECT price FROM goods WHERE id = ?";
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join("shop.db");
    let _ = std::fs::remove_file(&file);
    let database = Connection::open(&file).unwrap();
    database
        .execute_batch(
            "CREATE TABLE goods (id INTEGER PRIMARY KEY, price INTEGER);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
             INSERT INTO goods SELECT i, 7 * i FROM n;",
        )
        .unwrap();
    let kind = Kind {
        name: "sql `query` of one row",
        imports: "import shop: lacuna:sql/read@0.1.0;",
        grants: "[hole.calls.grant.shop]\nfile = \"shop.db\"\ntables = [\"goods\"]",
        call: "match shop::query(\"SELECT price FROM goods WHERE id = ?\", &[shop::Value::Integer(6)]).unwrap().rows[0][0] {
            shop::Value::Integer(price) => price as u64,
            _ => 0,
        }",
        ..Kind::default()
    };
    let direct: Direct = Box::new(move || {
        let mut statement = database.prepare_cached(QUERY).unwrap();
        let price: i64 = statement.query_row([6], |row| row.get(0)).unwrap();
        Box::pin(std::future::ready(price as u64))
    });
    Row::new(lacuna, folder, kind, direct).await
}

async fn server(lacuna: &Lacuna, folder: &Path) -> Row {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || serve(stream.unwrap()));
        }
    });
    let grants = format!(
        "[hole.calls.grant.sums]\nprovider = \"json-http\"\nurl = \"http://127.0.0.1:{port}\"\nsends = []\nlabels.add = []"
    );
    let kind = Kind {
        name: "`json-http` on loopback",
        items: "interface sums { add: func(a: u64, b: u64) -> u64; }",
        imports: "import sums;",
        grants: &grants,
        call: "sums::add(20, 22)",
        ..Kind::default()
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://127.0.0.1:{port}/call");
    let direct: Direct = Box::new(move || {
        let body = json!({ "tool": "add", "args": { "a": 20, "b": 22 } }).to_string();
        let asked = client.post(&url).body(body).send();
        Box::pin(async move {
            let answer = asked.await.unwrap().bytes().await.unwrap();
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            answer["ok"].as_u64().unwrap()
        })
    });
    Row::new(lacuna, folder, kind, direct).await
}

/// Adds two numbers for as long as it is asked.
fn serve(stream: TcpStream) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let asked: Value = serde_json::from_slice(&body).unwrap();
        let number = |name: &str| asked["args"][name].as_u64().unwrap();
        let answer = json!({ "ok": number("a") + number("b") }).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        stream.write_all((head + &answer).as_bytes()).unwrap();
    }
}

async fn component(lacuna: &Lacuna, folder: &Path) -> Row {
    let tool = wat::parse_str(
        r#"(component
            (core module $Sums
              (func (export "add") (param i64 i64) (result i64) (i64.add (local.get 0) (local.get 1))))
            (core instance $sums (instantiate $Sums))
            (func $add (param "a" u64) (param "b" u64) (result u64) (canon lift (core func $sums "add")))
            (instance $exported (export "add" (func $add)))
            (export "bench:calls/sums@0.1.0" (instance $exported)))"#,
    )
    .unwrap();
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("sums.wasm"), &tool).unwrap();
    let kind = Kind {
        name: "component tool",
        items: "interface sums { add: func(a: u64, b: u64) -> u64; }",
        imports: "import sums;",
        grants: "[hole.calls.grant.sums]\nprovider = \"component\"\nfile = \"sums.wasm\"\nsends = []\nlabels.add = []",
        call: "sums::add(20, 22)",
        ..Kind::default()
    };
    let engine = Engine::default();
    let compiled = Component::new(&engine, &tool).unwrap();
    let ready = Linker::<()>::new(&engine)
        .instantiate_pre(&compiled)
        .unwrap();
    let direct: Direct = Box::new(move || {
        // A store of its own for each call, as a tool of others has.
        let mut store = Store::new(&engine, ());
        let instance = ready.instantiate(&mut store).unwrap();
        let sums = instance.get_export_index(&mut store, None, "bench:calls/sums@0.1.0");
        let add = instance
            .get_export_index(&mut store, sums.as_ref(), "add")
            .unwrap();
        let add = instance
            .get_typed_func::<(u64, u64), (u64,)>(&mut store, add)
            .unwrap();
        let (sum,) = add.call(&mut store, (20, 22)).unwrap();
        Box::pin(std::future::ready(sum))
    });
    Row::new(lacuna, folder, kind, direct).await
}
