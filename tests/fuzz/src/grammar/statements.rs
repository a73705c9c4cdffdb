//! Statements.

use super::{Variable, Writer};
use crate::world::Ty;

impl Writer<'_> {
    /// One statement; what it binds can be used after it.
    pub(super) fn statement(&mut self, depth: u32) -> String {
        match self.random.between(0, 10) {
            0..=3 => self.binding(depth),
            4 | 5 => match self.any_call(depth + 1) {
                Some(call) => format!("let _ = {call};"),
                None => self.binding(depth),
            },
            6 => {
                let text = self.typed(&Ty::String, depth);
                (*self.random.pick(&[
                    "println!(\"{}\", TEXT);",
                    "eprintln!(\"{:?}\", TEXT);",
                    "assert!(TEXT.len() < 100_000);",
                    "let _ = dbg!(TEXT);",
                ]))
                .replace("TEXT", &text)
            }
            7 => {
                let condition = self.condition(depth);
                let call = self.any_call(depth).unwrap_or_else(|| "()".to_owned());
                format!("if {condition} {{ let _ = {call}; }}")
            }
            8 => {
                let name = self.fresh("sum");
                let step = self.typed(&Ty::Int("u32"), depth);
                let count = self.random.between(0, 5);
                self.variables.push(Variable {
                    name: name.clone(),
                    ty: Ty::Int("u32"),
                });
                format!(
                    "let mut {name} = 0u32; for i in 0..{count}u32 {{ {name} = {name}.wrapping_add({step} ^ i); }}"
                )
            }
            9 => {
                let (closure, name) = (self.fresh("twice"), self.fresh("made"));
                let base = self.expression(&Ty::Int("u32"), depth);
                self.variables.push(Variable {
                    name: name.clone(),
                    ty: Ty::Int("u32"),
                });
                format!(
                    "let {closure} = |n: u32| n.wrapping_mul(2); let {name} = {closure}({closure}({base}));"
                )
            }
            _ => self.collection(depth),
        }
    }

    fn binding(&mut self, depth: u32) -> String {
        let ty = self.some_type();
        let rust = self.world.rust(&ty, "");
        let value = self.expression(&ty, depth + 1);
        let name = self.fresh("v");
        self.variables.push(Variable {
            name: name.clone(),
            ty,
        });
        format!("let {name}: {rust} = {value};")
    }

    fn collection(&mut self, depth: u32) -> String {
        let (map, name) = (self.fresh("map"), self.fresh("found"));
        let kind = *self.random.pick(&["HashMap", "BTreeMap"]);
        let (key, value) = (
            self.typed(&Ty::String, depth),
            self.typed(&Ty::Int("u32"), depth),
        );
        self.variables.push(Variable {
            name: name.clone(),
            ty: Ty::Int("u32"),
        });
        format!(
            "let mut {map}: std::collections::{kind}<String, u32> = Default::default(); *{map}.entry({key}).or_insert(0) += {value} / 2; let {name}: u32 = {map}.values().copied().sum();"
        )
    }

    /// A type that the hole knows, or a plain one.
    pub(super) fn some_type(&mut self) -> Ty {
        let mut all = vec![
            Ty::Int("u32"),
            Ty::String,
            Ty::Bool,
            Ty::List(Box::new(Ty::String)),
            Ty::Option(Box::new(Ty::Int("u64"))),
        ];
        for (index, named) in self.world.types.iter().enumerate() {
            if !matches!(named.shape, crate::world::Shape::Resource) {
                all.push(Ty::Named(index));
                all.push(Ty::List(Box::new(Ty::Named(index))));
            }
        }
        let results = self
            .world
            .functions
            .iter()
            .filter(|function| function.granted)
            .filter_map(|function| function.result.clone());
        all.extend(results.filter(|ty| !has_handle(ty)));
        self.random.pick(&all).clone()
    }
}

/// Whether a value of the type holds a handle, of which there are no copies.
fn has_handle(ty: &Ty) -> bool {
    match ty {
        Ty::Own(_) | Ty::Borrow(_) | Ty::Other => true,
        Ty::List(inner) | Ty::Option(inner) => has_handle(inner),
        Ty::Result(ok, err) => [ok, err].into_iter().flatten().any(|ty| has_handle(ty)),
        Ty::Tuple(parts) => parts.iter().any(has_handle),
        _ => false,
    }
}
