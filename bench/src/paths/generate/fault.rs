//! Statements that break a rule for some inputs, or end the program.

use super::{Generator, SourceTree};

impl Generator {
    pub(super) fn faulty(&mut self, _: u32) -> SourceTree {
        match self.below(10) {
            0..3 => self.divide(),
            3..7 => self.unsafe_access(),
            7 => {
                let kids = vec![self.any_condition()];
                SourceTree::statement("ASSERT($0);", kids)
            }
            8 => {
                let kids = vec![self.any_condition(), self.any_value()];
                SourceTree::statement("if (BR($0)) {\nEXIT($1);\n}", kids)
            }
            _ => {
                let how = ["ABORT", "REPORT", "TRAP", "UNREACHABLE"][self.below(4) as usize];
                let kids = vec![self.any_condition(), self.any_condition()];
                SourceTree::statement(format!("if (BR($0) && BR($1)) {{\n{how}();\n}}"), kids)
            }
        }
    }

    /// A division whose divisor may be anything.
    fn divide(&mut self) -> SourceTree {
        let of = if self.rng.chance(0.5) { self.signed() } else { self.unsigned() };
        let op = if self.rng.chance(0.5) { "/" } else { "%" };
        let to = self.variable();
        let divisor = match self.below(3) {
            0 => self.any_value(),
            1 => self.small(7),
            _ => SourceTree::value("i32", "((i32)(i8)$0)", vec![self.any_value()]),
        };
        let kids = vec![self.any_value(), divisor];
        SourceTree::statement(format!("{to} = DIVIDE({}, {op}, $0, $1);", of.name), kids)
    }
}
