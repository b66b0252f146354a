//! The simplifier: named rewrite rules, tried in order when a term is built.
//!
//! A rule takes a node whose operands are already simplified. It either does not apply or
//! returns an equal term, built with the constructors and therefore simplified in turn. Each
//! operator has a table of rules. Every rule has an example to which it applies, and a near
//! miss to which it must not apply. Tests check the rules on these, exhaustively at small
//! widths and randomly at large ones, and prove them with the solver.
//!
//! Normal forms that the rules agree on:
//!
//! - Constants are left operands, and move outward through sums and differences.
//! - Shifts by constants, masks of low bits and reassembled words are concatenations and
//!   extractions: pure wiring, which disappears when bytes are compared.
//! - Comparisons with a constant are strict; a signed comparison with zero is a bit.
//! - Negations are outside of `and`, `or` and equalities, and never on an order.

/// Defines a table of rules. Each rule has a name, `(wide)` if it may be tried above 128 bits,
/// the function that applies it, and two functions of an [`ExampleBuilder`]: an example, to
/// which the rule applies for some constants at least, and a near miss. If a rule has a side
/// condition on a constant, the example leaves the constant arbitrary, so that a condition
/// that is too weak is detected.
macro_rules! rules {
    ($table:ident, $case:ident; $(
        $name:literal $(($wide:ident))? => $apply:path, yes: $yes:expr, no: $no:expr;
    )*) => {
        pub(super) const $table: &[$crate::simplify::RewriteRule] = &[$(
            $crate::simplify::RewriteRule {
                name: $name,
                any_width: rules!(@ $($wide)?),
                apply: $apply,
                applies: |$case| $yes,
                misses: |$case| $no,
            }
        ),*];
    };
    (@) => { false };
    (@ wide) => { true };
}

mod arith;
mod bitwise;
mod boolean;
mod compare;
mod divide;
mod equal;
mod example;
mod float;
mod fold;
mod integral;
mod ite;
mod product;
mod read;
mod shift;
mod wiring;

pub use example::{ExampleBuilder, ExampleShape};

use byway_base::ExprId;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// A rewrite rule.
pub struct RewriteRule {
    /// Unique among all rules.
    pub name: &'static str,
    /// The rule is sound, and safe to try, above 128 bits.
    any_width: bool,
    apply: fn(&mut Pool, Node) -> Option<ExprId>,
    applies: fn(&ExampleBuilder) -> ExprId,
    misses: fn(&ExampleBuilder) -> ExprId,
}

impl RewriteRule {
    /// Whether the rule may be tried above 128 bits.
    pub fn any_width(&self) -> bool {
        self.any_width
    }

    /// The rule's example in a raw pool, and the rule's result for it; `None` if the rule does
    /// not apply for this shape.
    pub fn example(&self, pool: &mut Pool, shape: ExampleShape) -> Option<(ExprId, ExprId)> {
        let left = (self.applies)(&ExampleBuilder::new(pool, shape));
        let node = pool.node(left);
        Some((left, (self.apply)(pool, node)?))
    }

    /// The rule's near miss in a raw pool, and the rule's result, which must be `None`.
    pub fn near_miss(&self, pool: &mut Pool, shape: ExampleShape) -> (ExprId, Option<ExprId>) {
        let left = (self.misses)(&ExampleBuilder::new(pool, shape));
        let node = pool.node(left);
        (left, (self.apply)(pool, node))
    }
}

/// The rules of an operator, in the order in which they are tried.
fn table(op: Op) -> &'static [RewriteRule] {
    match op {
        Op::Read => read::READ,
        Op::Not => bitwise::NOT,
        Op::Neg => arith::NEG,
        Op::Add => arith::ADD,
        Op::Sub => arith::SUB,
        Op::Mul => product::MUL,
        Op::UDiv => divide::UDIV,
        Op::SDiv => divide::SDIV,
        Op::URem => divide::UREM,
        Op::SRem => divide::SREM,
        Op::Shl => shift::SHL,
        Op::LShr => shift::LSHR,
        Op::AShr => shift::ASHR,
        Op::And => bitwise::AND,
        Op::Or => bitwise::OR,
        Op::Xor => bitwise::XOR,
        Op::Eq => equal::EQ,
        Op::Ult => compare::ULT,
        Op::Ule => compare::ULE,
        Op::Slt => compare::SLT,
        Op::Sle => compare::SLE,
        Op::Concat => wiring::CONCAT,
        Op::Extract => wiring::EXTRACT,
        Op::Zext => wiring::ZEXT,
        Op::Sext => wiring::SEXT,
        Op::Ite => ite::ITE,
        Op::FAdd => float::FADD,
        Op::FSub => float::FSUB,
        Op::FMul => float::FMUL,
        Op::FRound => float::FROUND,
        Op::FEq => float::FEQ,
        Op::FLt => float::FLT,
        Op::FLe => float::FLE,
        Op::FIsNan => float::FISNAN,
        Op::FToSi => float::FTOSI,
        Op::FFromSi => float::FFROMSI,
        Op::FFromUi => float::FFROMUI,
        Op::FConvert => float::FCONVERT,
        _ => &[],
    }
}

