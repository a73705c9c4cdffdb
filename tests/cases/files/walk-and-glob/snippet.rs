let mut all: Vec<String> = repo::walk(".")?.into_iter().map(|e| format!("{}:{:?}:{}", e.path, e.kind, e.size)).collect();
all.extend(repo::glob("**/*.txt")?);
Ok(all)