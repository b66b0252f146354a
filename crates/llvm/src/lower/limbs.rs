//! Arithmetic on integers wider than a scalar, which
//! [`integer`](crate::shape::integer) decomposes into limbs.
//!
//! Sums, products and shifts operate on *words* of 64 bits, the last one extended with
//! zeros or the sign; the result is truncated to the width. All code is straight-line; a
//! product takes a number of instructions quadratic in the number of limbs. Division would
//! take far more and is not supported.
//!
//! Flags such as `nsw` are dropped. A shift amount that LLVM defines as poison is taken
//! modulo the smallest power of two that is at least the number of bits of the words.

use byway_base::int;
use byway_ir::{BinOp, CastOp, FunctionBuilder, Icmp, Operand, OverflowOp, Ty, UnOp};

use crate::intrinsics::const_bits;
use crate::shape::LIMB_BITS;

const WORD: Ty = Ty::Int(LIMB_BITS as u8);
const DOUBLE_BITS: u32 = 2 * LIMB_BITS;

/// The width in bits of an integer, given its limbs or its one scalar.
fn width(b: &FunctionBuilder, limbs: &[Operand]) -> u32 {
    limbs.iter().map(|&limb| b.ty(limb).bits()).sum()
}

fn word_count(bits: u32) -> usize {
    bits.div_ceil(LIMB_BITS) as usize
}

/// Extends a scalar to a width; folds constants.
pub fn extend(b: &mut FunctionBuilder, value: Operand, to: u32, signed: bool) -> Operand {
    let from = b.ty(value).bits();
    if from == to {
        return value;
    }
    let op = if signed { CastOp::Sext } else { CastOp::Zext };
    match const_bits(b, value) {
        Some(bits) if signed => b.bits(Ty::Int(to as u8), int::sext(bits, from, to)),
        Some(bits) => b.bits(Ty::Int(to as u8), bits),
        None => b.cast(op, value, Ty::Int(to as u8)),
    }
}

/// Truncates a scalar to a width; folds constants.
pub fn narrow(b: &mut FunctionBuilder, value: Operand, to: u32) -> Operand {
    if b.ty(value).bits() == to {
        return value;
    }
    match const_bits(b, value) {
        Some(bits) => b.bits(Ty::Int(to as u8), bits),
        None => b.cast(CastOp::Trunc, value, Ty::Int(to as u8)),
    }
}

/// `value op amount`, for a shift by a constant.
fn shift_scalar(b: &mut FunctionBuilder, op: BinOp, value: Operand, amount: u32) -> Operand {
    let amount = b.bits(b.ty(value), amount.into());
    b.bin(op, value, amount)
}

/// All ones if the last word is negative, else zero.
fn sign(b: &mut FunctionBuilder, words: &[Operand]) -> Operand {
    shift_scalar(b, BinOp::AShr, words[words.len() - 1], LIMB_BITS - 1)
}

/// The low `count` words of an integer, given its limbs or its one scalar; words above the
/// integer are zero or its sign.
fn words(b: &mut FunctionBuilder, limbs: &[Operand], count: usize, signed: bool) -> Vec<Operand> {
    let mut words = Vec::with_capacity(count);
    for &limb in limbs.iter().take(count) {
        if b.ty(limb).bits() <= LIMB_BITS {
            words.push(extend(b, limb, LIMB_BITS, signed));
        } else {
            let both = extend(b, limb, DOUBLE_BITS, signed);
            words.push(narrow(b, both, LIMB_BITS));
            let high = shift_scalar(b, BinOp::LShr, both, LIMB_BITS);
            words.push(narrow(b, high, LIMB_BITS));
        }
    }
    words.truncate(count);
    if words.len() < count {
        let fill = if signed { sign(b, &words) } else { b.bits(WORD, 0) };
        words.resize(count, fill);
    }
    words
}

