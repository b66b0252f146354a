//! Intervals: bounds on the unsigned value of a term, from its structure and from the
//! assumptions of a path condition.

use byway_base::{ExprId, int};

use crate::node::Node;
use crate::op::Op;
use crate::pool::{Collected, ExprMap, Pool, Sweep, WalkScope};

/// A range of unsigned values, both bounds included.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The lower bound.
    pub lo: u128,
    /// The upper bound.
    pub hi: u128,
}

impl Interval {
    /// All values of a width. Terms above 128 bits have no bounds; their interval is that of
    /// 128 bits.
    pub fn full(width: u32) -> Interval {
        Interval { lo: 0, hi: int::mask(width.min(128)) }
    }

    /// A single value.
    pub fn exactly(value: u128) -> Interval {
        Interval { lo: value, hi: value }
    }

    /// The value, if there is only one.
    pub fn constant(self) -> Option<u128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether a value is within the bounds.
    pub fn contains(self, value: u128) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// The intersection, if it is not empty.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// Intervals of terms under assumptions; without any, from structure alone.
#[derive(Clone, Debug)]
pub struct Intervals {
    assumed: ExprMap<Interval>,
    cache: ExprMap<Interval>,
    contradictory: bool,
}

impl Intervals {
    /// Has no assumptions.
    pub fn new(pool: &Pool) -> Intervals {
        Intervals {
            assumed: ExprMap::for_pool(pool),
            cache: ExprMap::for_pool(pool),
            contradictory: false,
        }
    }

    /// Whether the assumptions contradict each other, as far as intervals show.
    pub fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// The interval of a term.
    pub fn of(&mut self, pool: &Pool, e: ExprId) -> Interval {
        pool.walk(
            e,
            WalkScope::Operands,
            self,
            |this, e| this.cache.contains(pool, e),
            |this, e| {
                let interval = this.compute(pool, e);
                this.cache.insert(pool, e, interval);
            },
        );
        *self.cache.get(pool, e).expect("the walk ends with the term itself")
    }

    fn compute(&mut self, pool: &Pool, e: ExprId) -> Interval {
        let node = pool.node(e);
        if node.width > 128 {
            return Interval::full(128);
        }
        let mut interval = from_known_bits(pool, e);
        if let Some(by_operands) = self.by_operands(pool, &node) {
            interval = interval.meet(by_operands).unwrap_or(interval);
        }
        match self.assumed.get(pool, e).map(|&assumed| interval.meet(assumed)) {
            Some(Some(both)) => both,
            Some(None) => {
                self.contradictory = true;
                interval
            }
            None => interval,
        }
    }

