//! Functions of random programs, called directly, by table, and by themselves.

use super::types::{U32, constant};
use super::{Generator, SourceTree, VariableScope};

impl Generator {
    /// Makes something in a scope where only globals are known, and these names.
    fn apart<T>(&mut self, names: &[&str], make: impl FnOnce(&mut Self) -> T) -> T {
        let globals = VariableScope {
            arrays: self.scope.arrays.iter().filter(|a| a.name.starts_with('g')).cloned().collect(),
            structs: self.scope.structs,
            fixed: names.iter().map(|name| ((*name).to_owned(), U32)).collect(),
            ..VariableScope::default()
        };
        let outer = std::mem::replace(&mut self.scope, globals);
        let loops = std::mem::take(&mut self.loops);
        let made = make(self);
        self.loops = loops;
        self.scope = outer;
        made
    }

    /// A function of two numbers, with statements of its own.
    pub(super) fn helper(&mut self) {
        let name = self.name("h");
        let function = self.apart(&["x", "y"], |this| {
            let declarations = this.declarations();
            let body = this.statements(1 + this.size / 2, 1);
            let result = this.any_value();
            let text =
                format!("static u32 {name}(u32 x, u32 y)\n{{\nSEEN();\n$0$1return (u32)$2;\n}}");
            SourceTree::fixed(text, vec![declarations, body, result])
        });
        self.functions.push(function);
        self.callable.push(name);
    }

    /// A function that calls itself a few times.
    pub(super) fn recursive(&mut self) {
        let name = self.name("h");
        let most = 2 + self.below(3);
        let function = self.apart(&["x", "y"], |this| {
            let kids =
                vec![this.any_condition(), this.any_value(), this.any_value(), this.any_value()];
            let text = format!(
                "static u32 {name}_inner(u32 x, u32 y, u32 left)\n{{\nSEEN();\nif (BR(left == 0)) {{\nreturn x ^ y;\n}}\n\
                 if (BR($0)) {{\nreturn {name}_inner((u32)$1, y + 1, left - 1) * 3;\n}}\n\
                 return {name}_inner((u32)$2, (u32)$3, left - 1) + x;\n}}\n\
                 static u32 {name}(u32 x, u32 y)\n{{\nreturn {name}_inner(x, y, {most});\n}}"
            );
            SourceTree::fixed(text, kids)
        });
        self.functions.push(function);
        self.callable.push(name);
    }

    pub(super) fn call(&mut self, _: u32) -> SourceTree {
        let Some(function) = self.pick(&self.callable.clone()) else { return self.nothing() };
        let to = self.variable();
        let kids = vec![self.any_value(), self.any_value()];
        SourceTree::statement(format!("{to} = {function}((u32)$0, (u32)$1);"), kids)
    }

    /// Calls a table entry whose index depends on input.
    pub(super) fn call_by_table(&mut self, _: u32) -> SourceTree {
        let functions: Vec<_> = (0..2 + self.below(2)).map(|_| self.small_function()).collect();
        let length = 4;
        let entries: Vec<_> = (0..length).filter_map(|_| self.pick(&functions)).collect();
        let (to, table, entries) = (self.variable(), self.name("table"), entries.join(", "));
        let value = self.any_value();
        let index = if self.wanted.faults && self.rng.chance(0.2) {
            SourceTree::fixed(format!("AT((u8)$0 & 7, {length})"), vec![self.any_value()])
        } else {
            self.index(length, 2)
        };
        let define = format!("static u32 (*const {table}[])(u32) = {{{entries}}};");
        self.functions.push(SourceTree::fixed(define, vec![]));
        SourceTree::statement(format!("{to} = {table}[$0]((u32)$1);"), vec![index, value])
    }

    fn small_function(&mut self) -> String {
        let name = self.name("t");
        let function = self.apart(&["x"], |this| {
            let (factor, added) = (constant(&mut this.rng, U32), constant(&mut this.rng, U32));
            let value = this.any_value();
            let text = format!(
                "static u32 {name}(u32 x)\n{{\nSEEN();\nreturn (u32)$0 * {factor} + {added};\n}}"
            );
            SourceTree::fixed(text, vec![value])
        });
        self.functions.push(function);
        name
    }
}
