//! Integers and pointers.

use byway_ir::{BinOp, CastOp, Icmp, OverflowOp, Ty, UnOp};

use super::{A, B, C, D, FLAG, Lab, WIDTHS, int};
use crate::bytecode::{General, TypedSlot};

/// Operand samples per operation and width.
const ROUNDS: usize = 60;

#[test]
fn arithmetic() {
    for &op in BinOp::ALL {
        for width in WIDTHS {
            let mut lab = Lab::new(u64::from(width));
            let (d, a, b) = (int(width, D), int(width, A), int(width, B));
            for _ in 0..ROUNDS {
                let operands = [(a, lab.number(width)), (b, lab.number(width))];
                lab.agree(&General::Bin { op, d, a, b }, &operands, &[d]);
            }
        }
    }
}

#[test]
fn divisions_that_fault() {
    let mut lab = Lab::new(1);
    for op in [BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem] {
        for width in WIDTHS {
            let (d, a, b) = (int(width, D), int(width, A), int(width, B));
            let (least, ones) = (1 << (width - 1), byway_base::int::mask(width));
            for (x, y) in [(least, ones), (least, 0), (0, 0), (ones, 0), (0, ones)] {
                lab.agree(&General::Bin { op, d, a, b }, &[(a, x), (b, y)], &[d]);
            }
        }
    }
}

#[test]
fn single_operands() {
    for &op in UnOp::ALL {
        for width in WIDTHS.into_iter().filter(|width| op != UnOp::Bswap || width % 16 == 0) {
            let mut lab = Lab::new(u64::from(width));
            let (d, a) = (int(width, D), int(width, A));
            for _ in 0..ROUNDS {
                let operands = [(a, lab.number(width))];
                lab.agree(&General::Un { op, d, a }, &operands, &[d]);
            }
        }
    }
}

#[test]
fn results_with_overflow() {
    for &op in OverflowOp::ALL {
        for width in WIDTHS {
            let mut lab = Lab::new(u64::from(width));
            let (d, a, b) = (int(width, D), int(width, A), int(width, B));
            let flag = TypedSlot { ty: Ty::BOOL, slot: FLAG };
            for _ in 0..ROUNDS {
                let operands = [(a, lab.number(width)), (b, lab.number(width))];
                let general = General::Overflow { op, d, overflow: FLAG, a, b };
                lab.agree(&general, &operands, &[d, flag]);
            }
        }
    }
}

#[test]
fn funnels() {
    for left in [false, true] {
        for width in WIDTHS {
            let mut lab = Lab::new(u64::from(width));
            let (d, a, b) = (int(width, D), int(width, A), int(width, B));
            let amount = int(width, C);
            for _ in 0..ROUNDS {
                let operands = [a, b, amount].map(|place| (place, lab.number(width)));
                lab.agree(&General::Funnel { left, d, a, b, amount }, &operands, &[d]);
            }
        }
    }
}

#[test]
fn comparisons() {
    for &pred in Icmp::ALL {
        for width in WIDTHS {
            let mut lab = Lab::new(u64::from(width));
            let (d, a, b) = (int(1, D), int(width, A), int(width, B));
            for round in 0..ROUNDS {
                let x = lab.number(width);
                let y = if round % 4 == 0 { x } else { lab.number(width) };
                let general = General::Icmp { pred, d: D, a, b };
                lab.agree(&general, &[(a, x), (b, y)], &[d]);
            }
        }
    }
}

#[test]
fn casts() {
    use CastOp::{IntToPtr, PtrToInt, Sext, Trunc, Zext};
    let mut lab = Lab::new(2);
    let mut agree = |op, from: Ty, to: Ty| {
        let (d, a) = (TypedSlot { ty: to, slot: D }, TypedSlot { ty: from, slot: A });
        for _ in 0..10 {
            let operands = [(a, lab.number(from.bits()))];
            lab.agree(&General::Cast { op, d, a }, &operands, &[d]);
        }
    };
    for narrow in WIDTHS {
        for wide in WIDTHS.into_iter().filter(|&wide| wide >= narrow) {
            let (narrow, wide) = (Ty::Int(narrow as u8), Ty::Int(wide as u8));
            agree(Trunc, wide, narrow);
            agree(Zext, narrow, wide);
            agree(Sext, narrow, wide);
        }
        agree(PtrToInt, Ty::Ptr, Ty::Int(narrow as u8));
        agree(IntToPtr, Ty::Int(narrow as u8), Ty::Ptr);
    }
    let same_bits = [(32, Ty::F32), (64, Ty::F64), (64, Ty::Ptr), (16, Ty::F16), (16, Ty::Bf16)];
    for (width, ty) in same_bits.into_iter().chain([(80, Ty::F80), (128, Ty::F128)]) {
        agree(CastOp::Bitcast, Ty::Int(width), ty);
        agree(CastOp::Bitcast, ty, Ty::Int(width));
    }
}

#[test]
fn pointers_and_choices() {
    let mut lab = Lab::new(3);
    let pointer = |slot| TypedSlot { ty: Ty::Ptr, slot };
    for width in WIDTHS {
        for scale in [0, 1, 8, -8, 24, 1 << 33, i64::MIN, i64::MAX] {
            let index = int(width, B);
            for _ in 0..10 {
                let operands = [(pointer(A), lab.number(64)), (index, lab.number(width))];
                let general = General::PtrIndex { d: D, base: A, index, scale };
                lab.agree(&general, &operands, &[pointer(D)]);
            }
        }
        let (d, a, b) = (int(width, D), int(width, A), int(width, B));
        for round in 0..ROUNDS {
            let x = lab.number(width);
            let y = if round % 4 == 0 { x } else { lab.number(width) };
            let operands = [(a, x), (b, y), (int(1, C), lab.number(1))];
            lab.agree(&General::Select { d, c: C, a, b }, &operands, &[d]);
        }
    }
}
