//! Statements: assignments, branches, loops, switches, jumps.

use super::types::{I64, U8, U32};
use super::{Generator, PathDirection, Profile, SourceTree};

/// Branches inside branches go no deeper.
const DEEPEST: u32 = 3;

/// Loops inside loops go no deeper.
const MOST_LOOPS: u32 = 2;

impl Generator {
    /// A list of `count` statements, nested at most `depth` blocks deep.
    pub(super) fn statements(&mut self, count: u32, depth: u32) -> SourceTree {
        SourceTree::list((0..count).map(|_| self.statement(depth)).collect())
    }

    fn block(&mut self, depth: u32) -> SourceTree {
        let most = (self.size + 1).saturating_sub(depth).max(1);
        let count = 1 + self.below(most);
        self.statements(count, depth + 1)
    }

    fn statement(&mut self, depth: u32) -> SourceTree {
        let when = |wanted: bool, weight: u64| if wanted { weight } else { 0 };
        let wanted = &self.wanted;
        let (deeper, looser) = (depth < DEEPEST, self.profile == Profile::Loose);
        let can_loop = deeper && self.loops < MOST_LOOPS;
        let checked = self.profile == Profile::Checked;
        let ways: &[PathDirection] = &[
            (14, Self::assignment),
            (3, Self::update),
            (when(deeper, 14), Self::branch),
            (when(can_loop, 5), Self::counted_loop),
            (when(can_loop, 2), Self::conditional_loop),
            (when(deeper, 5), Self::switch),
            (when(self.loops > 0, 2), Self::leave_loop),
            (2, Self::early_return),
            (when(deeper && wanted.jumps, 3), Self::jump),
            (when(deeper && wanted.jumps, 1), Self::computed_jump),
            (when(wanted.arrays, 8), Self::set_element),
            (when(wanted.arrays, 2), Self::move_bytes),
            (when(wanted.arrays, 2), Self::pun),
            (when(self.scope.structs, 4), Self::set_member),
            (when(self.scope.union, 4), Self::set_union_part),
            (when(wanted.pointers, 5), Self::pointer),
            (when(!self.callable.is_empty(), 5), Self::call),
            (when(wanted.tables_of_functions, 3), Self::call_by_table),
            (when(wanted.floats, 8), Self::float_statement),
            (when(wanted.faults, 5), Self::faulty),
            (when(wanted.heap, 2), Self::heap),
            (when(wanted.assorted, 6), Self::assorted),
            (when(wanted.assumptions, 2), Self::assumption),
            (when(checked, 10), Self::checked_arithmetic),
            (when(looser, 10), Self::library),
        ];
        self.one_of(ways, depth)
    }

    /// The depth of an expression in a statement.
    pub(super) fn steps(&mut self) -> u32 {
        [1, 1, 1, 2, 2, 3][self.below(6) as usize]
    }

    pub(super) fn any_value(&mut self) -> SourceTree {
        let steps = self.steps();
        self.value(steps)
    }

    pub(super) fn any_condition(&mut self) -> SourceTree {
        let steps = self.steps();
        self.condition(steps)
    }

    /// A variable to write to; every function has some.
    pub(super) fn variable(&mut self) -> String {
        self.pick(&self.scope.ints.clone()).map_or_else(|| "v1".to_owned(), |(name, _)| name)
    }

    /// The condition of an `if`: one decision, or several in a row.
    fn decision(&mut self) -> SourceTree {
        let first = self.any_condition();
        if self.rng.chance(0.75) {
            return SourceTree::fixed("BR($0)", vec![first]);
        }
        let op = if self.rng.chance(0.5) { "&&" } else { "||" };
        let second = self.any_condition();
        SourceTree::fixed(format!("BR($0) {op} BR($1)"), vec![first, second])
    }

    fn assignment(&mut self, _: u32) -> SourceTree {
        let (name, value) = (self.variable(), self.any_value());
        SourceTree::statement(format!("{name} = $0;"), vec![value])
    }

