#[derive(Serialize, Deserialize, Debug)]
struct Out { name: String }
format!("{:?}", Out { name: r.name })
