//! SMT-LIB 2 text of terms, for logs and for other solvers.
//!
//! Every shared term is defined once, after its operands, so the text is linear in the size of
//! the terms and its expressions are not nested. Input bytes are 8-bit constants. Terms of one
//! bit are Bools, and are converted to bit-vectors only where an operator needs one. Memory
//! reads are expanded first.
//!
//! A float can have two sorts (see [`TermSort`]). The bits of a computed float are declared
//! only where they are needed: as a constant with an assertion that relates it to the float.

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

/// A script that checks the conjunction of the assertions, which have one bit each.
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

/// The symbols of input bytes.
pub struct InputNames {
    /// Object names, as printed, that several objects share.
    ambiguous: FxHashSet<String>,
}

impl InputNames {
    /// The names of a pool's current inputs.
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

    /// The symbol of an input byte.
    pub fn of(&self, pool: &Pool, InputByte { object, byte }: InputByte) -> String {
        let shown = text::symbol(&pool.input_object(object).name);
        match self.ambiguous.contains(&shown) {
            true => format!("|{shown}#{}[{byte}]|", object.index()),
            false => format!("|{shown}[{byte}]|"),
        }
    }
}

/// Writes a script.
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

    /// Defines a term in a sort, after its operands.
    fn define(&mut self, e: ExprId, sort: TermSort) {
        let mut stack = vec![(e, sort)];
        let mut needs = Vec::new();
        while let Some(&(e, sort)) = stack.last() {
            if self.names.contains_key(&(e, sort)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.pool.sort_operands(e, sort, &mut needs);
            stack.extend(needs.drain(..).filter(|need| !self.names.contains_key(need)));
            if stack.len() == before {
                let name = self.define_one(e, sort);
                self.names.insert((e, sort), name);
                stack.pop();
            }
        }
    }

    /// Writes the definition of a term whose operands are defined, and returns its name.
    fn define_one(&mut self, e: ExprId, sort: TermSort) -> String {
        let node = self.pool.node(e);
        match sort {
            TermSort::Float => self.define_float(e, &node),
            TermSort::BitVector if node.op.has_float_result() => self.define_float_bits(e, &node),
            TermSort::BitVector => self.define_bit_vector(e, &node),
        }
    }

    /// Writes a definition with a fresh name.
    fn define_name(&mut self, prefix: char, sort: &str, text: &str) -> String {
        let name = format!("{prefix}{}", self.names.len());
        let _ = writeln!(self.body, "(define-fun {name} () {sort} {text})");
        name
    }

    fn define_bit_vector(&mut self, e: ExprId, node: &Node) -> String {
        match node.op {
            Op::Const => match self.pool.value_wide(e) {
                Some(value) if node.width == 1 => (value.bits() != 0).to_string(),
                Some(value) => text::literal(&value, node.width()),
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
                    self.define_name('b', "Bool", &text)
                } else {
                    self.define_name('t', &format!("(_ BitVec {})", node.width), &text)
                }
            }
        }
    }

    /// A term of one bit, as a Bool.
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

    /// An operator with a result of one bit, as a Bool.
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

    /// An operator with a bit-vector result.
    fn bits_text(&self, node: &Node) -> String {
        let operands: Vec<ExprId> = node.operands().collect();
        let a = || self.bits(operands[0]);
        let added_bits = || node.width() - self.pool.width(operands[0]);
        match node.op {
            Op::Extract => {
                let high = node.low() + node.width() - 1;
                format!("((_ extract {high} {}) {})", node.low(), a())
            }
            Op::Zext => format!("((_ zero_extend {}) {})", added_bits(), a()),
            Op::Sext => format!("((_ sign_extend {}) {})", added_bits(), a()),
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