    fn update(&mut self, _: u32) -> SourceTree {
        let known = if self.profile == Profile::Checked { 3 } else { 8 };
        let op = ["^=", "|=", "&=", "+=", "-=", "*=", "++", "--"][self.below(known) as usize];
        let name = self.variable();
        match op {
            "++" | "--" => SourceTree::statement(format!("{name}{op};"), vec![]),
            _ => SourceTree::statement(format!("{name} {op} $0;"), vec![self.any_value()]),
        }
    }

    fn branch(&mut self, depth: u32) -> SourceTree {
        let mut kids = vec![self.decision(), self.block(depth)];
        match self.below(4) {
            0 | 1 => SourceTree::statement("if ($0) {\n$1}", kids),
            2 => {
                kids.push(self.block(depth));
                SourceTree::statement("if ($0) {\n$1} else {\n$2}", kids)
            }
            _ => {
                kids.extend([self.decision(), self.block(depth), self.block(depth)]);
                SourceTree::statement("if ($0) {\n$1} else if ($2) {\n$3} else {\n$4}", kids)
            }
        }
    }

    /// Statements within a loop that counts by this name.
    fn loop_body(&mut self, counter: &str, depth: u32) -> SourceTree {
        self.loops += 1;
        self.scope.fixed.push((counter.to_owned(), U32));
        let body = self.block(depth);
        self.scope.fixed.pop();
        self.loops -= 1;
        body
    }

    fn counted_loop(&mut self, depth: u32) -> SourceTree {
        let counter = self.name("n");
        let most = 2 + self.below(5);
        let bound = if self.rng.chance(0.6) {
            SourceTree::fixed(format!("(u32)$0 % {most}"), vec![self.any_value()])
        } else {
            SourceTree::fixed(most.min(4).to_string(), vec![])
        };
        let body = self.loop_body(&counter, depth);
        let text = format!("for (u32 {counter} = 0; BR({counter} < $0); {counter}++) {{\n$1}}");
        SourceTree::statement(text, vec![bound, body])
    }

    fn conditional_loop(&mut self, depth: u32) -> SourceTree {
        let counter = self.name("n");
        let most = 2 + self.below(4);
        let condition = self.any_condition();
        let body = self.loop_body(&counter, depth);
        let text = match self.rng.chance(0.5) {
            true => format!(
                "for (u32 {counter} = 0; BR({counter} < {most}) && BR($0); {counter}++) {{\n$1}}"
            ),
            false => format!(
                "{{\nu32 {counter} = 0;\ndo {{\n$1}} while (BR(++{counter} < {most}) && BR($0));\n}}"
            ),
        };
        SourceTree::statement(text, vec![condition, body])
    }

    fn leave_loop(&mut self, _: u32) -> SourceTree {
        let how = if self.rng.chance(0.5) { "break" } else { "continue" };
        let decision = self.decision();
        SourceTree::statement(format!("if ($0) {{\n{how};\n}}"), vec![decision])
    }

    fn early_return(&mut self, _: u32) -> SourceTree {
        let kids = vec![self.decision(), self.any_value()];
        SourceTree::statement("if ($0) {\nreturn $1;\n}", kids)
    }

    fn switch(&mut self, depth: u32) -> SourceTree {
        let count = 2 + self.below(5);
        let value = self.any_value();
        let (on, labels) = self.labels(count);
        let mut cases = Vec::new();
        let default_at = self.below(count * 2);
        for (at, label) in labels.into_iter().enumerate() {
            if at as u32 == default_at {
                cases.push(self.case("default:", depth));
            }
            cases.push(self.case(&label, depth));
        }
        SourceTree::statement(
            "switch ($0) {\n$1}",
            vec![SourceTree::fixed(on, vec![value]), SourceTree::list(cases)],
        )
    }

