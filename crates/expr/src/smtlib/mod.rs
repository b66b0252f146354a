//! SMT-LIB 2 text of terms, for logs and for other solvers.
//!
//! Every shared term is defined once, in the order operands need, so the text is
//! linear in the terms' size and no deeper than a line. Input bytes are constants of 8
//! bits. Terms of one bit are booleans, and become bit-vectors only where bits are
//! wanted. Reads of memory are expanded first.
//!
//! Floats have two faces, the pattern and the number (see [`TermSort`]). A result's pattern
//! is spelled out only where bits are wanted: as a constant tied to the number.

mod float;
mod text;

use std::fmt::Write;

use byway_base::ExprId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expand::{Expander, TooManyLeaves};
use crate::interval::Intervals;
use crate::node::Node;
use crate::op::Op;
use crate::pool::{InputId, Pool};
use crate::support::InputByte;
use crate::term_sort::TermSort;

/// A query: whether all assertions, of one bit each, can hold together.
pub fn query(pool: &mut Pool, assertions: &[ExprId]) -> Result<String, TooManyLeaves> {
    let mut intervals = Intervals::new(pool);
    assertions.iter().for_each(|&e| intervals.assume(pool, e));
    let mut expander = Expander::new(pool);
    let expanded: Vec<ExprId> = assertions
        .iter()
        .map(|&e| expander.term(pool, &mut intervals, e))
        .collect::<Result<_, _>>()?;
    let mut script = ScriptWriter::new(pool);
    for e in expanded {
        script.define(e, TermSort::BitVector);
        let name = script.boolean(e);
        let _ = writeln!(script.body, "(assert {name})");
    }
    Ok(script.finish())
}

/// What scripts call input bytes.
pub struct InputNames {
    /// InputNames of input objects, as they are written, that more than one object has.
    ambiguous: FxHashSet<String>,
}

impl InputNames {
    /// The names that a pool's inputs have for now.
    pub fn new(pool: &Pool) -> InputNames {
        let mut seen = FxHashSet::default();
        let mut ambiguous = FxHashSet::default();
        for (_, object) in pool.input_objects() {
            let shown = text::symbol(&object.name);
            if !seen.insert(shown.clone()) {
                ambiguous.insert(shown);
            }
        }
        InputNames { ambiguous }
    }

    /// The name of a byte.
    pub fn of(&self, pool: &Pool, InputByte { object, byte }: InputByte) -> String {
        let shown = text::symbol(&pool.input_object(object).name);
        match self.ambiguous.contains(&shown) {
            true => format!("|{shown}#{}[{byte}]|", object.index()),
            false => format!("|{shown}[{byte}]|"),
        }
    }
}

/// A script in the making.
struct ScriptWriter<'p> {
    pool: &'p mut Pool,
    declarations: String,
    body: String,
    names: FxHashMap<(ExprId, TermSort), String>,
    inputs: InputNames,
    has_floats: bool,
}