/// The integer of this width with these words: limbs, or one scalar if it fits.
fn truncate(b: &mut FunctionBuilder, words: &[Operand], bits: u32) -> Vec<Operand> {
    if bits > LIMB_BITS && bits <= DOUBLE_BITS {
        let low = extend(b, words[0], DOUBLE_BITS, false);
        let high = extend(b, words[1], DOUBLE_BITS, false);
        let high = shift_scalar(b, BinOp::Shl, high, LIMB_BITS);
        let both = b.bin(BinOp::Or, high, low);
        return vec![narrow(b, both, bits)];
    }
    let mut limbs = words[..word_count(bits)].to_vec();
    if let Some(last) = limbs.last_mut() {
        *last = narrow(b, *last, (bits - 1) % LIMB_BITS + 1);
    }
    limbs
}

/// Truncates or extends to another width; either width may fit a scalar.
pub fn resize(b: &mut FunctionBuilder, limbs: &[Operand], to: u32, signed: bool) -> Vec<Operand> {
    let words = words(b, limbs, word_count(to), signed);
    truncate(b, &words, to)
}

/// `x op y`; `None` for an unsupported operation.
pub fn binary(
    b: &mut FunctionBuilder,
    op: BinOp,
    x: &[Operand],
    y: &[Operand],
) -> Option<Vec<Operand>> {
    match op {
        BinOp::And | BinOp::Or | BinOp::Xor => {
            Some(x.iter().zip(y).map(|(&x, &y)| b.bin(op, x, y)).collect())
        }
        BinOp::Add | BinOp::Sub | BinOp::Mul => {
            let (bits, count) = (width(b, x), x.len());
            let (x, y) = (words(b, x, count, false), words(b, y, count, false));
            let result = match op {
                BinOp::Mul => product(b, &x, &y),
                _ => sum(b, op == BinOp::Add, &x, &y),
            };
            Some(truncate(b, &result, bits))
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr => Some(shift(b, op, x, y[0])),
        BinOp::SMin => Some(pick(b, Icmp::Slt, x, y)),
        BinOp::SMax => Some(pick(b, Icmp::Sgt, x, y)),
        BinOp::UMin => Some(pick(b, Icmp::Ult, x, y)),
        BinOp::UMax => Some(pick(b, Icmp::Ugt, x, y)),
        BinOp::UAddSat => Some(saturate(b, OverflowOp::UAdd, x, y)),
        BinOp::USubSat => Some(saturate(b, OverflowOp::USub, x, y)),
        BinOp::SAddSat => Some(saturate(b, OverflowOp::SAdd, x, y)),
        BinOp::SSubSat => Some(saturate(b, OverflowOp::SSub, x, y)),
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => None,
        BinOp::SShlSat | BinOp::UShlSat => None,
    }
}

/// The sum or the difference of words.
fn sum(b: &mut FunctionBuilder, add: bool, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let (op, wrapped) =
        if add { (OverflowOp::UAdd, BinOp::Add) } else { (OverflowOp::USub, BinOp::Sub) };
    let mut carry: Option<Operand> = None;
    let count = x.len();
    let mut result = Vec::with_capacity(count);
    for (n, (&x, &y)) in x.iter().zip(y).enumerate() {
        let carried = carry.map(|c| extend(b, c, LIMB_BITS, false));
        // The last carry is not needed.
        if n + 1 == count {
            let last = b.bin(wrapped, x, y);
            result.push(carried.map_or(last, |c| b.bin(wrapped, last, c)));
            break;
        }
        let (mut word, mut out) = b.overflow(op, x, y);
        if let Some(carried) = carried {
            let (with_carry, again) = b.overflow(op, word, carried);
            word = with_carry;
            out = b.bin(BinOp::Or, out, again);
        }
        result.push(word);
        carry = Some(out);
    }
    result
}

/// The product of words by long multiplication, modulo their width.
fn product(b: &mut FunctionBuilder, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let count = x.len();
    let zero = b.bits(WORD, 0);
    let mut result = vec![zero; count];
    let doubled: Vec<Operand> = x.iter().map(|&x| extend(b, x, DOUBLE_BITS, false)).collect();
    for (row, &factor) in y.iter().enumerate().filter(|&(_, &y)| y != zero) {
        let factor_doubled = extend(b, factor, DOUBLE_BITS, false);
        let mut carry: Option<Operand> = None;
        for (column, result) in result[row..].iter_mut().enumerate() {
            if row + column + 1 == count {
                let word = b.bin(BinOp::Mul, x[column], factor);
                *result = b.bin(BinOp::Add, *result, word);
                if let Some(carry) = carry {
                    let carry = narrow(b, carry, LIMB_BITS);
                    *result = b.bin(BinOp::Add, *result, carry);
                }
                break;
            }
            // At most (2^64 - 1)^2 + 2 (2^64 - 1), which is 2^128 - 1.
            let mut total = b.bin(BinOp::Mul, doubled[column], factor_doubled);
            if *result != zero {
                let so_far = extend(b, *result, DOUBLE_BITS, false);
                total = b.bin(BinOp::Add, total, so_far);
            }
            if let Some(carry) = carry {
                total = b.bin(BinOp::Add, total, carry);
            }
            *result = narrow(b, total, LIMB_BITS);
            carry = Some(shift_scalar(b, BinOp::LShr, total, LIMB_BITS));
        }
    }
    result
}

/// A shift of words: its direction, and the word that fills vacated positions.
struct WordShift<'a> {
    words: &'a [Operand],
    left: bool,
    fill: Operand,
}

