//! Terms as circuits.
//!
//! Each term becomes a word of literals once per instance, operands first. A memory read
//! becomes a selection over the bytes that its index can reach by structure alone, as in the
//! SMT backend, so that a circuit is valid on every path.

use byway_base::ExprId;
use byway_expr::{Collected, ExprMap, InputByte, Intervals, Node, Op, Pool, Sweep};
use rustc_hash::FxHashMap;

use super::circuit::{self, LitWord, Shift};
use super::gates::Gates;
use super::sat::Lit;

/// A term that is left to the SMT backend: it contains floats, is too wide, reads too much
/// memory, or would become too large.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedTerm(pub ExprId);

/// The widest supported term.
const MAX_BITS: u32 = 1024;

/// The highest number of gates that one term may add. Beyond it, an SMT solver's rewriting is
/// the better start, and a partial circuit costs too much memory.
const MAX_GATES: usize = 400_000;

/// The highest number of cells of a multiplier or divider: 64 by 64 bits.
const MAX_CELLS: usize = 1 << 12;

/// The circuits of an instance, by term.
pub struct Circuits {
    /// Where each term's literals start in `bits`.
    starts: ExprMap<u32>,
    bits: Vec<Lit>,
    inputs: FxHashMap<InputByte, [Lit; 8]>,
    /// No circuit is built beyond this number of variables.
    pub max_vars: usize,
}

impl Circuits {
    /// Has no circuits.
    pub fn new(pool: &Pool) -> Circuits {
        Circuits {
            starts: ExprMap::for_pool(pool),
            bits: Vec::new(),
            inputs: FxHashMap::default(),
            max_vars: usize::MAX,
        }
    }

    /// The literals of an input byte, if a circuit contains it.
    pub fn input(&self, at: InputByte) -> Option<&[Lit; 8]> {
        self.inputs.get(&at)
    }

    /// The literal of a term of one bit. If the term is unsupported, the circuits of its
    /// subterms stay and can be reused.
    pub fn literal(
        &mut self,
        gates: &mut Gates,
        pool: &mut Pool,
        intervals: &mut Intervals,
        root: ExprId,
    ) -> Result<Lit, UnsupportedTerm> {
        debug_assert_eq!(pool.width(root), 1);
        let max_vars = self.max_vars.min(gates.sat.vars() + MAX_GATES);
        let mut stack = vec![root];
        while let Some(&e) = stack.last() {
            if self.starts.contains(pool, e) {
                stack.pop();
                continue;
            }
            let node = pool.node(e);
            let large = node.width() > MAX_BITS || gates.sat.vars() > max_vars;
            if large || node.op().is_float() {
                return Err(UnsupportedTerm(root));
            }
            let word = if node.op() == Op::Read {
                let (_, index) = pool.as_read(e).ok_or(UnsupportedTerm(root))?;
                let reach = intervals.of(pool, index);
                let selection = pool.expand(e, reach).map_err(|_| UnsupportedTerm(root))?;
                if !self.starts.contains(pool, selection) {
                    stack.push(selection);
                    continue;
                }
                self.word(pool, selection).to_vec()
            } else {
                let before = stack.len();
                stack.extend(node.operands().filter(|&x| !self.starts.contains(pool, x)));
                if stack.len() > before {
                    continue;
                }
                self.circuit(gates, pool, e, &node).ok_or(UnsupportedTerm(root))?
            };
            self.starts.insert(pool, e, self.bits.len() as u32);
            self.bits.extend(word);
            stack.pop();
        }
        Ok(self.word(pool, root)[0])
    }

    fn word(&self, pool: &Pool, e: ExprId) -> &[Lit] {
        let start = *self.starts.get(pool, e).expect("operands become circuits first") as usize;
        &self.bits[start..start + pool.width(e) as usize]
    }