    fn by_operands(&self, pool: &Pool, node: &Node) -> Option<Interval> {
        let of = |e| self.cache.get(pool, e).copied().unwrap_or(Interval::full(pool.width(e)));
        let width = node.width();
        let mask = int::mask(width);
        if node.operands().any(|e| pool.width(e) > 128) {
            return None;
        }
        let operands: Vec<Interval> = node.operands().map(of).collect();
        let (a, b) = match operands[..] {
            [a] => (a, a),
            [a, b] => (a, b),
            [_, b, c] if node.op == Op::Ite => return Some(b.join(c)),
            _ => return None,
        };
        match node.op {
            Op::Zext => Some(a),
            Op::Sext => {
                let from = pool.width(node.a());
                let same_sign = a.hi <= int::signed_max(from) || a.lo >= int::signed_min(from);
                same_sign.then(|| Interval {
                    lo: int::sext(a.lo, from, width),
                    hi: int::sext(a.hi, from, width),
                })
            }
            Op::Not => Some(Interval { lo: mask - a.hi, hi: mask - a.lo }),
            Op::Neg if a.lo > 0 => {
                Some(Interval { lo: int::sub(0, a.hi, width), hi: int::sub(0, a.lo, width) })
            }
            Op::Add => sum(a, b, mask),
            Op::Sub if a.lo >= b.hi => Some(Interval { lo: a.lo - b.hi, hi: a.hi - b.lo }),
            Op::Mul => {
                let hi = a.hi.checked_mul(b.hi).filter(|&hi| hi <= mask)?;
                Some(Interval { lo: a.lo * b.lo, hi })
            }
            Op::UDiv if b.lo > 0 => Some(Interval { lo: a.lo / b.hi, hi: a.hi / b.lo }),
            Op::URem if a.hi < b.lo => Some(a),
            Op::URem if b.lo > 0 => Some(Interval { lo: 0, hi: a.hi.min(b.hi - 1) }),
            Op::URem => Some(Interval { lo: 0, hi: a.hi }),
            Op::And => Some(Interval { lo: 0, hi: a.hi.min(b.hi) }),
            Op::Or => Some(Interval { lo: a.lo.max(b.lo), hi: mask }),
            Op::LShr => {
                let by = |amount: u128, value: u128| if amount < 128 { value >> amount } else { 0 };
                Some(Interval { lo: by(b.hi, a.lo), hi: by(b.lo, a.hi) })
            }
            Op::Concat => {
                let by = pool.width(node.b());
                Some(Interval { lo: a.lo << by | b.lo, hi: a.hi << by | b.hi })
            }
            Op::Extract => {
                // The bits above are constant throughout, or there are none.
                let (lo, hi) = (a.lo >> node.low(), a.hi >> node.low());
                let above = |value: u128| if width < 128 { value >> width } else { 0 };
                (above(lo) == above(hi))
                    .then(|| Interval { lo: int::cut(lo, width), hi: int::cut(hi, width) })
            }
            Op::Eq => decided((a.meet(b).is_none()).then_some(false)),
            Op::Ult => decided(less(a, b)),
            Op::Ule => decided(less(b, a).map(|less| !less)),
            Op::Slt | Op::Sle => {
                let from = pool.width(node.a());
                let (a, b) = (flip_sign(a, from)?, flip_sign(b, from)?);
                decided(match node.op {
                    Op::Slt => less(a, b),
                    _ => less(b, a).map(|less| !less),
                })
            }
            _ => None,
        }
    }

    /// Adds the bounds that a conjunct implies for the terms it compares. Ignores everything
    /// that intervals cannot express.
    pub fn assume(&mut self, pool: &Pool, conjunct: ExprId) {
        let (negated, node) = match pool.node(conjunct) {
            node if node.op == Op::Not => (true, pool.node(node.a())),
            node => (false, node),
        };
        match node.op {
            Op::Eq if !negated => {
                let (a, b) = (self.of(pool, node.a()), self.of(pool, node.b()));
                match a.meet(b) {
                    Some(both) => {
                        self.narrow(pool, node.a(), both);
                        self.narrow(pool, node.b(), both);
                    }
                    None => self.contradictory = true,
                }
            }
            Op::Eq => self.assume_distinct(pool, &node),
            Op::Ult | Op::Ule | Op::Slt | Op::Sle if !negated => {
                self.assume_order(pool, &node);
            }
            Op::Extract if node.low() + node.width() == pool.width(node.a()) => {
                // The sign bit.
                let width = pool.width(node.a());
                if width <= 128 && node.width == 1 {
                    let full = Interval::full(width);
                    let half = if negated {
                        Interval { hi: int::signed_max(width), ..full }
                    } else {
                        Interval { lo: int::signed_min(width), ..full }
                    };
                    self.narrow(pool, node.a(), half);
                }
            }
            _ => {}
        }
        let bit = Interval::exactly(u128::from(!negated));
        let compared = if negated { pool.node(conjunct).a() } else { conjunct };
        self.narrow(pool, compared, bit);
    }

    fn assume_distinct(&mut self, pool: &Pool, node: &Node) {
        let (a, b) = (self.of(pool, node.a()), self.of(pool, node.b()));
        for (e, mine, other) in [(node.a(), a, b), (node.b(), b, a)] {
            let Some(value) = other.constant() else { continue };
            if mine.constant() == Some(value) {
                self.contradictory = true;
            } else if mine.lo == value {
                self.narrow(pool, e, Interval { lo: value + 1, ..mine });
            } else if mine.hi == value {
                self.narrow(pool, e, Interval { hi: value - 1, ..mine });
            }
        }
    }