impl WordShift<'_> {
    /// The word at `index` after a shift by `distance` whole words.
    fn word(&self, index: usize, distance: usize) -> Operand {
        let from = if self.left { index.checked_sub(distance) } else { Some(index + distance) };
        from.and_then(|n| self.words.get(n)).copied().unwrap_or(self.fill)
    }

    /// A word shifted by less than a word, given its neighbour that supplies the vacated
    /// bits.
    fn funnel(
        &self,
        b: &mut FunctionBuilder,
        near: Operand,
        far: Operand,
        amount: Operand,
    ) -> Operand {
        match self.left {
            // Both words are the fill word, which a shift does not change.
            _ if near == self.fill && far == self.fill => self.fill,
            true => b.funnel(true, near, far, amount),
            false => b.funnel(false, far, near, amount),
        }
    }
}

/// A shift by an amount given by its lowest limb.
fn shift(b: &mut FunctionBuilder, op: BinOp, x: &[Operand], amount: Operand) -> Vec<Operand> {
    let (bits, count) = (width(b, x), x.len());
    let arithmetic = op == BinOp::AShr;
    let x = words(b, x, count, arithmetic);
    let fill = if arithmetic { sign(b, &x) } else { b.bits(WORD, 0) };
    let left = op == BinOp::Shl;
    let moved = WordShift { words: &x, left, fill };
    let stages = count.next_power_of_two().trailing_zeros();
    if let Some(amount) = const_bits(b, amount) {
        let amount = amount as u32 % (LIMB_BITS << stages);
        let distance = (amount / LIMB_BITS) as usize;
        let within = b.bits(WORD, u128::from(amount % LIMB_BITS));
        let result: Vec<Operand> = (0..count)
            .map(|n| match amount % LIMB_BITS {
                0 => moved.word(n, distance),
                _ => moved.funnel(b, moved.word(n, distance), moved.word(n, distance + 1), within),
            })
            .collect();
        return truncate(b, &result, bits);
    }
    // First by bits (a funnel shift takes its amount modulo the word), then by one, two,
    // four words, for each bit that is set in the amount.
    let mut result: Vec<Operand> =
        (0..count).map(|n| moved.funnel(b, moved.word(n, 0), moved.word(n, 1), amount)).collect();
    for stage in 0..stages {
        let bit = shift_scalar(b, BinOp::LShr, amount, LIMB_BITS.trailing_zeros() + stage);
        let bit = narrow(b, bit, 1);
        let moved = WordShift { words: &result, left, fill };
        let select = |n| b.select(bit, moved.word(n, 1 << stage), result[n]);
        result = (0..count).map(select).collect();
    }
    truncate(b, &result, bits)
}

