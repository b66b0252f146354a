//! Floats: every operation at single, double and extended precision gives the same bit patterns
//! as on words; in the other formats, the operands are concretised.

use byway_base::float::{self, Format};
use byway_ir::{CastOp, FBinOp, FUnOp, Fcmp, Ty};

use super::{A, B, C, D, Lab, WIDTHS, int};
use crate::LongDoubles;
use crate::bytecode::{General, Slot, TypedSlot};
use crate::interp::general::format;
use crate::reason::ConcretisationReason;

const FLOATS: [Ty; 6] = [Ty::F32, Ty::F64, Ty::F16, Ty::Bf16, Ty::F80, Ty::F128];

/// Whether a type has symbolic operations.
fn has_terms(ty: Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::F64 | Ty::F80)
}

/// The name under which operands of a type without symbolic operations are concretised.
fn name(ty: Ty) -> &'static str {
    match ty {
        Ty::F16 => "half-precision value",
        Ty::Bf16 => "bfloat value",
        Ty::F128 => "quadruple-precision value",
        _ => panic!("{ty} has terms"),
    }
}

impl Lab {
    /// A value of any type.
    pub(super) fn value(&mut self, ty: Ty) -> u128 {
        if ty.is_float() { self.float(ty) } else { self.number(ty.bits()) }
    }

    /// A float, often a boundary case.
    fn float(&mut self, ty: Ty) -> u128 {
        let format = format(ty);
        let sign = format.sign_bit() * u128::from(self.rng.below(2));
        let infinity = format.infinity(false);
        let quiet = 1u128 << (format.precision() - 2);
        let magnitude = match self.rng.below(16) {
            0 => 0,
            1 => infinity,
            2 => infinity | quiet,
            3 => infinity | quiet | 5,
            // Signalling.
            4 => infinity | 3,
            // The smallest subnormal, the largest one, and the normal above it.
            5 => 1,
            6 => 2 * quiet - 1,
            7 => 2 * quiet,
            // The largest finite number.
            8 => infinity - 1,
            9 => float::from_ui(format, 1),
            // The bounds of integer types, and values near them.
            10 => {
                let end = self.rng.below(128);
                float::from_ui(format, (1 << end) + u128::from(self.rng.below(3)) - 1)
            }
            11 => float::from_ui(format, u128::from(self.rng.below(1000))),
            // Halves, for ties.
            12 => {
                let (odd, two) = (u128::from(self.rng.below(100)), float::from_ui(format, 2));
                float::div(format, float::from_ui(format, odd), two)
            }
            13 => float::convert(Format::F64, format, self.rng.below(1 << 52).into()),
            _ => self.number(format.bits()),
        };
        magnitude | sign
    }

    /// Runs and compares. In a format without symbolic operations, every symbolic operand must
    /// have been concretised; in the others, none.
    fn agree_on(
        &mut self,
        general: General,
        operands: &[(TypedSlot, u128)],
        result: TypedSlot,
        without_terms: Option<Ty>,
    ) {
        let fixed = self.agree(&general, operands, &[result]);
        match without_terms {
            // One, the other, and both: of one to three operands each half the time.
            Some(ty) => {
                assert!(
                    fixed.iter().all(|reason| reason.name() == name(ty)),
                    "{general:?}: {fixed:?}"
                );
                assert_eq!(fixed.len(), operands.len() << (operands.len() - 1), "{general:?}");
            }
            None => assert_eq!(fixed, [], "{general:?}"),
        }
    }
}

fn place(ty: Ty, slot: Slot) -> TypedSlot {
    TypedSlot { ty, slot }
}

fn missing(ty: Ty) -> Option<Ty> {
    (!has_terms(ty)).then_some(ty)
}

#[test]
fn arithmetic() {
    for ty in FLOATS {
        let (d, a, b) = (place(ty, D), place(ty, A), place(ty, B));
        for &op in FBinOp::ALL {
            let mut lab = Lab::new(6);
            let missing = missing(ty).filter(|_| op != FBinOp::CopySign);
            for _ in 0..300 {
                let operands = [(a, lab.float(ty)), (b, lab.float(ty))];
                lab.agree_on(General::FBin { op, d, a, b }, &operands, d, missing);
            }
        }
    }
}

#[test]
fn single_operands() {
    for ty in FLOATS {
        let (d, a) = (place(ty, D), place(ty, A));
        let mut lab = Lab::new(7);
        for &op in FUnOp::ALL {
            let missing = missing(ty).filter(|_| !matches!(op, FUnOp::Neg | FUnOp::Abs));
            for _ in 0..200 {
                let operands = [(a, lab.float(ty))];
                lab.agree_on(General::FUn { op, d, a }, &operands, d, missing);
            }
        }
        for _ in 0..1000 {
            let operands = [(a, lab.float(ty))];
            let mask = lab.rng.below(1 << 10) as u16;
            let general = General::FpClass { d: D, a, mask };
            lab.agree_on(general, &operands, int(1, D), missing(ty));
        }
    }
}

