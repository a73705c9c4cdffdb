//! Calls of what the hole was granted, and of what it was not.

use super::Writer;
use crate::world::{Function, Ty};

impl Writer<'_> {
    /// A call that gives a value of the type, if some granted function does.
    pub(super) fn granted_call(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        let fitting: Vec<Function> = self
            .callable()
            .filter(|function| gives(function, ty))
            .cloned()
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.random.pick(&fitting).clone();
        let call = self.call(&function, depth);
        // A function that can fail gives the value in one way or another.
        match &function.result {
            Some(Ty::Result(Some(ok), _))
                if **ok == *ty && function.result.as_ref() != Some(ty) =>
            {
                let other = self.literal(ty, 1);
                Some(match self.random.between(0, 2) {
                    0 => format!("{call}.unwrap_or_else(|_| {other})"),
                    1 => format!("match {call} {{ Ok(found) => found, Err(_) => {other} }}"),
                    _ => format!("{call}.unwrap()"),
                })
            }
            _ => Some(call),
        }
    }

    /// A call whose value nobody looks at.
    pub(super) fn any_call(&mut self, depth: u32) -> Option<String> {
        let all: Vec<Function> = self.callable().cloned().collect();
        if self.flaws > 0 {
            let withheld: Vec<Function> = self
                .world
                .functions
                .iter()
                .filter(|function| !function.granted)
                .cloned()
                .collect();
            if !withheld.is_empty() && self.flawed(30) {
                let function = self.random.pick(&withheld).clone();
                return Some(self.call(&function, depth));
            }
        }
        if all.is_empty() {
            return None;
        }
        let function = self.random.pick(&all).clone();
        Some(self.call(&function, depth))
    }

    fn callable(&self) -> impl Iterator<Item = &Function> {
        let can_make = |ty: &Ty| self.can_make(ty);
        self.world
            .functions
            .iter()
            .filter(move |function| function.granted && function.parameters.iter().all(can_make))
    }

    /// Whether an expression of the type can be written; handles come from granted constructors only.
    fn can_make(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Own(index) | Ty::Borrow(index) => self.maker(*index).is_some(),
            Ty::Other => false,
            _ => true,
        }
    }

    /// A granted function that gives a handle of the resource and needs none.
    fn maker(&self, resource: usize) -> Option<&Function> {
        let plain = |ty: &Ty| !matches!(ty, Ty::Own(_) | Ty::Borrow(_) | Ty::Other);
        self.world.functions.iter().find(|function| {
            function.granted
                && function.result == Some(Ty::Own(resource))
                && function.parameters.iter().all(plain)
        })
    }

    /// An expression that gives an own handle.
    pub(super) fn handle(&mut self, resource: usize, depth: u32) -> String {
        match self.maker(resource).cloned() {
            Some(function) => self.call(&function, depth.saturating_sub(1)),
            None => "todo!()".to_owned(),
        }
    }

    fn call(&mut self, function: &Function, depth: u32) -> String {
        let mut arguments: Vec<String> = Vec::new();
        for ty in &function.parameters {
            let argument = if self.flawed(10) {
                self.wrong(ty)
            } else {
                self.argument(ty, depth.saturating_sub(1))
            };
            arguments.push(argument);
        }
        if self.flawed(8) {
            arguments.push("7u8".to_owned());
        }
        if !arguments.is_empty() && self.flawed(8) {
            arguments.pop();
        }
        if function.method && !arguments.is_empty() {
            let receiver = arguments.remove(0);
            let receiver = receiver.trim_start_matches('&').to_owned();
            return format!("{receiver}.{}({})", function.path, arguments.join(", "));
        }
        format!("{}({})", function.path, arguments.join(", "))
    }

    /// An argument as granted functions take it: text, lists and what holds them by reference.
    fn argument(&mut self, ty: &Ty, depth: u32) -> String {
        match ty {
            Ty::String => match self.random.between(0, 2) {
                0 => "\"key\"".to_owned(),
                1 => format!("&{}", self.owned(ty, depth)),
                _ => format!("{}.as_str()", self.owned(ty, depth)),
            },
            Ty::List(_) => format!("&*{}", self.owned(ty, depth)),
            Ty::Option(inner) => {
                if self.random.chance(35) {
                    return "None".to_owned();
                }
                format!("Some({})", self.inner_argument(inner, depth))
            }
            Ty::Result(ok, err) => {
                let (case, inner) = if self.random.chance(60) {
                    ("Ok", ok)
                } else {
                    ("Err", err)
                };
                let inner = match inner {
                    Some(inner) => self.inner_argument(inner, depth),
                    None => "()".to_owned(),
                };
                format!("{case}({inner})")
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|ty| self.inner_argument(ty, depth))
                    .collect();
                format!("({},)", parts.join(", "))
            }
            Ty::Named(_) if self.world.holds_lists(ty) => format!("&{}", self.owned(ty, depth)),
            Ty::Borrow(index) => format!("&{}", self.handle(*index, depth)),
            Ty::Own(index) => self.handle(*index, depth),
            _ => self.expression(ty, depth),
        }
    }

    /// The same inside of another value, where nothing is coerced.
    fn inner_argument(&mut self, ty: &Ty, depth: u32) -> String {
        match ty {
            Ty::String => format!("&*{}", self.owned(ty, depth)),
            _ => self.argument(ty, depth),
        }
    }

    /// An expression in parentheses that no reference can be confused by.
    fn owned(&mut self, ty: &Ty, depth: u32) -> String {
        let rust = self.world.rust(ty, "");
        let value = self.expression(ty, depth);
        format!("{{ let made: {rust} = {value}; made }}")
    }
}

fn gives(function: &Function, ty: &Ty) -> bool {
    match &function.result {
        Some(result) if result == ty => true,
        Some(Ty::Result(Some(ok), _)) => **ok == *ty,
        _ => false,
    }
}