/// `x pred y`, limb by limb from the lowest: the lower limbs decide where the higher limbs
/// are equal.
pub fn compare(b: &mut FunctionBuilder, pred: Icmp, x: &[Operand], y: &[Operand]) -> Operand {
    if let Icmp::Eq | Icmp::Ne = pred {
        let join = if pred == Icmp::Eq { BinOp::And } else { BinOp::Or };
        let limbs: Vec<Operand> = x.iter().zip(y).map(|(&x, &y)| b.icmp(pred, x, y)).collect();
        return limbs[1..].iter().fold(limbs[0], |all, &limb| b.bin(join, all, limb));
    }
    let (lowest, between) = unsigned(pred);
    let highest = strict(pred);
    let last = x.len() - 1;
    let mut result = b.icmp(lowest, x[0], y[0]);
    for n in 1..=last {
        let equal = b.icmp(Icmp::Eq, x[n], y[n]);
        let here = b.icmp(if n == last { highest } else { between }, x[n], y[n]);
        result = b.select(equal, result, here);
    }
    result
}

/// The unsigned form of a predicate, and its strict form.
fn unsigned(pred: Icmp) -> (Icmp, Icmp) {
    match pred {
        Icmp::Slt | Icmp::Ult => (Icmp::Ult, Icmp::Ult),
        Icmp::Sle | Icmp::Ule => (Icmp::Ule, Icmp::Ult),
        Icmp::Sgt | Icmp::Ugt => (Icmp::Ugt, Icmp::Ugt),
        Icmp::Sge | Icmp::Uge => (Icmp::Uge, Icmp::Ugt),
        Icmp::Eq | Icmp::Ne => (pred, pred),
    }
}

fn strict(pred: Icmp) -> Icmp {
    match pred {
        Icmp::Sle => Icmp::Slt,
        Icmp::Sge => Icmp::Sgt,
        Icmp::Ule => Icmp::Ult,
        Icmp::Uge => Icmp::Ugt,
        other => other,
    }
}

/// `cond ? x : y`.
fn select(b: &mut FunctionBuilder, cond: Operand, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    x.iter().zip(y).map(|(&x, &y)| b.select(cond, x, y)).collect()
}

/// `x` if `x pred y`, else `y`.
fn pick(b: &mut FunctionBuilder, pred: Icmp, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let first = compare(b, pred, x, y);
    select(b, first, x, y)
}

/// `x op y` wrapped, and whether it differs from the exact result, which is computed with
/// more bits.
pub fn overflow(
    b: &mut FunctionBuilder,
    op: OverflowOp,
    x: &[Operand],
    y: &[Operand],
) -> (Vec<Operand>, Operand) {
    let bits = width(b, x);
    let (signed, exact_bits) = match op {
        OverflowOp::SAdd | OverflowOp::SSub => (true, bits + 1),
        OverflowOp::UAdd | OverflowOp::USub => (false, bits + 1),
        OverflowOp::SMul => (true, 2 * bits),
        OverflowOp::UMul => (false, 2 * bits),
    };
    let count = word_count(exact_bits);
    let (x, y) = (words(b, x, count, signed), words(b, y, count, signed));
    let exact = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => sum(b, true, &x, &y),
        OverflowOp::SSub | OverflowOp::USub => sum(b, false, &x, &y),
        OverflowOp::SMul | OverflowOp::UMul => product(b, &x, &y),
    };
    let wrapped = truncate(b, &exact, bits);
    let back = words(b, &wrapped, count, signed);
    let differs = compare(b, Icmp::Ne, &back, &exact);
    (wrapped, differs)
}

/// `x op y`, clamped to the range of the type.
fn saturate(b: &mut FunctionBuilder, op: OverflowOp, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let (wrapped, overflows) = overflow(b, op, x, y);
    let bits = width(b, x);
    let limit: Vec<Operand> = match op {
        OverflowOp::USub => x.iter().map(|&limb| b.bits(b.ty(limb), 0)).collect(),
        OverflowOp::UAdd => x.iter().map(|&limb| b.bits(b.ty(limb), u128::MAX)).collect(),
        // The greatest number; with all bits flipped, the least.
        _ => {
            let x = words(b, x, x.len(), true);
            let flip = sign(b, &x);
            let mut limit = vec![flip; x.len()];
            let ones = b.bits(WORD, u128::MAX);
            let last = b.bits(WORD, (1 << ((bits - 1) % LIMB_BITS)) - 1);
            for (n, word) in limit.iter_mut().enumerate() {
                *word = b.bin(BinOp::Xor, *word, if n + 1 == x.len() { last } else { ones });
            }
            truncate(b, &limit, bits)
        }
    };
    select(b, overflows, &limit, &wrapped)
}

