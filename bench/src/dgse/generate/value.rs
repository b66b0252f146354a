//! Numbers and conditions.

use super::PartsGenerator;
use crate::paths::SourceTree;

/// A number of the only type there is.
pub(super) fn number(text: impl Into<String>, kids: Vec<SourceTree>) -> SourceTree {
    SourceTree::value("u32", text, kids)
}

impl PartsGenerator {
    /// A number of at most this depth.
    pub(super) fn value(&mut self, depth: u32) -> SourceTree {
        if depth == 0 || self.chance(35) {
            return self.leaf();
        }
        let kids = vec![self.value(depth - 1), self.value(depth - 1)];
        match self.below(7) {
            0 => number("($0 + $1)", kids),
            1 => number("($0 - $1)", kids),
            2 => number("($0 ^ $1)", kids),
            3 => number("($0 & $1)", kids),
            4 => number(format!("($0 * {} + $1)", 2 + self.below(5)), kids),
            5 => number(format!("(($0 >> {}) | $1)", 1 + self.below(3)), kids),
            _ => {
                let kids = vec![self.simple_condition(), self.value(0), self.value(0)];
                number("($0 ? $1 : $2)", kids)
            }
        }
    }

    fn leaf(&mut self) -> SourceTree {
        let text = match self.below(10) {
            0..4 => self.pick(&self.scope.fixed.clone()),
            4 | 5 => self.pick(&self.scope.variables.clone()),
            6 if self.chance(70) => return self.array_element(),
            6 | 7 => self.member(),
            8 => self.pick(&self.scope.pointers.clone()).map(|name| format!("*{name}")),
            _ => None,
        };
        let text = text.unwrap_or_else(|| self.below(9).to_string());
        number(text, vec![])
    }

    fn array_element(&mut self) -> SourceTree {
        let Some((name, length)) = self.pick(&self.scope.arrays.clone()) else {
            return number(self.below(9).to_string(), vec![]);
        };
        let index = self.index(length);
        number(format!("{name}[$0]"), vec![index])
    }

    /// A number below `length`, a constant or not.
    pub(super) fn index(&mut self, length: u32) -> SourceTree {
        if self.chance(40) {
            return SourceTree::fixed(self.below(length).to_string(), vec![]);
        }
        let value = match self.pick(&self.scope.fixed.clone()) {
            Some(name) if self.chance(70) => number(name, vec![]),
            _ => self.value(1),
        };
        let text = match length.is_power_of_two() {
            true => format!("$0 & {}", length - 1),
            false => format!("$0 % {length}"),
        };
        SourceTree::fixed(text, vec![value])
    }

    /// A member of a record.
    pub(super) fn member(&mut self) -> Option<String> {
        let record = self.pick(&self.scope.records.clone())?;
        let member = ["count", "tag", "items[0]", "items[1]", "items[2]"][self.below(5) as usize];
        Some(format!("{record}{member}"))
    }

    /// A comparison that often can go either way.
    pub(super) fn simple_condition(&mut self) -> SourceTree {
        let value = match (self.pick(&self.scope.fixed.clone()), self.below(10)) {
            (Some(name), 0..6) => number(name, vec![]),
            (None, 0..6) | (_, 6 | 7) => number(self.target(), vec![]),
            _ => self.value(1),
        };
        let op = ["<", ">", "==", "!=", "<=", ">="][self.below(6) as usize];
        let mask = [3, 7, 15, 63][self.below(4) as usize];
        let limit = self.below(mask + 1);
        let text = match self.below(4) {
            0 => format!("($0 {op} {})", 1 + self.below(250)),
            1 => format!("((int)$0 {op} {})", self.below(40)),
            _ => format!("(($0 & {mask}) {op} {limit})"),
        };
        SourceTree::value("int", text, vec![value])
    }

    pub(super) fn condition(&mut self) -> SourceTree {
        match self.below(10) {
            0 | 1 => {
                let kids = vec![self.simple_condition(), self.simple_condition()];
                let op = if self.chance(50) { "&&" } else { "||" };
                SourceTree::value("int", format!("($0 {op} $1)"), kids)
            }
            2 => {
                let kids = vec![self.value(1), self.value(1)];
                let op = ["<", "==", "!="][self.below(3) as usize];
                SourceTree::value("int", format!("($0 {op} $1)"), kids)
            }
            _ => self.simple_condition(),
        }
    }
}
