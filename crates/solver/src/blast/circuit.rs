//! Circuits on words: lists of literals, the lowest bit first.

use super::gates::Gates;
use super::sat::Lit;

/// A word, lowest bit first.
pub type LitWord = Vec<Lit>;

/// Bitwise complement.
pub fn not(a: &[Lit]) -> LitWord {
    a.iter().map(|&lit| !lit).collect()
}

/// Multiplexer on words.
pub fn mux(gates: &mut Gates, choice: Lit, yes: &[Lit], no: &[Lit]) -> LitWord {
    yes.iter().zip(no).map(|(&yes, &no)| gates.mux(choice, yes, no)).collect()
}

/// The sum, as wide as the operands, and its carry.
pub fn add(gates: &mut Gates, a: &[Lit], b: &[Lit], mut carry: Lit) -> (LitWord, Lit) {
    let mut sum = LitWord::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        sum.push(gates.xor3(x, y, carry));
        carry = gates.majority(x, y, carry);
    }
    (sum, carry)
}

/// The difference, as wide as the operands.
pub fn sub(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> LitWord {
    add_without_carry(gates, a, &not(b), Lit::TRUE)
}

/// The sum, without a gate for the last carry.
pub fn add_without_carry(gates: &mut Gates, a: &[Lit], b: &[Lit], carry: Lit) -> LitWord {
    let Some((&top_a, a)) = a.split_last() else { return LitWord::new() };
    let Some((&top_b, b)) = b.split_last() else { return LitWord::new() };
    let (mut sum, carry) = add(gates, a, b, carry);
    sum.push(gates.xor3(top_a, top_b, carry));
    sum
}

/// Two's complement.
pub fn neg(gates: &mut Gates, a: &[Lit]) -> LitWord {
    sub(gates, &vec![Lit::FALSE; a.len()], a)
}

/// The word, negated if `negate` is true.
pub fn neg_if(gates: &mut Gates, negate: Lit, a: &[Lit]) -> LitWord {
    let flipped: LitWord = a.iter().map(|&lit| gates.xor(lit, negate)).collect();
    add_without_carry(gates, &flipped, &vec![Lit::FALSE; a.len()], negate)
}

/// The product by shift and add, with a row for each bit of one operand.
pub fn mul(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> LitWord {
    let (rows, row) = if nonzero_bits(a) <= nonzero_bits(b) { (a, b) } else { (b, a) };
    let width = row.len();
    let mut sum = vec![Lit::FALSE; width];
    for (shift, &bit) in rows.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let addend: LitWord = row[..width - shift].iter().map(|&lit| gates.and(lit, bit)).collect();
        let high = add_without_carry(gates, &sum[shift..], &addend, Lit::FALSE);
        sum.truncate(shift);
        sum.extend(high);
    }
    sum
}

/// The number of bits that are not constant zero.
pub fn nonzero_bits(a: &[Lit]) -> usize {
    a.iter().filter(|&&lit| lit != Lit::FALSE).count()
}

/// Quotient and remainder by long division; all ones and the dividend if the divisor is zero.
pub fn divide(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (LitWord, LitWord) {
    let width = a.len();
    let mut quotient = vec![Lit::FALSE; width];
    let mut remainder: LitWord = Vec::new();
    // The remainder is less than the divisor, so it is no wider.
    let used = b.len() - b.iter().rev().take_while(|&&lit| lit == Lit::FALSE).count();
    for at in (0..width).rev() {
        remainder.insert(0, a[at]);
        let (window, above) = remainder.split_at(remainder.len().min(used));
        // The divisor fits if its bits above the window are zero, and the window is not
        // less than it or the remainder has a bit set above the window.
        let divisor = &b[..window.len()];
        let too_wide = gates.any(b[window.len()..used].iter().copied());
        let (difference, no_borrow) = add(gates, window, &not(divisor), Lit::TRUE);
        let large = gates.any(above.iter().copied());
        let fits = gates.or(no_borrow, large);
        let fits = gates.and(fits, !too_wide);
        quotient[at] = fits;
        remainder = mux(gates, fits, &difference, window);
    }
    remainder.resize(width, Lit::FALSE);
    if used == width {
        return (quotient, remainder);
    }
    // For a zero divisor, the remainder outgrew the window.
    let divisor_is_zero = !gates.any(b[..used].iter().copied());
    let remainder = mux(gates, divisor_is_zero, a, &remainder);
    (quotient, remainder)
}

/// Whether all bits are equal.
pub fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let same = a.iter().zip(b).map(|(&x, &y)| !gates.xor(x, y)).collect();
    gates.all(same)
}

/// Whether `a` is less than `b`, or also equal to it if `or_equal`.
pub fn less(gates: &mut Gates, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let pairs = a.iter().zip(b);
    pairs.fold(Lit::constant(or_equal), |less, (&x, &y)| gates.majority(!x, y, less))
}

/// As [`less`], for two's complement.
pub fn signed_less(gates: &mut Gates, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let (Some((&sign_a, a)), Some((&sign_b, b))) = (a.split_last(), b.split_last()) else {
        return Lit::constant(or_equal);
    };
    let low = less(gates, a, b, or_equal);
    gates.majority(sign_a, !sign_b, low)
}

/// The direction of a shift.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shift {
    /// Towards higher bits, filling with zeros.
    Left,
    /// Towards lower bits, filling with this literal.
    Right(Lit),
}

/// Barrel shifter. An amount of the width or more fills the whole word.
pub fn shift(gates: &mut Gates, shift: Shift, a: &[Lit], amount: &[Lit]) -> LitWord {
    let width = a.len();
    let fill = match shift {
        Shift::Left => Lit::FALSE,
        Shift::Right(fill) => fill,
    };
    let mut word = a.to_vec();
    let mut overflow = Vec::new();
    for (bit, &lit) in amount.iter().enumerate() {
        let by = if bit < 32 { 1usize << bit } else { usize::MAX };
        if by >= width {
            overflow.push(lit);
            continue;
        }
        let moved: LitWord = match shift {
            Shift::Left => {
                (0..width).map(|at| if at >= by { word[at - by] } else { fill }).collect()
            }
            Shift::Right(_) => {
                (0..width).map(|at| word.get(at + by).copied().unwrap_or(fill)).collect()
            }
        };
        word = mux(gates, lit, &moved, &word);
    }
    let overflow = gates.any(overflow.into_iter());
    word.into_iter().map(|lit| gates.mux(overflow, fill, lit)).collect()
}