#[test]
fn multiply_and_add() {
    for ty in FLOATS {
        let (d, a, b, c) = (place(ty, D), place(ty, A), place(ty, B), place(ty, C));
        let mut lab = Lab::new(8);
        for _ in 0..500 {
            let operands = [a, b, c].map(|place| (place, lab.float(ty)));
            lab.agree_on(General::Fma { d, a, b, c }, &operands, d, missing(ty));
        }
    }
}

#[test]
fn comparisons() {
    for ty in FLOATS {
        let (a, b) = (place(ty, A), place(ty, B));
        let mut lab = Lab::new(9);
        for &pred in Fcmp::ALL {
            // These two ignore their operands.
            let trivial = matches!(pred, Fcmp::False | Fcmp::True);
            for round in 0..200 {
                let x = lab.float(ty);
                let y = if round % 4 == 0 { x } else { lab.float(ty) };
                let general = General::Fcmp { pred, d: D, a, b };
                let missing = missing(ty).filter(|_| !trivial);
                lab.agree_on(general, &[(a, x), (b, y)], int(1, D), missing);
            }
        }
    }
}

#[test]
fn to_and_from_integers() {
    use CastOp::{FpToSi, FpToSiSat, FpToUi, FpToUiSat, SiToFp, UiToFp};
    for ty in FLOATS {
        for width in WIDTHS {
            let mut lab = Lab::new(u64::from(width));
            let (d, a) = (int(width, D), place(ty, A));
            for op in [FpToSi, FpToUi, FpToSiSat, FpToUiSat] {
                for _ in 0..150 {
                    let operands = [(a, lab.float(ty))];
                    lab.agree_on(General::Cast { op, d, a }, &operands, d, missing(ty));
                }
            }
            let (d, a) = (place(ty, D), int(width, A));
            for op in [SiToFp, UiToFp] {
                for _ in 0..50 {
                    let operands = [(a, lab.number(width))];
                    lab.agree_on(General::Cast { op, d, a }, &operands, d, missing(ty));
                }
            }
        }
    }
}

#[test]
fn to_other_formats() {
    for from in FLOATS {
        for to in FLOATS.into_iter().filter(|&to| to != from) {
            let (d, a) = (place(to, D), place(from, A));
            let mut lab = Lab::new(10);
            for _ in 0..200 {
                let operands = [(a, lab.float(from))];
                let general = General::Cast { op: CastOp::FpConvert, d, a };
                lab.agree_on(general, &operands, d, missing(to).or(missing(from)));
            }
        }
    }
}

/// Runs an operation with long doubles concretised. Returns how many were.
fn fixing(
    lab: &mut Lab,
    general: General,
    operands: &[(TypedSlot, u128)],
    result: TypedSlot,
) -> usize {
    lab.long_doubles = LongDoubles::Fixed;
    let fixed = lab.agree(&general, operands, &[result]);
    let expected = ConcretisationReason::Float(Format::F80);
    assert!(fixed.iter().all(|&reason| reason == expected), "{general:?}: {fixed:?}");
    fixed.len()
}

#[test]
fn long_doubles_are_fixed_where_asked() {
    let ty = Ty::F80;
    let (d, a, b) = (place(ty, D), place(ty, A), place(ty, B));
    let mut lab = Lab::new(11);
    for round in 0..2000 {
        let operands = [(a, lab.float(ty)), (b, lab.float(ty))];
        let op = FBinOp::ALL[round % FBinOp::ALL.len()];
        let fixed = fixing(&mut lab, General::FBin { op, d, a, b }, &operands, d);
        // One, the other, and both. Beside a NaN the smaller one is the other.
        let expected = match op {
            FBinOp::CopySign => 0..=0,
            FBinOp::Add | FBinOp::Sub | FBinOp::Mul | FBinOp::Div | FBinOp::Rem => 4..=4,
            _ => 2..=4,
        };
        assert!(expected.contains(&fixed), "{op:?}: {fixed}");
        let pred = Fcmp::ALL[round % Fcmp::ALL.len()];
        // Whether a pattern is a NaN is a condition on its bits.
        let trivial = matches!(pred, Fcmp::False | Fcmp::True | Fcmp::Ord | Fcmp::Uno);
        let compare = General::Fcmp { pred, d: D, a, b };
        let fixed = fixing(&mut lab, compare, &operands, int(1, D));
        // If one operand is a NaN, the other need not be known.
        assert!(if trivial { fixed == 0 } else { (2..=4).contains(&fixed) }, "{pred:?}");
        let cast = General::Cast { op: CastOp::FpToSi, d: int(32, D), a };
        assert_eq!(fixing(&mut lab, cast, &operands[..1], int(32, D)), 1);
    }
}

