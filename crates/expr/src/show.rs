//! Prints a term on one line, for diagnostics.

use byway_base::ExprId;

use crate::op::Op;
use crate::pool::Pool;

/// The highest number of operators that are printed.
const MAX_SHOWN: usize = 64;

impl Pool {
    /// A term on one line, such as `(Add x[0] 5)`; a large one is abbreviated.
    pub fn show(&self, e: ExprId) -> String {
        let mut text = String::new();
        self.show_into(e, &mut text, &mut { MAX_SHOWN });
        text
    }

    fn show_into(&self, e: ExprId, text: &mut String, left: &mut usize) {
        if let Some(number) = self.value_wide(e) {
            text.push_str(&number.to_string());
            return;
        }
        if let Some(byte) = self.as_input(e) {
            let object = self.input_object(byte.object);
            text.push_str(&format!("{}[{}]", object.name, byte.byte));
            return;
        }
        if *left == 0 {
            text.push('…');
            return;
        }
        *left -= 1;
        let node = self.node(e);
        text.push_str(&format!("({:?}", node.op));
        match node.op {
            Op::Extract => text.push_str(&format!(":{}+{}", node.low(), node.width())),
            Op::Zext | Op::Sext => text.push_str(&format!(":{}", node.width())),
            _ => {}
        }
        for operand in node.operands() {
            text.push(' ');
            self.show_into(operand, text, left);
        }
        text.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_shown_on_one_line() {
        let mut pool = Pool::new();
        let object = pool.input("x", 2);
        let byte = pool.input_byte(object, 1);
        let five = pool.constant(8, 5);
        let sum = pool.add(byte, five);
        let shown = pool.show(sum);
        assert!(shown == "(Add x[1] 5)" || shown == "(Add 5 x[1])", "{shown}");
        let mut large = sum;
        for _ in 0..200 {
            let square = pool.mul(large, large);
            large = pool.xor(square, byte);
        }
        assert!(pool.show(large).len() < 2000);
    }
}
