//! Functions, called directly, through pointers and by themselves.

use super::{PartScope, PartsGenerator};
use crate::paths::SourceTree;

impl PartsGenerator {
    /// Makes something in the scope of a function with these parameters, of the globals in the
    /// current scope and of its own variables, which are declared first.
    fn in_function<T>(
        &mut self,
        parameters: &[&str],
        make: impl FnOnce(&mut Self, SourceTree) -> T,
    ) -> T {
        let is_global = |name: &String| name.starts_with('g');
        let local = self.name("l");
        let mut inner = PartScope {
            fixed: parameters.iter().map(|&name| name.to_owned()).collect(),
            variables: vec![local.clone()],
            ..PartScope::default()
        };
        inner.variables.extend(self.scope.variables.iter().filter(|it| is_global(it)).cloned());
        inner.arrays.extend(self.scope.arrays.iter().filter(|it| is_global(&it.0)).cloned());
        inner.records.extend(self.scope.records.iter().filter(|it| is_global(it)).cloned());
        let outer = std::mem::replace(&mut self.scope, inner);
        let loops = std::mem::take(&mut self.loops);
        let returned = std::mem::replace(&mut self.returns, true);
        let declaration = SourceTree::fixed(format!("u32 {local} = x;"), vec![]);
        let made = make(self, declaration);
        self.scope = outer;
        self.loops = loops;
        self.returns = returned;
        made
    }

    /// Defines a function of two numbers.
    pub(super) fn helper(&mut self) {
        let name = self.name("f");
        let recursive = self.chance(30);
        let function = self.in_function(&["x", "y"], |this, declaration| {
            if recursive {
                return this.recursive(&name);
            }
            let body = this.statements(1 + this.size / 2, 1);
            let result = this.value(1);
            let text = format!("static u32 {name}(u32 x, u32 y)\n{{\n$0\n$1return $2;\n}}");
            SourceTree::fixed(text, vec![declaration, body, result])
        });
        self.definitions.push(function);
        self.callable.push(name);
    }

    /// A function that calls itself a few times.
    fn recursive(&mut self, name: &str) -> SourceTree {
        self.scope.variables.retain(|variable| variable.starts_with('g'));
        let kids = vec![self.simple_condition(), self.value(1), self.value(1)];
        let text = format!(
            "static u32 {name}_inner(u32 x, u32 y, u32 left)\n{{\nif (left == 0) {{\nreturn x;\n}}\n\
             if ($0) {{\nreturn {name}_inner($1, y, left - 1) + 1;\n}}\nreturn y ^ $2;\n}}\n\
             static u32 {name}(u32 x, u32 y)\n{{\nreturn {name}_inner(x, y, 2);\n}}"
        );
        SourceTree::fixed(text, kids)
    }

    pub(super) fn call(&mut self) -> SourceTree {
        let Some(function) = self.pick(&self.callable.clone()) else {
            return self.write_by_pointer();
        };
        let to = self.target();
        let mut kids = vec![self.value(1), self.value(1)];
        if self.chance(65) || self.callable.len() < 2 {
            return SourceTree::statement(format!("{to} = {function}($0, $1);"), kids);
        }
        kids.push(self.simple_condition());
        let other = self.pick(&self.callable.clone()).unwrap_or_default();
        let pointer = self.name("fp");
        let text = format!(
            "{{\nu32 (*{pointer})(u32, u32) = {function};\nif ($2) {{\n{pointer} = {other};\n}}\n\
             {to} = (*{pointer})($0, $1);\n}}"
        );
        SourceTree::statement(text, kids)
    }

    /// A part of the program as a function; `None` if it has no global to leave a result in and
    /// no variable to pass a pointer to.
    pub(super) fn outlined_part(&mut self) -> Option<SourceTree> {
        let inputs: Vec<String> = self.scope.fixed.iter().take(2).cloned().collect();
        let result = self.scope.variables.iter().find(|name| !name.starts_with('g'))?.clone();
        let name = self.name("part");
        let parameters: Vec<String> = (0..inputs.len()).map(|n| format!("x{n}")).collect();
        let mut fixed: Vec<&str> = parameters.iter().map(String::as_str).collect();
        fixed.push("x");
        let function = self.in_function(&fixed, |this, declaration| {
            this.scope.pointers.push("out".to_owned());
            let body = this.statements(2 + this.size, 0);
            let value = this.value(1);
            let list: String = parameters.iter().map(|name| format!(", u32 {name}")).collect();
            let text = format!(
                "static u32 {name}(u32 *out, u32 x{list})\n{{\n$0\n$1*out ^= $2;\nreturn 1;\n}}"
            );
            SourceTree::fixed(text, vec![declaration, body, value])
        });
        self.definitions.push(function);
        let arguments: String = inputs.iter().map(|input| format!(", {input}")).collect();
        let to = self.target();
        let text = format!("if ({name}(&{result}, {to}{arguments}) == 7) {{\n{to} = 0;\n}}");
        Some(SourceTree::statement(text, vec![]))
    }
}