impl<'p> ScriptWriter<'p> {
    fn new(pool: &'p mut Pool) -> ScriptWriter<'p> {
        let inputs = InputNames::new(pool);
        ScriptWriter {
            pool,
            declarations: String::new(),
            body: String::new(),
            names: FxHashMap::default(),
            inputs,
            has_floats: false,
        }
    }

    fn finish(self) -> String {
        let logic = if self.has_floats { "QF_BVFP" } else { "QF_BV" };
        format!("(set-logic {logic})\n{}{}(check-sat)\n", self.declarations, self.body)
    }

    /// Defines a face of a term, and before it all that it needs.
    fn define(&mut self, e: ExprId, sort: TermSort) {
        let mut stack = vec![(e, sort)];
        let mut needs = Vec::new();
        while let Some(&(e, sort)) = stack.last() {
            if self.names.contains_key(&(e, sort)) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            self.pool.sort_operands(e, sort, &mut needs);
            stack.extend(needs.drain(..).filter(|need| !self.names.contains_key(need)));
            if stack.len() == waiting {
                let name = self.spell(e, sort);
                self.names.insert((e, sort), name);
                stack.pop();
            }
        }
    }

    /// Writes the definition of a face whose needs are met; its name.
    fn spell(&mut self, e: ExprId, sort: TermSort) -> String {
        let node = self.pool.node(e);
        match sort {
            TermSort::Float => self.spell_number(e, &node),
            TermSort::BitVector if node.op.gives_float() => self.spell_float_pattern(e, &node),
            TermSort::BitVector => self.spell_pattern(e, &node),
        }
    }

    /// Defines a name for some text.
    fn name(&mut self, prefix: char, sort: &str, text: &str) -> String {
        let name = format!("{prefix}{}", self.names.len());
        let _ = writeln!(self.body, "(define-fun {name} () {sort} {text})");
        name
    }

    fn spell_pattern(&mut self, e: ExprId, node: &Node) -> String {
        match node.op {
            Op::Const => match self.pool.value_wide(e) {
                Some(value) if node.width == 1 => (value.bits() != 0).to_string(),
                Some(value) => text::number(&value, node.width()),
                None => unreachable!("a constant has a value"),
            },
            Op::Input => {
                let at = InputByte { object: InputId(node.args[0]), byte: node.args[1] };
                let name = self.inputs.of(self.pool, at);
                let _ = writeln!(self.declarations, "(declare-const {name} (_ BitVec 8))");
                name
            }
            op => {
                let text = if op.is_float() {
                    self.float_predicate(node)
                } else if node.width == 1 {
                    self.boolean_text(node)
                } else {
                    self.bits_text(node)
                };
                if node.width == 1 {
                    self.name('b', "Bool", &text)
                } else {
                    self.name('t', &format!("(_ BitVec {})", node.width), &text)
                }
            }
        }
    }

    /// A term of one bit, as a boolean.
    fn boolean(&self, e: ExprId) -> String {
        self.names[&(e, TermSort::BitVector)].clone()
    }

    /// A term as a bit-vector.
    fn bits(&self, e: ExprId) -> String {
        let name = &self.names[&(e, TermSort::BitVector)];
        match self.pool.width(e) {
            1 => format!("(ite {name} #b1 #b0)"),
            _ => name.clone(),
        }
    }

    /// An operator that gives one bit, as a boolean.
    fn boolean_text(&self, node: &Node) -> String {
        let operands: Vec<ExprId> = node.operands().collect();
        let of_bits = operands.iter().all(|&e| self.pool.width(e) == 1);
        let joined = |spell: &dyn Fn(ExprId) -> String| {
            operands.iter().map(|&e| spell(e)).collect::<Vec<_>>().join(" ")
        };
        let as_bits = || joined(&|e| self.bits(e));
        let as_booleans = || joined(&|e| self.boolean(e));
        match node.op {
            Op::Not => format!("(not {})", as_booleans()),
            Op::And => format!("(and {})", as_booleans()),
            Op::Or => format!("(or {})", as_booleans()),
            Op::Xor => format!("(xor {})", as_booleans()),
            Op::Ite => format!("(ite {})", as_booleans()),
            Op::Eq if of_bits => format!("(= {})", as_booleans()),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                format!("({} {})", text::operator(node.op), as_bits())
            }
            _ => format!("(= {} #b1)", self.bits_text(node)),
        }
    }

    /// An operator as a bit-vector.
    fn bits_text(&self, node: &Node) -> String {
        let operands: Vec<ExprId> = node.operands().collect();
        let a = || self.bits(operands[0]);
        let grown = || node.width() - self.pool.width(operands[0]);
        match node.op {
            Op::Extract => {
                let high = node.low() + node.width() - 1;
                format!("((_ extract {high} {}) {})", node.low(), a())
            }
            Op::Zext => format!("((_ zero_extend {}) {})", grown(), a()),
            Op::Sext => format!("((_ sign_extend {}) {})", grown(), a()),
            Op::Ite => {
                let (yes, no) = (self.bits(operands[1]), self.bits(operands[2]));
                format!("(ite {} {yes} {no})", self.boolean(operands[0]))
            }
            op => {
                let operands: Vec<String> = operands.iter().map(|&e| self.bits(e)).collect();
                format!("({} {})", text::operator(op), operands.join(" "))
            }
        }
    }
}
