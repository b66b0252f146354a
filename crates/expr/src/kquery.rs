//! KQuery text of terms, the language of KLEE's queries.
//!
//! An array stands for each input. A term that occurs more than once has a label at its first
//! occurrence, so the text is linear in the size of the terms. Memory reads are expanded first.

use std::collections::BTreeSet;
use std::fmt::Write;

use byway_base::ExprId;
use rustc_hash::FxHashMap;

use crate::expand::{Expander, TooManyLeaves};
use crate::interval::Intervals;
use crate::node::Node;
use crate::op::Op;
use crate::pool::{InputId, Pool};

/// Why terms have no KQuery text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum KQueryError {
    /// A read of memory has too many possible bytes.
    TooLarge,
    /// The language has no operators on floats.
    HasFloats,
}

impl std::fmt::Display for KQueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            KQueryError::TooLarge => "a read of memory has too many possible bytes",
            KQueryError::HasFloats => "KQuery has no floats",
        })
    }
}

impl From<TooManyLeaves> for KQueryError {
    fn from(_: TooManyLeaves) -> KQueryError {
        KQueryError::TooLarge
    }
}

/// A query for an input that satisfies all assertions, which have one bit each.
pub fn query(pool: &mut Pool, assertions: &[ExprId]) -> Result<String, KQueryError> {
    let mut intervals = Intervals::new(pool);
    assertions.iter().for_each(|&e| intervals.assume(pool, e));
    let mut expander = Expander::new(pool);
    let expanded: Vec<ExprId> = assertions
        .iter()
        .map(|&e| expander.term(pool, &mut intervals, e))
        .collect::<Result<_, _>>()?;
    let uses = TermUses::count(pool, &expanded);
    if uses.has_floats {
        return Err(KQueryError::HasFloats);
    }
    let mut text = String::new();
    for &object in &uses.inputs {
        let size = pool.input_object(object).size;
        let _ = writeln!(text, "array {}[{size}] : w32 -> w8 = symbolic", array(pool, object));
    }
    let mut writer = QueryWriter { pool, uses, labels: FxHashMap::default(), text };
    writer.text += "(query [";
    for (index, &e) in expanded.iter().enumerate() {
        writer.text += if index == 0 { "" } else { "\n        " };
        writer.term(e);
    }
    Ok(writer.text + "]\n       false)\n")
}

/// How often terms occur, and what they are made of.
#[derive(Default)]
struct TermUses {
    counts: FxHashMap<ExprId, u32>,
    inputs: BTreeSet<InputId>,
    has_floats: bool,
}

impl TermUses {
    fn count(pool: &Pool, terms: &[ExprId]) -> TermUses {
        let mut uses = TermUses::default();
        let mut stack = terms.to_vec();
        while let Some(e) = stack.pop() {
            let count = uses.counts.entry(e).or_default();
            *count += 1;
            if *count > 1 {
                continue;
            }
            let node = pool.node(e);
            uses.has_floats |= node.op.is_float();
            uses.inputs.extend(pool.as_input(e).map(|byte| byte.object));
            stack.extend(node.operands());
        }
        uses
    }
}

/// A part of the text that is still to be written.
enum QueryPart {
    Term(ExprId),
    Text(String),
}

struct QueryWriter<'p> {
    pool: &'p Pool,
    uses: TermUses,
    labels: FxHashMap<ExprId, usize>,
    text: String,
}

