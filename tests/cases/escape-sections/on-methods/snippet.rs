struct Marked;
impl Marked {
    #[unsafe(link_section = "component-type:evil")]
    fn name(&self) -> &'static str { "plain" }
}
pub fn run() -> String { Marked.name().to_string() }
