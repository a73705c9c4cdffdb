#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Settings { name: String }
pub fn run() -> String { format!("{:?}", Settings { name: "a".into() }) }
