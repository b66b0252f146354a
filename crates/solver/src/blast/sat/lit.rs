//! Variables and literals.

use std::ops::Not;

/// A boolean variable.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// A variable or its negation.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Var {
    /// The index into tables by variable.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true if the variable has this value.
    #[inline(always)]
    pub fn is(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl Lit {
    /// Always true: the first variable of every solver.
    pub const TRUE: Lit = Lit(0);
    /// Always false.
    pub const FALSE: Lit = Lit(1);

    /// The literal of a constant.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The index into tables by literal.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal as a word; see [`Lit::from_word`].
    #[inline(always)]
    pub fn word(self) -> u32 {
        self.0
    }

    /// The literal of a word from [`Lit::word`].
    #[inline(always)]
    pub fn from_word(word: u32) -> Lit {
        Lit(word)
    }

    #[inline(always)]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    #[inline(always)]
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// Negated if `negate` is true.
    #[inline(always)]
    pub fn negated_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline(always)]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