    /// The operand of a switch, and the labels of its cases.
    fn labels(&mut self, count: u32) -> (&'static str, Vec<String>) {
        let dense = ["(u8)$0 % 6", "(i32)($0 & 7)", "(u64)$0 % 9"];
        let sparse = ["(u8)$0", "(i8)$0", "(i32)$0", "(i64)$0", "(u16)$0"];
        let is_dense = self.rng.chance(0.5);
        let on = match is_dense {
            true => dense[self.below(dense.len() as u32) as usize],
            false => sparse[self.below(sparse.len() as u32) as usize],
        };
        let mut next = if is_dense { self.below(2) } else { self.below(20) };
        let mut labels = Vec::new();
        for _ in 0..count {
            let mut label = format!("case {next}:");
            let step = if is_dense { 1 } else { 1 + self.below(40) };
            next += step;
            match self.below(5) {
                // Two values, or a range of them, with one body.
                0 => {
                    label.push_str(&format!(" case {next}:"));
                    next += 1;
                }
                1 => {
                    label = format!("case {} ... {}:", next, next + 3);
                    next += 4;
                }
                _ => {}
            }
            labels.push(label);
        }
        if on == "(i64)$0" && self.rng.chance(0.5) {
            labels.push("case -1:".to_owned());
        }
        // A label outside the range of i8 causes a warning only, and is a case like any other.
        (on, labels)
    }

    fn case(&mut self, label: &str, depth: u32) -> SourceTree {
        let body = self.block(depth);
        let end = if self.rng.chance(0.75) { "break;\n" } else { "" };
        SourceTree::fixed(format!("{label} SEEN();\n$0{end}"), vec![body])
    }

    /// Forwards, over some statements.
    fn jump(&mut self, depth: u32) -> SourceTree {
        let label = self.name("past");
        let kids = vec![self.decision(), self.block(depth)];
        SourceTree::statement(format!("if ($0)\ngoto {label};\n$1{label}:\nSEEN();"), kids)
    }

    /// To one of three labels, two of them the same.
    fn computed_jump(&mut self, depth: u32) -> SourceTree {
        let label = self.name("to");
        let kids = vec![self.index(4, 2), self.block(depth), self.block(depth)];
        let text = format!(
            "{{\nstatic void *const {label}[] = {{&&{label}_a, &&{label}_b, &&{label}_c, \
             &&{label}_a}};\ngoto *{label}[$0];\n}}\n{label}_a:\nSEEN();\n$1{label}_b:\nSEEN();\n\
             $2{label}_c:\nSEEN();"
        );
        SourceTree::statement(text, kids)
    }

    fn assumption(&mut self, _: u32) -> SourceTree {
        let condition = self.any_condition();
        SourceTree::statement("ASSUME($0);", vec![condition])
    }

    /// Arithmetic that is a fault where it overflows, in a statement of its own.
    fn checked_arithmetic(&mut self, _: u32) -> SourceTree {
        let (name, of) = (self.variable(), self.signed().name);
        let (a, b) = (self.any_value(), self.any_value());
        let text = match self.below(5) {
            0 => format!("{name} = SHIFT({of}, <<, $0, (u32)$1 & 63);"),
            1 => format!("{name} = SHIFT({of}, >>, $0, (u32)$1 & 127);"),
            2 => format!("{name} = CHECKED({of}, sub, -, $0, $1);"),
            3 => format!("{name} = CHECKED({of}, mul, *, $0, $1);"),
            _ => format!("{name} = CHECKED({of}, add, +, $0, $1);"),
        };
        SourceTree::statement(text, vec![a, b])
    }

    /// A number that a signed type of 64 bits holds, for bounds.
    pub(super) fn small(&mut self, below: u32) -> SourceTree {
        SourceTree::value(I64.name, format!("((u32)$0 % {below})"), vec![self.any_value()])
    }

    /// A byte of input, or a parameter that holds one.
    pub(super) fn byte(&mut self) -> SourceTree {
        let known = self.pick(&self.scope.fixed.clone());
        known.map_or_else(
            || SourceTree::value(U8.name, "7", vec![]),
            |(name, _)| SourceTree::value(U8.name, format!("((u8){name})"), vec![]),
        )
    }
}