#[test]
fn long_doubles_made_of_integers_and_shorter_floats_stay() {
    let mut lab = Lab::new(12);
    let d = place(Ty::F80, D);
    for round in 0..2000 {
        let a = if round % 2 == 0 { int(64, A) } else { place(Ty::F64, A) };
        let op = match round % 4 {
            0 => CastOp::SiToFp,
            2 => CastOp::UiToFp,
            _ => CastOp::FpConvert,
        };
        let operand = lab.value(a.ty);
        assert_eq!(fixing(&mut lab, General::Cast { op, d, a }, &[(a, operand)], d), 0);
    }
}

/// A number converted from an integer, multiplied by its sign, compared and converted back, as
/// C libraries parse numbers, is not concretised. Reading its bits concretises it.
#[test]
fn integers_in_long_doubles_stay_symbolic() {
    let mut lab = Lab::new(13);
    let (digits, sign) = (int(32, A), int(32, B));
    let long = |slot| place(Ty::F80, slot);
    let (x, y, product) = (long(10), long(12), long(14));
    let five = long(16);
    let steps = [
        General::Cast { op: CastOp::UiToFp, d: x, a: digits },
        General::Cast { op: CastOp::SiToFp, d: y, a: sign },
        General::FBin { op: FBinOp::Mul, d: product, a: y, b: x },
        General::Fcmp { pred: Fcmp::Olt, d: 18, a: product, b: five },
        General::Cast { op: CastOp::FpToSi, d: int(64, 19), a: product },
        General::FUn { op: FUnOp::Neg, d: long(20), a: product },
        General::Fcmp { pred: Fcmp::Une, d: 22, a: long(20), b: five },
        General::FBin { op: FBinOp::Add, d: long(24), a: x, b: five },
        // A long double and an integer may share a slot.
        General::Cast { op: CastOp::Trunc, d: int(8, 26), a: int(80, 24) },
    ];
    for round in 0..200 {
        let value = u128::from(lab.rng.below(10));
        let minus = round % 2 == 0;
        let (one, minus_one) = (1u128, u128::from(u32::MAX));
        let operands = [
            (digits, value),
            (sign, if minus { minus_one } else { one }),
            (five, float::from_ui(Format::F80, 5)),
        ];
        let mut expected = lab.registers(&operands, 0);
        let mut regs = lab.registers(&operands, 1);
        let bit = lab.disguise(30, u64::from(minus), 1);
        let (yes, no) = (lab.pool.constant(32, minus_one), lab.pool.constant(32, one));
        let chosen = lab.pool.ite(bit, yes, no);
        regs[B as usize] = super::super::value_of(&lab.pool, chosen);
        for (i, step) in steps.iter().enumerate() {
            crate::interp::general::run(step, &mut expected).expect("no fault");
            let (_, fixed) = lab.patiently(&mut regs, |pool, oracle, regs| {
                super::super::general(pool, oracle, LongDoubles::Fixed, step, regs)
            });
            let looks = i + 1 == steps.len();
            assert_eq!(fixed.len(), usize::from(looks), "step {i}: {fixed:?}");
        }
        for slot in [18, 19, 22, 26] {
            let got = lab.word(regs[slot], 64);
            assert_eq!(got, expected[slot].bits, "slot {slot} of {value}, {minus}");
        }
    }
}

/// A double becomes a long double where it is printed, and is then taken apart bit by bit.
#[test]
fn bits_of_a_longer_float_fix_the_shorter_one() {
    let mut lab = Lab::new(14);
    let (short, long) = (place(Ty::F64, A), place(Ty::F80, 10));
    let steps = [
        General::Cast { op: CastOp::FpConvert, d: long, a: short },
        General::Cast { op: CastOp::Trunc, d: int(16, 12), a: int(80, 10) },
    ];
    for _ in 0..200 {
        let operands = [(short, lab.float(Ty::F64))];
        let mut expected = lab.registers(&operands, 0);
        let mut regs = lab.registers(&operands, 1);
        for (i, step) in steps.iter().enumerate() {
            crate::interp::general::run(step, &mut expected).expect("no fault");
            let (_, fixed) = lab.patiently(&mut regs, |pool, oracle, regs| {
                super::super::general(pool, oracle, LongDoubles::Fixed, step, regs)
            });
            assert_eq!(fixed.len(), i, "step {i}: {fixed:?}");
        }
        assert_eq!(lab.word(regs[12], 16), expected[12].bits);
    }
}