impl QueryWriter<'_> {
    fn term(&mut self, e: ExprId) {
        let mut parts = vec![QueryPart::Term(e)];
        while let Some(part) = parts.pop() {
            match part {
                QueryPart::Text(text) => self.text += &text,
                QueryPart::Term(e) => self.open(e, &mut parts),
            }
        }
    }

    /// Writes the beginning of a term, and queues the rest.
    fn open(&mut self, e: ExprId, parts: &mut Vec<QueryPart>) {
        if let Some(label) = self.labels.get(&e) {
            let _ = write!(self.text, "N{label}");
            return;
        }
        let node = self.pool.node(e);
        if let Some(value) = self.pool.value_wide(e) {
            self.text += &match node.width() {
                1 => (value.bits() != 0).to_string(),
                width => format!("(w{width} {})", value.bits()),
            };
            return;
        }
        if self.uses.counts.get(&e).is_some_and(|&count| count > 1) {
            let label = self.labels.len();
            self.labels.insert(e, label);
            let _ = write!(self.text, "N{label}:");
        }
        if let Some(byte) = self.pool.as_input(e) {
            let _ = write!(self.text, "(Read w8 {} {})", byte.byte, array(self.pool, byte.object));
            return;
        }
        self.text += &self.head(&node);
        parts.push(QueryPart::Text(")".into()));
        for operand in node.operands().collect::<Vec<_>>().into_iter().rev() {
            parts.push(QueryPart::Term(operand));
            parts.push(QueryPart::Text(" ".into()));
        }
    }

    /// The operator, with its width and its numbers.
    fn head(&self, node: &Node) -> String {
        let width = node.width();
        let name = match node.op {
            Op::Eq => return "(Eq".into(),
            Op::Ult => return "(Ult".into(),
            Op::Ule => return "(Ule".into(),
            Op::Slt => return "(Slt".into(),
            Op::Sle => return "(Sle".into(),
            Op::Extract => return format!("(Extract w{width} {}", node.low()),
            Op::Neg => return format!("(Sub w{width} (w{width} 0)"),
            Op::Not => "Not",
            Op::Add => "Add",
            Op::Sub => "Sub",
            Op::Mul => "Mul",
            Op::UDiv => "UDiv",
            Op::SDiv => "SDiv",
            Op::URem => "URem",
            Op::SRem => "SRem",
            Op::Shl => "Shl",
            Op::LShr => "LShr",
            Op::AShr => "AShr",
            Op::And => "And",
            Op::Or => "Or",
            Op::Xor => "Xor",
            Op::Concat => "Concat",
            Op::Zext => "ZExt",
            Op::Sext => "SExt",
            Op::Ite => "Select",
            // Written before, expanded, or refused.
            _ => "Unknown",
        };
        format!("({name} w{width}")
    }
}

/// The name of an input's array: letters, digits and underscores, and its number, which makes it
/// unique.
fn array(pool: &Pool, object: InputId) -> String {
    let name = &pool.input_object(object).name;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    match object.index() {
        0 if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) => name,
        number => format!("arr_{name}_{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_terms_have_labels() {
        let mut pool = Pool::new();
        let object = pool.input("x", 2);
        let [low, high] = [0, 1].map(|at| pool.input_byte(object, at));
        let word = pool.concat(high, low);
        let five = pool.constant(16, 5);
        let sum = pool.add(word, five);
        let square = pool.mul(sum, sum);
        let less = pool.ult(square, word);
        let text = query(&mut pool, &[less]).expect("no floats");
        let expected = "array x[2] : w32 -> w8 = symbolic\n(query [(Ult (Mul w16";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("N0:(Add w16") && text.contains(" N0)"), "{text}");
        assert!(text.contains("N1:(Concat w16 (Read w8 1 x) (Read w8 0 x))"), "{text}");
        assert!(text.ends_with("]\n       false)\n"), "{text}");
    }

    #[test]
    fn floats_are_refused() {
        let mut pool = Pool::new();
        let object = pool.input("f", 8);
        let bytes: Vec<ExprId> = (0..8).map(|at| pool.input_byte(object, at)).collect();
        let float = bytes.into_iter().reduce(|low, high| pool.concat(high, low));
        let float = float.expect("eight bytes");
        let sum = pool.fadd(byway_base::float::Format::F64, float, float);
        let sum = sum.expect("a format of terms");
        let is_zero = pool.constant(64, 0);
        let is_zero = pool.eq(sum, is_zero);
        assert_eq!(query(&mut pool, &[is_zero]), Err(KQueryError::HasFloats));
    }
}
