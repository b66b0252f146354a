//! Statements: assignments and control flow.

use super::PartsGenerator;
use crate::paths::SourceTree;

impl PartsGenerator {
    /// Some statements in a block. `depth` counts the statements around them.
    pub(super) fn statements(&mut self, count: u32, depth: u32) -> SourceTree {
        let statements = (0..count).map(|_| self.statement(depth)).collect();
        SourceTree::list(statements)
    }

    pub(super) fn statement(&mut self, depth: u32) -> SourceTree {
        if self.faults > 0 && self.chance(25) {
            self.faults -= 1;
            return self.fault();
        }
        let is_deep = depth >= 2;
        match self.below(22) {
            0..4 | 20 | 21 if !is_deep => self.if_statement(depth),
            4 if !is_deep && self.loops == 0 => self.for_loop(depth),
            5 if !is_deep && self.loops == 0 => self.while_loop(depth),
            6 if !is_deep => self.switch(depth),
            7 | 8 => self.call(),
            9 => self.write_by_pointer(),
            10 => self.set_pointer(),
            11 | 12 => self.array_write(),
            13 => self.record_write(),
            14 => self.heap_object(),
            15 if self.loops > 0 => {
                let text = if self.chance(50) { "break;" } else { "continue;" };
                SourceTree::statement(format!("if ($0) {{\n{text}\n}}"), vec![self.condition()])
            }
            15 if self.returns => {
                let kids = vec![self.condition(), self.value(1)];
                SourceTree::statement("if ($0) {\nreturn $1;\n}", kids)
            }
            _ => self.assignment(),
        }
    }

    /// A variable that can be assigned to.
    pub(super) fn target(&mut self) -> String {
        match self.pick(&self.scope.variables.clone()) {
            Some(name) => name,
            None => self.member().unwrap_or_else(|| "unused".to_owned()),
        }
    }

    fn assignment(&mut self) -> SourceTree {
        let to = self.target();
        let op = ["=", "=", "=", "+=", "^=", "-="][self.below(6) as usize];
        let value = self.value(2);
        SourceTree::statement(format!("{to} {op} $0;"), vec![value])
    }

    pub(super) fn if_statement(&mut self, depth: u32) -> SourceTree {
        let condition = self.condition();
        let count = 1 + self.below(2);
        let then = self.statements(count, depth + 1);
        if self.chance(45) {
            let otherwise = self.statements(1, depth + 1);
            let kids = vec![condition, then, otherwise];
            return SourceTree::statement("if ($0) {\n$1} else {\n$2}", kids);
        }
        SourceTree::statement("if ($0) {\n$1}", vec![condition, then])
    }

    fn for_loop(&mut self, depth: u32) -> SourceTree {
        let counter = self.name("i");
        let limit = match self.pick(&self.scope.fixed.clone()) {
            Some(input) if self.chance(40) => format!("({input} & 3)"),
            _ => (1 + self.below(3)).to_string(),
        };
        let body = self.loop_body(&counter, depth);
        let text = format!("for (u32 {counter} = 0; {counter} < {limit}; {counter}++) {{\n$0}}");
        SourceTree::statement(text, vec![body])
    }

    fn while_loop(&mut self, depth: u32) -> SourceTree {
        let counter = self.name("i");
        let condition = self.simple_condition();
        let body = self.loop_body(&counter, depth);
        let text = format!(
            "{{\nu32 {counter} = 0;\nwhile ({counter} < {} && $0) {{\n{counter}++;\n$1}}\n}}",
            1 + self.below(2)
        );
        SourceTree::statement(text, vec![condition, body])
    }

    fn loop_body(&mut self, counter: &str, depth: u32) -> SourceTree {
        self.scope.fixed.push(counter.to_owned());
        self.loops += 1;
        let count = 1 + self.below(2);
        let body = self.statements(count, depth + 1);
        self.loops -= 1;
        self.scope.fixed.pop();
        body
    }

    /// A switch, some of whose cases continue with the next.
    fn switch(&mut self, depth: u32) -> SourceTree {
        // A `break` in it would leave the switch and not the loop, which is fine too.
        let value = self.value(1);
        let mut text = "switch ($0 & 3) {\n".to_owned();
        let mut kids = vec![value];
        for case in 0..2 {
            let end = if self.chance(70) { "break;\n" } else { "" };
            text.push_str(&format!("case {case}:\n${}{end}", case + 1));
            kids.push(self.statements(1, depth + 1));
        }
        text.push_str("default:\n$3}");
        kids.push(self.statements(1, depth + 1));
        SourceTree::statement(text, kids)
    }
}
