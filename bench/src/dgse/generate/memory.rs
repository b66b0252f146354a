//! Pointers, arrays, records and the heap.

use super::PartsGenerator;
use crate::paths::SourceTree;

impl PartsGenerator {
    /// Writes through a pointer, directly or in a function.
    pub(super) fn write_by_pointer(&mut self) -> SourceTree {
        let value = vec![self.value(1)];
        let text = match self.below(5) {
            0 if !self.scope.double_pointers.is_empty() => {
                let double = self.pick(&self.scope.double_pointers.clone());
                double.map(|name| format!("**{name} = $0;"))
            }
            1 => Some(format!("put(&{}, $0);", self.target())),
            2 => {
                let pointer = self.pick(&self.scope.pointers.clone());
                pointer.map(|name| format!("bump(&{name}, $0);"))
            }
            _ => self.pick(&self.scope.pointers.clone()).map(|name| format!("*{name} = $0;")),
        };
        let text = text.unwrap_or_else(|| format!("{} = $0;", self.target()));
        SourceTree::statement(text, value)
    }

    /// Makes a pointer point elsewhere, for some inputs.
    pub(super) fn set_pointer(&mut self) -> SourceTree {
        let Some(pointer) = self.pick(&self.scope.pointers.clone()) else {
            return self.write_by_pointer();
        };
        let (one, other) = (self.object(), self.object());
        let condition = vec![self.simple_condition()];
        let text = match self.below(3) {
            0 => format!("{pointer} = $0 ? &{one} : &{other};"),
            1 => match self.pick(&self.scope.double_pointers.clone()) {
                Some(double) => format!("if ($0) {{\n*{double} = &{one};\n}}"),
                None => format!("if ($0) {{\n{pointer} = &{one};\n}}"),
            },
            _ => format!("if ($0) {{\n{pointer} = &{one};\n}} else {{\n{pointer} = &{other};\n}}"),
        };
        SourceTree::statement(text, condition)
    }

    /// A number in memory that a pointer can point to for as long as the program runs.
    fn object(&mut self) -> String {
        if self.chance(30)
            && let Some((array, length)) = self.pick(&self.scope.arrays.clone())
        {
            return format!("{array}[{}]", self.below(length));
        }
        let long_lived: Vec<String> =
            self.scope.variables.iter().filter(|name| !name.starts_with('l')).cloned().collect();
        self.pick(&long_lived).unwrap_or_else(|| "unused".to_owned())
    }

    pub(super) fn array_write(&mut self) -> SourceTree {
        let Some((name, length)) = self.pick(&self.scope.arrays.clone()) else {
            return self.write_by_pointer();
        };
        let kids = vec![self.index(length), self.value(1)];
        SourceTree::statement(format!("{name}[$0] = $1;"), kids)
    }

    pub(super) fn record_write(&mut self) -> SourceTree {
        let Some(member) = self.member() else { return self.array_write() };
        let record = member.split(['.', '>']).next().unwrap_or_default().to_owned();
        let is_pointer = record.ends_with('-');
        let record = record.trim_end_matches('-').to_owned();
        let (to, kids) = (self.target(), vec![self.value(1)]);
        let text = match self.below(5) {
            0 if is_pointer => format!("{to} += sum({record}) ^ $0;"),
            0 => format!("{to} += sum(&{record}) ^ $0;"),
            1 => {
                let copy = self.name("c");
                let from = if is_pointer { format!("*{record}") } else { record };
                format!(
                    "{{\nstruct record {copy} = {from};\n{copy}.count ^= $0;\n{from} = {copy};\n}}"
                )
            }
            2 => {
                let place = if is_pointer { format!("{record}->") } else { format!("{record}.") };
                let index = self.index(3);
                let text = format!("{place}items[$1] = $0;");
                let kids = kids.into_iter().chain([index]).collect();
                return SourceTree::statement(text, kids);
            }
            _ => format!("{member} = $0;"),
        };
        SourceTree::statement(text, kids)
    }

    /// An object on the heap, for the statements of a block.
    pub(super) fn heap_object(&mut self) -> SourceTree {
        let name = self.name("h");
        let kids = vec![self.value(1), self.value(1), self.simple_condition(), self.index(2)];
        let to = self.target();
        let text = format!(
            "{{\nu32 *{name} = malloc(2 * sizeof *{name});\n{name}[0] = $0;\n{name}[1] = $1;\n\
             if ($2) {{\n{name}[$3] += 3;\n}}\n{to} = {name}[0] ^ {name}[1];\nfree({name});\n}}"
        );
        SourceTree::statement(text, kids)
    }
}
