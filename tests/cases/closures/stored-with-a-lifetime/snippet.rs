struct Rules { all: Vec<Box<dyn Fn(&str) -> bool>> }
let longest = xs.iter().map(|x| x.len()).max().unwrap_or(0);
let mut rules = Rules { all: vec![] };
for x in &xs {
    rules.all.push(Box::new(|text| text.len() == longest && text != x));
}
xs.iter().map(|x| rules.all.iter().filter(|rule| rule(x)).count() as u32).collect()
