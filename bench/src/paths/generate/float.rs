//! Floating-point arithmetic, comparisons and conversions.
//!
//! The bits of a NaN differ between processors and standards, so a program reads the bits of
//! a result only after it has checked for NaN.

use super::types::{FLOATS, Float, float_constant};
use super::{Generator, SourceTree};

impl Generator {
    pub(super) fn float_variables(&mut self, list: &mut Vec<SourceTree>) {
        for _ in 0..1 + self.below(2) {
            let of = FLOATS[self.below(2) as usize];
            let (name, value) = (self.name("x"), float_constant(&mut self.rng, of));
            list.push(SourceTree::fixed(format!("{} {name} = {value};", of.name), vec![]));
            self.scope.floats.push((name, of));
        }
    }

    /// The observation of floating-point variables at the end.
    pub(super) fn float_result(&self) -> Vec<SourceTree> {
        let seen = |(name, _): &(String, Float)| {
            SourceTree::fixed(
                format!("r = r * 31 + ({name} > 1.5) * 2 + ({name} == {name});"),
                vec![],
            )
        };
        self.scope.floats.iter().map(seen).collect()
    }

    fn float_variable(&mut self) -> (String, Float) {
        self.pick(&self.scope.floats.clone()).unwrap_or_else(|| ("0.5".to_owned(), FLOATS[1]))
    }

    fn float_leaf(&mut self) -> SourceTree {
        match self.below(4) {
            0 => {
                let of = FLOATS[self.below(2) as usize];
                SourceTree::fixed(float_constant(&mut self.rng, of), vec![])
            }
            1 => {
                let (to, from) = (FLOATS[self.below(2) as usize].name, self.any_int().name);
                let value = self.value(1);
                SourceTree::fixed(format!("({to})({from})$0"), vec![value])
            }
            _ => SourceTree::fixed(self.float_variable().0, vec![]),
        }
    }

    pub(super) fn float_comparison(&mut self) -> SourceTree {
        let op = ["<", "<=", ">", ">=", "==", "!="][self.below(6) as usize];
        let (name, _) = self.float_variable();
        let text = match self.below(5) {
            0 => format!("({name} != {name})"),
            1 => format!("(({name} > -1.0) & ({name} < 100.5))"),
            _ => {
                return SourceTree::value(
                    "int",
                    format!("({name} {op} $0)"),
                    vec![self.float_leaf()],
                );
            }
        };
        SourceTree::value("int", text, vec![])
    }

    pub(super) fn float_statement(&mut self, _: u32) -> SourceTree {
        let (name, of) = self.float_variable();
        match self.below(7) {
            0 | 1 => {
                let (from, value) = (self.any_int().name, self.any_value());
                SourceTree::statement(format!("{name} = ({})({from})$0;", of.name), vec![value])
            }
            2 | 3 => {
                let op = ["+", "-", "*", "/"][self.below(4) as usize];
                let kids = vec![self.float_leaf(), self.float_leaf()];
                SourceTree::statement(format!("{name} = $0 {op} $1;"), kids)
            }
            4 => self.as_int(&name),
            5 => self.of_bits(&name, of),
            _ => self.as_bits(&name, of),
        }
    }

    /// A conversion that is defined: the program asks first.
    fn as_int(&mut self, name: &str) -> SourceTree {
        let (to, of) = (self.variable(), self.any_int());
        let (least, most) = match (of.signed, of.bits) {
            (true, 8) => ("-128.5", "127.5"),
            (false, 8) => ("-0.5", "255.5"),
            (true, 16) => ("-32768.5", "32767.5"),
            (false, 16) => ("-0.5", "65535.5"),
            (true, 32) => ("-2e9", "2e9"),
            (false, 32) => ("-0.5", "4e9"),
            (true, _) => ("-9e18", "9e18"),
            (false, _) => ("-0.5", "1.8e19"),
        };
        let text = format!(
            "if (BR(({name} > {least}) & ({name} < {most}))) {{\n{to} = ({}){name};\n}}",
            of.name
        );
        SourceTree::statement(text, vec![])
    }

    /// A float by its bits: the exponent or the upper mantissa comes from input.
    fn of_bits(&mut self, name: &str, of: Float) -> SourceTree {
        let whole = of.same_size;
        let at = whole.bits - 8 - self.below(10);
        let value = self.any_value();
        let low = self.below(3);
        let text = format!(
            "{{\n{bits} t = ({bits})(u8)$0 << {at} | {low};\nmemcpy(&{name}, &t, sizeof t);\n}}",
            bits = whole.name
        );
        SourceTree::statement(text, vec![value])
    }

    fn as_bits(&mut self, name: &str, of: Float) -> SourceTree {
        let (to, bits) = (self.variable(), of.same_size);
        let far = self.below(bits.bits);
        let text = format!(
            "if (BR({name} == {name})) {{\n{bits} t;\nmemcpy(&t, &{name}, sizeof t);\n\
             {to} = t >> {far};\n}}",
            bits = bits.name
        );
        SourceTree::statement(text, vec![])
    }
}
