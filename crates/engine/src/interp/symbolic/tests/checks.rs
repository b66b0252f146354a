//! The optional checks.

use byway_ir::BinOp;

use super::{A, B, End, Lab, WIDTHS, end_of, int};
use crate::bytecode::{Check, TypedSlot};
use crate::interp::general as concrete;

/// A check on terms passes and fails exactly when the check on words does.
fn agree(lab: &mut Lab, check: &Check, operands: &[(TypedSlot, u128)]) {
    let kind = |end| match end {
        End::Fault(kind, _) => Some(kind),
        _ => None,
    };
    let expected = kind(end_of(concrete::check(check, &lab.registers(operands, 0))));
    for symbolic in 1..1 << operands.len() {
        let mut regs = lab.registers(operands, symbolic);
        let (end, _) = lab.patiently(&mut regs, |pool, oracle, regs| {
            super::super::check(pool, oracle, check, regs)
        });
        assert_eq!(kind(end), expected, "{check:?} of {operands:x?}");
    }
}

#[test]
fn alignment() {
    let mut lab = Lab::new(4);
    for align in [1, 2, 4, 8, 16, 4096, 1 << 31] {
        for _ in 0..50 {
            let at = lab.number(64) / u128::from(align) * u128::from(align);
            let at = (at + lab.rng.below(2) as u128 * lab.number(16)) as u64;
            let operands = [(int(64, A), u128::from(at))];
            agree(&mut lab, &Check::Aligned { addr: A, align }, &operands);
        }
    }
}

#[test]
fn signed_overflow() {
    for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Shl, BinOp::Xor] {
        for width in WIDTHS {
            let mut lab = Lab::new(u64::from(width));
            let (a, b) = (int(width, A), int(width, B));
            for _ in 0..60 {
                let operands = [(a, lab.number(width)), (b, lab.number(width))];
                agree(&mut lab, &Check::SignedOverflow { op, a, b }, &operands);
            }
        }
    }
}

#[test]
fn shift_amounts() {
    let mut lab = Lab::new(5);
    for width in WIDTHS {
        let amount = int(width, A);
        for _ in 0..60 {
            let operands = [(amount, lab.number(width))];
            agree(&mut lab, &Check::Shift { amount, width }, &operands);
        }
    }
}