    fn circuit(
        &mut self,
        gates: &mut Gates,
        pool: &Pool,
        e: ExprId,
        node: &Node,
    ) -> Option<LitWord> {
        let width = node.width() as usize;
        if node.op() == Op::Input {
            let at = pool.as_input(e)?;
            let bits = self.inputs.entry(at).or_insert_with(|| [(); 8].map(|()| gates.free_var()));
            return Some(bits.to_vec());
        }
        let mut operands = node.operands().map(|x| self.word(pool, x));
        let (a, b, c) = (operands.next(), operands.next(), operands.next());
        let (a, b, c) = (a.unwrap_or(&[]), b.unwrap_or(&[]), c.unwrap_or(&[]));
        let word = match node.op() {
            Op::Const => constant(pool, e, width),
            Op::Not => circuit::not(a),
            Op::Neg => circuit::neg(gates, a),
            Op::Add => circuit::add_without_carry(gates, a, b, Lit::FALSE),
            Op::Sub => circuit::sub(gates, a, b),
            Op::Mul => {
                let rows = circuit::nonzero_bits(a).min(circuit::nonzero_bits(b));
                fits(rows, width)?;
                circuit::mul(gates, a, b)
            }
            Op::UDiv | Op::URem => {
                fits(circuit::nonzero_bits(a), circuit::nonzero_bits(b))?;
                let (quotient, remainder) = circuit::divide(gates, a, b);
                if node.op() == Op::UDiv { quotient } else { remainder }
            }
            Op::SDiv | Op::SRem => {
                fits(width, width)?;
                signed_division(gates, node.op(), a, b)
            }
            Op::Shl => circuit::shift(gates, Shift::Left, a, b),
            Op::LShr => circuit::shift(gates, Shift::Right(Lit::FALSE), a, b),
            Op::AShr => circuit::shift(gates, Shift::Right(a[width - 1]), a, b),
            Op::And => a.iter().zip(b).map(|(&x, &y)| gates.and(x, y)).collect(),
            Op::Or => a.iter().zip(b).map(|(&x, &y)| gates.or(x, y)).collect(),
            Op::Xor => a.iter().zip(b).map(|(&x, &y)| gates.xor(x, y)).collect(),
            Op::Eq => vec![circuit::equal(gates, a, b)],
            Op::Ult => vec![circuit::less(gates, a, b, false)],
            Op::Ule => vec![circuit::less(gates, a, b, true)],
            Op::Slt => vec![circuit::signed_less(gates, a, b, false)],
            Op::Sle => vec![circuit::signed_less(gates, a, b, true)],
            Op::Concat => [b, a].concat(),
            Op::Extract => a[node.low() as usize..][..width].to_vec(),
            Op::Zext => widened(a, width, Lit::FALSE),
            Op::Sext => widened(a, width, a[a.len() - 1]),
            Op::Ite => circuit::mux(gates, a[0], b, c),
            _ => return None,
        };
        Some(word)
    }
}

impl Sweep for Circuits {
    fn sweep(&mut self, collected: &Collected) {
        self.starts.sweep(collected);
    }
}

fn fits(rows: usize, columns: usize) -> Option<()> {
    (rows * columns <= MAX_CELLS).then_some(())
}

fn constant(pool: &Pool, e: ExprId, width: usize) -> LitWord {
    match pool.value(e) {
        Some(value) => (0..width).map(|at| Lit::constant(value >> at & 1 != 0)).collect(),
        None => {
            let value = pool.value_wide(e).expect("a constant has a value");
            (0..width).map(|at| Lit::constant(value.bit(at as u64))).collect()
        }
    }
}

fn widened(a: &[Lit], width: usize, fill: Lit) -> LitWord {
    let mut word = a.to_vec();
    word.resize(width, fill);
    word
}

/// Divides the absolute values and applies the signs to the result.
fn signed_division(gates: &mut Gates, op: Op, a: &[Lit], b: &[Lit]) -> LitWord {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (a, b) = (circuit::neg_if(gates, sign_a, a), circuit::neg_if(gates, sign_b, b));
    let (quotient, remainder) = circuit::divide(gates, &a, &b);
    if op == Op::SRem {
        return circuit::neg_if(gates, sign_a, &remainder);
    }
    let differ = gates.xor(sign_a, sign_b);
    circuit::neg_if(gates, differ, &quotient)
}