/// `op x`.
pub fn unary(b: &mut FunctionBuilder, op: UnOp, x: &[Operand]) -> Vec<Operand> {
    let (bits, count) = (width(b, x), x.len());
    let padding = count as u32 * LIMB_BITS - bits;
    let number = |b: &mut FunctionBuilder, n: u32| b.bits(WORD, n.into());
    let zero = number(b, 0);
    let mut x_words = words(b, x, count, op == UnOp::Abs);
    let counted = match op {
        UnOp::Abs => {
            let zeros = vec![zero; count];
            let negated = sum(b, false, &zeros, &x_words);
            let negative = compare(b, Icmp::Slt, &x_words, &zeros);
            let result = select(b, negative, &negated, &x_words);
            return truncate(b, &result, bits);
        }
        // Reversing all words moves the padding to the low end.
        UnOp::Bswap | UnOp::BitReverse => {
            let reversed: Vec<Operand> = x_words.iter().rev().map(|&word| b.un(op, word)).collect();
            let amount = number(b, padding);
            let result = shift(b, BinOp::LShr, &reversed, amount);
            return truncate(b, &result, bits);
        }
        UnOp::Ctpop => {
            let counts: Vec<Operand> = x_words.iter().map(|&word| b.un(op, word)).collect();
            counts[1..].iter().fold(counts[0], |all, &n| b.bin(BinOp::Add, all, n))
        }
        UnOp::Ctlz => {
            let all = count_zeros(b, op, x_words.into_iter());
            let padding = number(b, padding);
            b.bin(BinOp::Sub, all, padding)
        }
        UnOp::Cttz => {
            // A one above the number bounds the count for zero.
            if padding > 0 {
                let end = b.bits(WORD, 1 << (LIMB_BITS - padding));
                x_words[count - 1] = b.bin(BinOp::Or, x_words[count - 1], end);
            }
            count_zeros(b, op, x_words.into_iter().rev())
        }
    };
    let mut result = vec![zero; count];
    result[0] = counted;
    truncate(b, &result, bits)
}

/// Counts the zeros at one end of the words, which are listed from the other end.
fn count_zeros(b: &mut FunctionBuilder, op: UnOp, words: impl Iterator<Item = Operand>) -> Operand {
    let zero = b.bits(WORD, 0);
    let whole = b.bits(WORD, LIMB_BITS.into());
    let mut zeros: Option<Operand> = None;
    for word in words {
        let here = b.un(op, word);
        zeros = Some(match zeros {
            None => here,
            Some(further) => {
                let is_zero = b.icmp(Icmp::Eq, word, zero);
                let more = b.bin(BinOp::Add, further, whole);
                b.select(is_zero, more, here)
            }
        });
    }
    zeros.unwrap_or(zero)
}

/// A funnel shift by a constant; `None` if the amount is not a constant, or does not fit
/// the first limb.
pub fn funnel(
    b: &mut FunctionBuilder,
    left: bool,
    x: &[Operand],
    y: &[Operand],
    amount: &[Operand],
) -> Option<Vec<Operand>> {
    let bits = width(b, x);
    let (low, high) = amount.split_first()?;
    if !high.iter().all(|&limb| const_bits(b, limb) == Some(0)) {
        return None;
    }
    let amount = (const_bits(b, *low)? % u128::from(bits)) as u32;
    if amount == 0 {
        return Some(if left { x } else { y }.to_vec());
    }
    let up = b.bits(WORD, u128::from(if left { amount } else { bits - amount }));
    let down = b.bits(WORD, u128::from(if left { bits - amount } else { amount }));
    let high = shift(b, BinOp::Shl, x, up);
    let low = shift(b, BinOp::LShr, y, down);
    binary(b, BinOp::Or, &high, &low)
}

#[cfg(test)]
mod tests;
