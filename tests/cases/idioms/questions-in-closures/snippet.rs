pub fn run(text: String) -> String {
    let v: Vec<(String, i64)> = text
        .lines()
        .map(|l| {
            let (k, v) = l.split_once(':')?;
            Some((k.to_string(), v.trim().parse::<i64>().ok()?))
        })
        .flatten()
        .collect();
    let r: Result<Vec<i64>, String> = text
        .lines()
        .map(|l| -> Result<i64, String> {
            let n = l.parse::<i64>().map_err(|e| e.to_string())?;
            Ok(n * 2)
        })
        .collect();
    let total = (|| -> Option<i64> {
        let a = v.first()?.1;
        let b = v.get(1)?.1;
        a.checked_add(b)
    })();
    format!("{v:?}{r:?}{total:?}")
}
