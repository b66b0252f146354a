//! The simplifier: named rules, tried in order when a term is built.
//!
//! A rule looks at a node whose operands are simplified already and either says
//! nothing or gives an equal term, built with the constructors and so simplified
//! in turn. There is one table of rules per operator. Every rule carries an example
//! it applies to and one, as close as can be, that it does not; tests prove the
//! rules on them, by trying all values at small widths, at random at large ones, and by
//! the solver.
//!
//! Normal forms the rules agree on:
//!
//! - Numbers are left operands, and move outward through sums and differences.
//! - Shifts by numbers, masks of low bits and reassembled words are concatenations
//!   and extractions: mere wiring, which disappears when bytes meet comparisons.
//! - Comparisons with a number are strict; a comparison with zero by sign is a bit.
//! - Negations sit on top of `and`, `or`, and equalities; never on an order.

/// A table of rules. Each has its name, `(wide)` if it may be tried above 128 bits,
/// the function that applies it, and two examples, functions of a [`ExampleBuilder`]: one that
/// it applies to, for some numbers at least, and one, as close as can be, that it
/// leaves alone. Where a rule asks something of a number, the first example takes any:
/// a rule that asks too little is then found out.
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
mod ite;
mod product;
mod read;
mod shift;
mod whole;
mod wiring;

pub use example::{ExampleBuilder, ExampleShape};

use byway_base::ExprId;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// A rewrite rule.
pub struct RewriteRule {
    /// Its name, unique among all rules.
    pub name: &'static str,
    /// Whether it holds, and is safe to try, above 128 bits.
    any_width: bool,
    apply: fn(&mut Pool, Node) -> Option<ExprId>,
    applies: fn(&ExampleBuilder) -> ExprId,
    misses: fn(&ExampleBuilder) -> ExprId,
}

impl RewriteRule {
    /// Whether it may be tried above 128 bits.
    pub fn any_width(&self) -> bool {
        self.any_width
    }

    /// The rule's example in a raw pool, and what the rule alone makes of it; `None`
    /// where it has nothing to say for this shape.
    pub fn example(&self, pool: &mut Pool, shape: ExampleShape) -> Option<(ExprId, ExprId)> {
        let left = (self.applies)(&ExampleBuilder::new(pool, shape));
        let node = pool.node(left);
        Some((left, (self.apply)(pool, node)?))
    }

    /// The example the rule must leave alone, and what it makes of it.
    pub fn near_miss(&self, pool: &mut Pool, shape: ExampleShape) -> (ExprId, Option<ExprId>) {
        let left = (self.misses)(&ExampleBuilder::new(pool, shape));
        let node = pool.node(left);
        (left, (self.apply)(pool, node))
    }
}

/// The rules for an operator, in the order they are tried.
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

/// All rules, with the operator each is for, for tests that prove them.
pub fn rules() -> impl Iterator<Item = (Op, &'static RewriteRule)> {
    Op::all().flat_map(|op| table(op).iter().map(move |rule| (op, rule)))
}

/// How often each rule was applied.
pub(crate) struct RuleCounters {
    /// By operator, then as in its table.
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
    /// How often each rule was applied, by name; those that never were are left out.
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

/// What the rules make of a node: `None` if none applies.
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

/// How rules look at terms.
impl Pool {
    /// The operands of a term, if its operator is this one.
    fn two(&self, e: ExprId, op: Op) -> Option<(ExprId, ExprId)> {
        let node = self.node(e);
        (node.op == op).then(|| (node.a(), node.b()))
    }

    /// The only operand of a term, if its operator is this one.
    fn one(&self, e: ExprId, op: Op) -> Option<ExprId> {
        let node = self.node(e);
        (node.op == op).then(|| node.a())
    }

    /// The number and the other operand of a term with this operator, whose left
    /// operand is a number.
    fn number_and(&self, e: ExprId, op: Op) -> Option<(u128, ExprId)> {
        let (a, b) = self.two(e, op)?;
        Some((self.value(a)?, b))
    }

    /// A term cut in two: the bits from `at` on, and those below.
    fn split_at(&mut self, e: ExprId, at: u32) -> (ExprId, ExprId) {
        let width = self.width(e);
        (self.extract(e, at, width - at), self.extract(e, 0, at))
    }

    /// Whether a term is the number zero, of any width.
    fn is_zero(&self, e: ExprId) -> bool {
        match self.value(e) {
            Some(value) => value == 0,
            None => self.value_wide(e).is_some_and(|value| value.bits() == 0),
        }
    }

    /// Whether a term, taken as signed, is surely zero or more.
    fn is_non_negative(&self, e: ExprId) -> bool {
        let width = self.width(e);
        self.op(e) == Op::Zext
            || self.known(e).is_non_negative(width)
            || self.value(e).is_some_and(|value| value >> (width - 1) == 0)
    }

    /// Condition and numbers of a choice between two numbers.
    fn ite_of_numbers(&self, e: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        let node = self.node(e);
        let fits = node.op == Op::Ite && self.is_constant(node.b()) && self.is_constant(node.c());
        fits.then(|| (node.a(), node.b(), node.c()))
    }
}

/// A pattern tried with the operands both ways round.
fn either<R>(n: Node, mut f: impl FnMut(ExprId, ExprId) -> Option<R>) -> Option<R> {
    f(n.a(), n.b()).or_else(|| f(n.b(), n.a()))
}

/// match:  c op ite(p, d, e), or the operands the other way round; all numbers
/// result: ite(p, c op d, c op e)
fn with_ite_of_numbers(p: &mut Pool, n: Node) -> Option<ExprId> {
    if p.is_constant(n.a()) {
        let (cond, d, e) = p.ite_of_numbers(n.b())?;
        let (d, e) = (p.rebuild(n, &[n.a(), d]), p.rebuild(n, &[n.a(), e]));
        Some(p.ite(cond, d, e))
    } else if p.is_constant(n.b()) {
        let (cond, d, e) = p.ite_of_numbers(n.a())?;
        let (d, e) = (p.rebuild(n, &[d, n.b()]), p.rebuild(n, &[e, n.b()]));
        Some(p.ite(cond, d, e))
    } else {
        None
    }
}

/// match:  op ite(p, c, d), both numbers
/// result: ite(p, op c, op d)
fn of_ite_of_numbers(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (cond, c, d) = p.ite_of_numbers(n.a())?;
    let (c, d) = (p.rebuild(n, &[c]), p.rebuild(n, &[d]));
    Some(p.ite(cond, c, d))
}
