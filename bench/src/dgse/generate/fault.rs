//! Statements that break a rule for some inputs.

use super::PartsGenerator;
use crate::paths::SourceTree;

impl PartsGenerator {
    pub(super) fn fault(&mut self) -> SourceTree {
        let to = self.target();
        match self.below(7) {
            0 | 1 => {
                let kids = vec![self.value(1), self.value(1)];
                let mask = [3, 7, 15][self.below(3) as usize];
                let op = if self.chance(50) { "/" } else { "%" };
                SourceTree::statement(format!("{to} = $0 {op} ($1 & {mask});"), kids)
            }
            2 => self.outside(),
            3 | 4 => {
                let condition = self.condition();
                SourceTree::statement("assert(!$0);", vec![condition])
            }
            5 => {
                let name = self.name("n");
                let kids = vec![self.condition(), self.value(1)];
                let text = format!(
                    "{{\nu32 *{name} = &{to};\nif ($0) {{\n{name} = 0;\n}}\n*{name} = $1;\n}}"
                );
                SourceTree::statement(text, kids)
            }
            _ => self.use_after_free(),
        }
    }

    /// An index that may be out of bounds.
    fn outside(&mut self) -> SourceTree {
        let Some((name, length)) = self.pick(&self.scope.arrays.clone()) else {
            return SourceTree::statement("assert($0);", vec![self.condition()]);
        };
        let kids = vec![self.value(1), self.value(1)];
        let text = match self.chance(50) {
            true => format!("{name}[$0 & {}] = $1;", 2 * length - 1),
            false => format!("{} = {name}[$0 & {}] + $1;", self.target(), 2 * length - 1),
        };
        SourceTree::statement(text, kids)
    }

    fn use_after_free(&mut self) -> SourceTree {
        let (name, to) = (self.name("h"), self.target());
        let kids = vec![self.value(1), self.condition(), self.condition()];
        let text = format!(
            "{{\nu32 *{name} = malloc(sizeof *{name});\n*{name} = $0;\nint freed_{name} = 0;\n\
             if ($1) {{\nfree({name});\nfreed_{name} = 1;\n}}\n\
             if ($2) {{\n{to} += *{name};\n}}\nif (!freed_{name}) {{\nfree({name});\n}}\n}}"
        );
        SourceTree::statement(text, kids)
    }
}
