//! What a warning claims: which faults of the engine would confirm it.
//!
//! Rules are those of clang's static analyser, of GCC's `-fanalyzer` and of cppcheck. A rule that is
//! not listed claims nothing that the engine checks (style, dead stores, calls of unsafe functions):
//! such a warning is triaged by its line alone.

use byway_base::FaultKind;
use byway_engine::Checks;

use FaultKind as F;

/// The claim of a warning.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Each of these kinds confirms it.
    pub kinds: &'static [FaultKind],
    /// The check to turn on, where the engine does not check it by default.
    pub check: Option<OptionalCheck>,
}

/// A check of the engine that is off by default.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OptionalCheck {
    Leak,
    Shift,
    SignedOverflow,
}

impl OptionalCheck {
    pub fn turn_on(self, checks: &mut Checks) {
        *match self {
            OptionalCheck::Leak => &mut checks.leak,
            OptionalCheck::Shift => &mut checks.shift,
            OptionalCheck::SignedOverflow => &mut checks.signed_overflow,
        } = true;
    }
}

const fn claim(kinds: &'static [FaultKind]) -> Claim {
    Claim { kinds, check: None }
}

const fn checked(kinds: &'static [FaultKind], check: OptionalCheck) -> Claim {
    Claim { kinds, check: Some(check) }
}

const NULL: Claim = claim(&[F::NullDereference, F::BadFunctionPointer, F::UnexpectedNull]);
const UNSET: Claim = claim(&[F::UninitialisedRead]);
const ZERO: Claim = claim(&[F::DivisionByZero]);
const BOUNDS: Claim = claim(&[F::OutOfBounds, F::ArrayIndex, F::WildPointer, F::NullDereference]);
const FREED: Claim = claim(&[F::UseAfterFree]);
const TWICE: Claim = claim(&[F::DoubleFree]);
const NOT_HEAP: Claim = claim(&[F::InvalidFree]);
const LEAK: Claim = checked(&[F::Leak], OptionalCheck::Leak);
const SHIFT: Claim = checked(&[F::InvalidShift], OptionalCheck::Shift);
const OVERFLOW: Claim = checked(&[F::SignedOverflow], OptionalCheck::SignedOverflow);
const FRAME: Claim = claim(&[F::UseAfterReturn, F::UseAfterScope]);
const CONSTANT: Claim = claim(&[F::WriteToConstant]);

/// Rules by the beginning of their name. The first that fits decides, so that a longer name comes
/// before its beginning.
const RULES: &[(&str, Claim)] = &[
    // clang
    ("core.NullDereference", NULL),
    ("core.NonNullParamChecker", NULL),
    ("unix.cstring.NullArg", NULL),
    ("nullability.", NULL),
    ("core.DivideZero", ZERO),
    ("core.BitwiseShift", SHIFT),
    ("core.uninitialized.", UNSET),
    ("core.VLASize", claim(&[F::VlaBound, F::UninitialisedRead])),
    ("security.ArrayBound", BOUNDS),
    ("alpha.security.ArrayBound", BOUNDS),
    ("alpha.unix.cstring.OutOfBounds", BOUNDS),
    ("unix.cstring.BadSizeArg", BOUNDS),
    ("alpha.core.CastSize", BOUNDS),
    ("alpha.unix.cstring.BufferOverlap", claim(&[F::Overlap])),
    // GCC
    ("-Wanalyzer-null", NULL),
    ("-Wanalyzer-possible-null", NULL),
    ("-Wanalyzer-use-of-uninitialized-value", UNSET),
    ("-Wanalyzer-out-of-bounds", BOUNDS),
    ("-Wanalyzer-use-after-free", FREED),
    ("-Wanalyzer-double-free", TWICE),
    ("-Wanalyzer-free-of-non-heap", NOT_HEAP),
    ("-Wanalyzer-malloc-leak", LEAK),
    ("-Wanalyzer-shift-count", SHIFT),
    ("-Wanalyzer-use-of-pointer-in-stale-stack-frame", FRAME),
    ("-Wanalyzer-write-to", CONSTANT),
    ("-Wanalyzer-infinite-recursion", claim(&[F::StackExhausted])),
    ("-Wanalyzer-va-arg-type-mismatch", claim(&[F::OutOfBounds])),
    ("-Wanalyzer-va-list-exhausted", claim(&[F::OutOfBounds])),
    ("-Wdiv-by-zero", ZERO),
    // cppcheck
    ("nullPointer", NULL),
    ("ctunullpointer", NULL),
    ("zerodiv", ZERO),
    ("uninitvar", UNSET),
    ("legacyUninitvar", UNSET),
    ("arrayIndexOutOfBounds", BOUNDS),
    ("bufferAccessOutOfBounds", BOUNDS),
    ("deallocuse", FREED),
    ("doubleFree", TWICE),
    ("memleak", LEAK),
    ("shiftTooManyBits", SHIFT),
    ("integerOverflow", OVERFLOW),
    ("returnDanglingLifetime", FRAME),
];

/// Rules that stand for several defects: the message says which. The first text in the message
/// decides.
const BY_MESSAGE: &[(&str, &[(&str, Claim)])] = &[
    (
        "unix.Malloc",
        &[
            ("leak", LEAK),
            ("after it is released", FREED),
            ("already released", TWICE),
            ("release", NOT_HEAP),
            ("free", NOT_HEAP),
        ],
    ),
    ("core.CallAndMessage", &[("null", NULL), ("uninitialized", UNSET), ("garbage", UNSET)]),
    (
        "core.UndefinedBinaryOperatorResult",
        &[("garbage", UNSET), ("uninitialized", UNSET), ("shift", SHIFT), ("overflow", OVERFLOW)],
    ),
];

/// The claim of a warning by its rule and message; `None` if the engine checks nothing like it.
pub fn claim_of(rule: &str, message: &str) -> Option<Claim> {
    let by_message = BY_MESSAGE.iter().find(|(name, _)| rule.starts_with(name));
    if let Some((_, texts)) = by_message {
        let message = message.to_lowercase();
        return texts.iter().find(|(text, _)| message.contains(text)).map(|(_, claim)| *claim);
    }
    RULES.iter().find(|(name, _)| rule.starts_with(name)).map(|(_, claim)| *claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_messages_decide() {
        for (rule, message, expected) in [
            ("core.NullDereference", "Dereference of null pointer", Some(NULL)),
            ("core.uninitialized.UndefReturn", "Undefined or garbage value", Some(UNSET)),
            ("unix.Malloc", "Potential leak of memory pointed to by 'p'", Some(LEAK)),
            ("unix.Malloc", "Use of memory after it is released", Some(FREED)),
            ("unix.Malloc", "Attempt to release already released memory", Some(TWICE)),
            (
                "unix.Malloc",
                "Argument to free() is the address of a local variable",
                Some(NOT_HEAP),
            ),
            ("core.CallAndMessage", "Called function pointer is null", Some(NULL)),
            ("-Wanalyzer-possible-null-dereference", "", Some(NULL)),
            ("-Wanalyzer-double-free", "double-free of 'p'", Some(TWICE)),
            ("deadcode.DeadStores", "Value stored to 'x' is never read", None),
            ("", "", None),
        ] {
            assert_eq!(claim_of(rule, message), expected, "{rule}: {message}");
        }
    }

    #[test]
    fn no_rule_hides_a_later_one() {
        for (index, (name, _)) in RULES.iter().enumerate() {
            let hidden = RULES[..index].iter().find(|(earlier, _)| name.starts_with(earlier));
            assert!(hidden.is_none(), "{name} is hidden by {hidden:?}");
        }
    }
}
