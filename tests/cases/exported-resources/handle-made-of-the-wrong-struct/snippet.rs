use std::cell::Cell;
use std::rc::Rc;

struct Inner { name: String, degree: Cell<u32> }

pub struct N(Rc<Inner>);
pub struct E { from: Rc<Inner>, to: Rc<Inner> }

fn inner(name: &str) -> Rc<Inner> {
    Rc::new(Inner { name: name.into(), degree: Cell::new(0) })
}

fn link(from: &Rc<Inner>, to: &Rc<Inner>) -> Edge {
    for end in [from, to] {
        end.degree.set(end.degree.get() + 1);
    }
    Edge::new(E { from: from.clone(), to: to.clone() })
}

impl GuestNode for N {
    fn new(name: String) -> Self { N(inner(&name)) }
    fn connect(&self, to: NodeBorrow<'_>) -> Edge { link(&self.0, &to.get::<N>().0) }
    fn degree(&self) -> u32 { self.0.degree.get() }
}

impl GuestEdge for E {
    fn open(spec: String) -> Result<Edge, String> {
        let (from, to) = spec.split_once("->").ok_or_else(|| format!("no arrow: {spec}"))?;
        Ok(link(&inner(from), &inner(to)))
    }
    fn text(&self) -> String { format!("{}->{}", self.from.name, self.to.name) }
    fn source(&self) -> Node { Node::new(N(self.from.clone())) }
}

pub fn longest(edges: Vec<Edge>) -> Option<Edge> {
    edges.into_iter().max_by_key(|edge| edge.get::<E>().text().len())
}

pub fn demo() -> Vec<String> {
    let node = Node::new(E { from: inner("a"), to: inner("b") });
    vec![node.get::<N>().degree().to_string()]
}