    fn assume_order(&mut self, pool: &Pool, node: &Node) {
        let width = pool.width(node.a());
        if width > 128 {
            return;
        }
        let signed = matches!(node.op, Op::Slt | Op::Sle);
        let gap = u128::from(matches!(node.op, Op::Ult | Op::Slt));
        let (a, b) = (self.of(pool, node.a()), self.of(pool, node.b()));
        // In the signed order, the minimum comes first. An interval of both signs is
        // approximated by all values.
        let flip = |i: Interval| match signed {
            true => flip_sign(i, width).unwrap_or(Interval::full(width)),
            false => i,
        };
        let (x, y) = (flip(a), flip(b));
        let (Some(top), Some(bottom)) = (y.hi.checked_sub(gap), x.lo.checked_add(gap)) else {
            self.contradictory = true;
            return;
        };
        let sides = [
            (node.a(), x.meet(Interval { lo: 0, hi: top })),
            (node.b(), y.meet(Interval { lo: bottom, hi: int::mask(width) })),
        ];
        for (e, side) in sides {
            let Some(side) = side else {
                self.contradictory = true;
                continue;
            };
            let back = if signed { flip_sign(side, width) } else { Some(side) };
            if let Some(back) = back {
                self.narrow(pool, e, back);
            }
        }
    }

    /// Narrows the interval of a term, and with it those of an extended term's operand and of
    /// a term that a constant is added to.
    fn narrow(&mut self, pool: &Pool, e: ExprId, to: Interval) {
        let (mut e, mut to) = (e, to);
        loop {
            if pool.is_constant(e) || pool.width(e) > 128 {
                break;
            }
            let before = match self.assumed.get(pool, e) {
                Some(&assumed) => assumed,
                None => Interval::full(pool.width(e)),
            };
            let Some(both) = before.meet(to) else {
                self.contradictory = true;
                break;
            };
            self.assumed.insert(pool, e, both);
            let node = pool.node(e);
            let width = pool.width(e);
            match node.op {
                Op::Zext => {
                    let Some(inner) = both.meet(Interval::full(pool.width(node.a()))) else {
                        self.contradictory = true;
                        break;
                    };
                    (e, to) = (node.a(), inner);
                }
                Op::Add => {
                    let Some(c) = pool.value(node.a()) else { break };
                    let (lo, hi) = (int::sub(both.lo, c, width), int::sub(both.hi, c, width));
                    if lo > hi {
                        break;
                    }
                    (e, to) = (node.b(), Interval { lo, hi });
                }
                _ => break,
            }
        }
        self.cache.clear(pool);
    }
}

impl Sweep for Intervals {
    fn sweep(&mut self, collected: &Collected) {
        self.assumed.sweep(collected);
        self.cache.sweep(collected);
    }
}

/// The interval that the known bits imply.
fn from_known_bits(pool: &Pool, e: ExprId) -> Interval {
    let width = pool.width(e);
    match pool.value(e) {
        Some(value) => Interval::exactly(value),
        None if width > 64 => Interval::full(width),
        None => {
            let known = pool.known(e);
            Interval { lo: u128::from(known.lowest()), hi: u128::from(known.highest(width)) }
        }
    }
}

/// A sum, if either no pair of values wraps or every pair does.
fn sum(a: Interval, b: Interval, mask: u128) -> Option<Interval> {
    let (lo, lo_carry) = a.lo.overflowing_add(b.lo);
    let (hi, hi_carry) = a.hi.overflowing_add(b.hi);
    let wraps = |sum: u128, carry: bool| carry || sum > mask;
    (wraps(lo, lo_carry) == wraps(hi, hi_carry))
        .then_some(Interval { lo: lo & mask, hi: hi & mask })
}

fn less(a: Interval, b: Interval) -> Option<bool> {
    if a.hi < b.lo {
        Some(true)
    } else if a.lo >= b.hi {
        Some(false)
    } else {
        None
    }
}

fn decided(value: Option<bool>) -> Option<Interval> {
    value.map(|value| Interval::exactly(u128::from(value)))
}

/// The interval with the sign bit flipped, which maps the signed order to the unsigned one;
/// `None` if it contains values of both signs.
fn flip_sign(i: Interval, width: u32) -> Option<Interval> {
    let sign = int::signed_min(width);
    ((i.lo ^ i.hi) & sign == 0).then_some(Interval { lo: i.lo ^ sign, hi: i.hi ^ sign })
}