/// All rules with their operators, for the tests that check them.
pub fn rules() -> impl Iterator<Item = (Op, &'static RewriteRule)> {
    Op::all().flat_map(|op| table(op).iter().map(move |rule| (op, rule)))
}

/// The number of applications of each rule.
pub(crate) struct RuleCounters {
    /// By operator, then by position in its table.
    applied: Vec<Vec<u64>>,
    folded: u64,
    pub known_constant: u64,
}

impl Default for RuleCounters {
    fn default() -> RuleCounters {
        let mut applied = vec![Vec::new(); Op::COUNT];
        for op in Op::all() {
            applied[op as usize] = vec![0; table(op).len()];
        }
        RuleCounters { applied, folded: 0, known_constant: 0 }
    }
}

impl Pool {
    /// The number of applications by rule name, without rules that were never applied.
    pub fn rule_counts(&self) -> Vec<(&'static str, u64)> {
        let general =
            [("fold", self.counters.folded), ("known-bits", self.counters.known_constant)];
        let by_operator = Op::all().flat_map(|op| {
            let counts = &self.counters.applied[op as usize];
            table(op).iter().zip(counts).map(|(rule, &count)| (rule.name, count))
        });
        general.into_iter().chain(by_operator).filter(|&(_, count)| count != 0).collect()
    }
}

/// The result of the first rule that applies.
pub(crate) fn apply(pool: &mut Pool, node: Node) -> Option<ExprId> {
    if node.op.arity() > 0
        && let Some(folded) = fold::fold(pool, &node)
    {
        pool.counters.folded += 1;
        return Some(folded);
    }
    let wide = node.width > 128 || node.operands().any(|e| pool.width(e) > 128);
    for (i, rule) in table(node.op).iter().enumerate() {
        if wide && !rule.any_width {
            continue;
        }
        if let Some(result) = (rule.apply)(pool, node) {
            debug_assert_eq!(pool.width(result), node.width(), "rule {}", rule.name);
            pool.counters.applied[node.op as usize][i] += 1;
            return Some(result);
        }
    }
    None
}

/// Pattern matching for rules.
impl Pool {
    /// The operands of a term with this binary operator.
    fn two(&self, e: ExprId, op: Op) -> Option<(ExprId, ExprId)> {
        let node = self.node(e);
        (node.op == op).then(|| (node.a(), node.b()))
    }

    /// The operand of a term with this unary operator.
    fn one(&self, e: ExprId, op: Op) -> Option<ExprId> {
        let node = self.node(e);
        (node.op == op).then(|| node.a())
    }

    /// The constant and the other operand of a term with this operator and a constant left
    /// operand.
    fn constant_and(&self, e: ExprId, op: Op) -> Option<(u128, ExprId)> {
        let (a, b) = self.two(e, op)?;
        Some((self.value(a)?, b))
    }

    /// Splits a term into the bits from `at` upwards and those below.
    fn split_at(&mut self, e: ExprId, at: u32) -> (ExprId, ExprId) {
        let width = self.width(e);
        (self.extract(e, at, width - at), self.extract(e, 0, at))
    }

    /// Whether a term is the constant zero, of any width.
    fn is_zero(&self, e: ExprId) -> bool {
        match self.value(e) {
            Some(value) => value == 0,
            None => self.value_wide(e).is_some_and(|value| value.bits() == 0),
        }
    }

    /// Whether a term is known to be non-negative as a signed value.
    fn is_non_negative(&self, e: ExprId) -> bool {
        let width = self.width(e);
        self.op(e) == Op::Zext
            || self.known(e).is_non_negative(width)
            || self.value(e).is_some_and(|value| value >> (width - 1) == 0)
    }

    /// The condition and constants of an if-then-else between two constants.
    fn ite_of_constants(&self, e: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        let node = self.node(e);
        let fits = node.op == Op::Ite && self.is_constant(node.b()) && self.is_constant(node.c());
        fits.then(|| (node.a(), node.b(), node.c()))
    }
}

/// Tries a pattern with the operands in both orders.
fn either<R>(n: Node, mut f: impl FnMut(ExprId, ExprId) -> Option<R>) -> Option<R> {
    f(n.a(), n.b()).or_else(|| f(n.b(), n.a()))
}

/// match:  c op ite(p, d, e), or with the operands swapped; all constants
/// result: ite(p, c op d, c op e)
fn with_ite_of_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    if p.is_constant(n.a()) {
        let (cond, d, e) = p.ite_of_constants(n.b())?;
        let (d, e) = (p.rebuild(n, &[n.a(), d]), p.rebuild(n, &[n.a(), e]));
        Some(p.ite(cond, d, e))
    } else if p.is_constant(n.b()) {
        let (cond, d, e) = p.ite_of_constants(n.a())?;
        let (d, e) = (p.rebuild(n, &[d, n.b()]), p.rebuild(n, &[e, n.b()]));
        Some(p.ite(cond, d, e))
    } else {
        None
    }
}

/// match:  op ite(p, c, d), both constants
/// result: ite(p, op c, op d)
fn of_ite_of_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (cond, c, d) = p.ite_of_constants(n.a())?;
    let (c, d) = (p.rebuild(n, &[c]), p.rebuild(n, &[d]));
    Some(p.ite(cond, c, d))
}
