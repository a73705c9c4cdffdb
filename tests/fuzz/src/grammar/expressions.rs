//! Expressions of a wanted type.

use super::{Variable, Writer};
use crate::world::{Shape, Ty};

impl Writer<'_> {
    /// Whether this place is to be wrong; takes one of the flaws.
    pub(super) fn flawed(&mut self, percent: u32) -> bool {
        let flawed = self.flaws > 0 && self.random.chance(percent);
        if flawed {
            self.flaws -= 1;
        }
        flawed
    }

    /// Something of another type, or of a name that is not there.
    pub(super) fn wrong(&mut self, ty: &Ty) -> String {
        let names = [
            "missing",
            "self",
            "nothing_here()",
            "repo::nothing()",
            "std::fs::read(\"x\")",
            "None::<u32>.len()",
            "unsafe { 1 }",
            "(",
            "'a",
        ];
        match self.random.between(0, 3) {
            0 => (*self.random.pick(&names)).to_owned(),
            1 => self.literal(&Ty::List(Box::new(Ty::Option(Box::new(Ty::Char)))), 2),
            _ if matches!(ty, Ty::String) => "5u32".to_owned(),
            _ => "\"text\"".to_owned(),
        }
    }

    /// An expression of the type.
    pub(super) fn expression(&mut self, ty: &Ty, depth: u32) -> String {
        if self.flawed(6) {
            return self.wrong(ty);
        }
        if depth == 0 || self.room == 0 {
            return self.variable(ty).unwrap_or_else(|| self.literal(ty, depth));
        }
        self.room -= 1;
        if let Ty::Own(index) = ty {
            return self.handle(*index, depth);
        }
        let found = match self.random.between(0, 11) {
            0..=2 => self.variable(ty),
            3 => self.granted_call(ty, depth),
            4 => self.helper_use(ty, depth),
            5 => Some(self.branch(ty, depth)),
            6 => Some(self.block(ty, depth)),
            7 | 8 => self.operation(ty, depth),
            9 => self.of_a_list(ty, depth),
            _ => None,
        };
        found.unwrap_or_else(|| self.literal(ty, depth))
    }

    fn variable(&mut self, ty: &Ty) -> Option<String> {
        let fitting: Vec<Variable> = self
            .variables
            .iter()
            .filter(|variable| variable.ty == *ty)
            .cloned()
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let name = self.random.pick(&fitting).name.clone();
        Some(if self.world.is_copy(ty) {
            name
        } else {
            format!("{name}.clone()")
        })
    }

    fn branch(&mut self, ty: &Ty, depth: u32) -> String {
        let (yes, no) = (
            self.expression(ty, depth - 1),
            self.expression(ty, depth - 1),
        );
        match self.random.between(0, 3) {
            0 => {
                let condition = self.condition(depth - 1);
                format!("if {condition} {{ {yes} }} else {{ {no} }}")
            }
            1 => {
                let inner = Ty::Option(Box::new(Ty::Int("u32")));
                let subject = self.typed(&inner, depth - 1);
                format!("match {subject} {{ Some(n) if n > 3 => {yes}, Some(_) | None => {no} }}")
            }
            2 => {
                let subject = self.typed(&Ty::String, depth - 1);
                format!("match {subject}.as_str() {{ \"a\" | \"b\" => {yes}, _ => {no} }}")
            }
            _ => self.match_variant(ty, depth).unwrap_or(yes),
        }
    }

    /// A `match` over a variant or an enum of the plan.
    fn match_variant(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        let named: Vec<usize> = self
            .variables
            .iter()
            .filter_map(|variable| match variable.ty {
                Ty::Named(index) => Some(index),
                _ => None,
            })
            .collect();
        if named.is_empty() {
            return None;
        }
        let index = *self.random.pick(&named);
        let subject = self.variable(&Ty::Named(index))?;
        let named = self.world.types[index].clone();
        let mut arms = String::new();
        let mut cases: Vec<(String, bool)> = match &named.shape {
            Shape::Variant(cases) => cases
                .iter()
                .map(|(name, payload)| (name.clone(), payload.is_some()))
                .collect(),
            Shape::Enum(cases) => cases.iter().map(|name| (name.clone(), false)).collect(),
            _ => return None,
        };
        if self.flawed(30) {
            cases.pop();
        }
        for (name, payload) in cases {
            let value = self.expression(ty, depth - 1);
            let pattern = if payload { "(_)" } else { "" };
            arms.push_str(&format!("{}::{name}{pattern} => {value}, ", named.path));
        }
        Some(format!("match {subject} {{ {arms}}}"))
    }

    fn block(&mut self, ty: &Ty, depth: u32) -> String {
        let known = self.variables.len();
        let statement = self.statement(depth - 1);
        let value = self.expression(ty, depth - 1);
        self.variables.truncate(known);
        let rust = self.world.rust(ty, "");
        match self.random.between(0, 2) {
            0 => format!("{{ {statement} {value} }}"),
            1 => format!("(|| -> {rust} {{ {statement} {value} }})()"),
            _ => format!("loop {{ {statement} break {value}; }}"),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        if self.random.chance(50) {
            let number = self.typed(&Ty::Int("u32"), depth);
            return format!("({number} % 3 == {})", self.random.between(0, 2));
        }
        let text = self.typed(&Ty::String, depth);
        let method = *self.random.pick(&[
            "is_empty()",
            "starts_with(\"a\")",
            "contains('x')",
            "len() > 2",
        ]);
        format!("({text}.{method})")
    }

    /// The expression in a binding of its type, so that what follows knows it.
    pub(super) fn typed(&mut self, ty: &Ty, depth: u32) -> String {
        let rust = self.world.rust(ty, "");
        let value = self.expression(ty, depth);
        format!("({{ let it: {rust} = {value}; it }})")
    }

    /// What arithmetic and the standard library make of the type.
    fn operation(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        let next = depth - 1;
        Some(match ty {
            Ty::Int(name) => {
                let (one, two) = (self.typed(ty, next), self.expression(ty, next));
                match self.random.between(0, 5) {
                    0 => format!("{one}.wrapping_add({two})"),
                    1 => format!("{one}.saturating_sub({two})"),
                    2 => format!("{one}.max({two})"),
                    3 => format!("({} as {name})", self.typed(&Ty::Int("u32"), next)),
                    4 => format!("({}.len() as {name})", self.typed(&Ty::String, next)),
                    _ => format!("{one}.checked_mul(2).unwrap_or({two})"),
                }
            }
            Ty::Float(name) => format!("({} * 0.5{name})", self.typed(ty, next)),
            Ty::Bool => match self.random.between(0, 2) {
                0 => format!("!{}", self.typed(ty, next)),
                1 => self.condition(next),
                _ => format!("({} && {})", self.typed(ty, next), self.typed(ty, next)),
            },
            Ty::Char => format!("{}.to_ascii_uppercase()", self.typed(ty, next)),
            Ty::String => {
                let one = self.typed(ty, next);
                match self.random.between(0, 6) {
                    0 => format!(
                        "format!(\"{{}}-{{:?}}\", {one}, {})",
                        self.typed(&Ty::Int("u32"), next)
                    ),
                    1 => format!("{one}.to_uppercase()"),
                    2 => format!("{one}.trim().replace(\"a\", \"b\")"),
                    3 => format!("{one}.chars().rev().collect::<String>()"),
                    4 => format!("({one} + \"!\")"),
                    5 => format!("{one}.lines().map(str::trim).collect::<Vec<_>>().join(\",\")"),
                    _ => format!("{one}.split(' ').next().unwrap_or_default().to_string()"),
                }
            }
            Ty::List(inner) => {
                let rust = self.world.rust(inner, "");
                let element = self.expression(inner, next);
                let count = self.random.between(0, 4);
                match self.random.between(0, 3) {
                    0 => format!("(0..{count}u32).map(|_| {element}).collect::<Vec<{rust}>>()"),
                    1 => format!(
                        "{}.into_iter().take({count}).collect::<Vec<_>>()",
                        self.typed(ty, next)
                    ),
                    2 => format!(
                        "{{ let mut list: Vec<{rust}> = {}; list.push({element}); list }}",
                        self.expression(ty, next)
                    ),
                    _ => format!(
                        "std::iter::repeat_with(|| {element}).take({count}).collect::<std::collections::VecDeque<{rust}>>().into()"
                    ),
                }
            }
            Ty::Option(inner) => {
                let list = Ty::List(inner.clone());
                match self.random.between(0, 2) {
                    0 => format!("{}.pop()", self.typed(&list, next)),
                    1 => format!("{}.into_iter().next()", self.typed(&list, next)),
                    _ => format!(
                        "{}.then(|| {})",
                        self.typed(&Ty::Bool, next),
                        self.expression(inner, next)
                    ),
                }
            }
            Ty::Result(Some(ok), Some(err)) => {
                let option = self.typed(&Ty::Option(ok.clone()), next);
                format!("{option}.ok_or_else(|| {})", self.expression(err, next))
            }
            _ => return None,
        })
    }

    /// An element, a count or a text of a list.
    fn of_a_list(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        let next = depth - 1;
        match ty {
            Ty::Int("u32") => {
                let list = self.typed(&Ty::List(Box::new(Ty::Int("u32"))), next);
                Some(match self.random.between(0, 2) {
                    0 => format!("{list}.iter().fold(0u32, |sum, n| sum.wrapping_add(*n))"),
                    1 => format!("({list}.iter().filter(|n| **n > 1).count() as u32)"),
                    _ => format!("{list}.iter().copied().max().unwrap_or(7)"),
                })
            }
            Ty::String => {
                let list = self.typed(&Ty::List(Box::new(Ty::String)), next);
                Some(format!(
                    "{list}.iter().map(|text| text.as_str()).collect::<Vec<&str>>().concat()"
                ))
            }
            Ty::Bool => {
                let list = self.typed(&Ty::List(Box::new(Ty::Int("u8"))), next);
                Some(format!("{list}.iter().any(|n| *n == 3)"))
            }
            _ => None,
        }
    }
}
