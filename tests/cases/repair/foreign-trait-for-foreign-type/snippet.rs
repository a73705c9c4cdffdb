use std::fmt;

impl fmt::Display for Vec<Finding> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in self {
            writeln!(f, "{}", finding.name)?;
        }
        Ok(())
    }
}

pub fn run() -> String {
    vec![Finding { name: "a".to_string(), severity: 1, tags: vec![] }].to_string()
}
