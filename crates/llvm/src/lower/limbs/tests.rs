//! Executes the code of each operation on random numbers and compares the result with a
//! bit-by-bit reference.

use byway_base::entity::SecondaryMap;
use byway_base::int;
use byway_ir::{Const, Function, Inst, OperandKind, Origin, Val};

use super::*;
use crate::shape::integer;

/// An integer by its bits, lowest first.
type Bits = Vec<bool>;

/// The operations of the reference, on which all expected results are based.
mod reference {
    use super::Bits;

    pub fn add(x: &Bits, y: &Bits, mut carry: bool) -> Bits {
        let mut sum = Bits::new();
        for (&x, &y) in x.iter().zip(y) {
            sum.push(x ^ y ^ carry);
            carry = (x && y) || (carry && (x || y));
        }
        sum
    }

    pub fn not(x: &Bits) -> Bits {
        x.iter().map(|x| !x).collect()
    }

    pub fn sub(x: &Bits, y: &Bits) -> Bits {
        add(x, &not(y), true)
    }

    pub fn resize(x: &Bits, bits: usize, signed: bool) -> Bits {
        let fill = signed && x[x.len() - 1];
        (0..bits).map(|n| x.get(n).copied().unwrap_or(fill)).collect()
    }

    pub fn mul(x: &Bits, y: &Bits) -> Bits {
        let mut product = vec![false; x.len()];
        for n in (0..y.len()).filter(|&n| y[n]) {
            product = add(&product, &shl(x, n), false);
        }
        product
    }

    pub fn shl(x: &Bits, n: usize) -> Bits {
        (0..x.len()).map(|k| k >= n && x[k - n]).collect()
    }

    pub fn shr(x: &Bits, n: usize, signed: bool) -> Bits {
        resize(&resize(x, x.len() + n, signed)[n..].to_vec(), x.len(), signed)
    }

    /// Compares from the highest bit on; the order of sign bits is reversed.
    pub fn less(x: &Bits, y: &Bits, signed: bool) -> bool {
        let key = |x: &Bits| {
            let mut key: Vec<bool> = x.iter().rev().copied().collect();
            key[0] ^= signed;
            key
        };
        key(x) < key(y)
    }
}
use reference as r;

/// A pseudo-random number generator (xorshift) with a fixed seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Random bits, with long runs so that carries propagate far.
    fn bits(&mut self, count: u32) -> Bits {
        let mut bits = Bits::new();
        while bits.len() < count as usize {
            let (kind, run) = (self.next(), self.next());
            let word = match kind % 4 {
                0 => 0,
                1 => u64::MAX,
                _ => self.next(),
            };
            bits.extend((0..run % 150).map(|n| word >> (n % 64) & 1 == 1));
        }
        bits.truncate(count as usize);
        bits
    }
}

/// Interprets the instructions of one block, given its parameters.
struct Machine {
    func: Function,
    values: SecondaryMap<Val, u128>,
}

impl Machine {
    fn get(&self, operand: Operand) -> u128 {
        match operand.kind() {
            OperandKind::Val(val) => self.values[val],
            OperandKind::Const(id) => match self.func.consts[id] {
                Const::Bits { bits, .. } => bits,
                Const::Address { .. } => panic!("an address in arithmetic"),
            },
        }
    }

    fn step(&mut self, inst: &Inst) {
        let (dst, value) = match *inst {
            Inst::Bin { op, dst, a, b, .. } => {
                let width = self.func.vals[dst].bits();
                let (a, b) = (self.get(a), self.get(b));
                let shift_fits = b < u128::from(width);
                let value = match op {
                    BinOp::Add => int::add(a, b, width),
                    BinOp::Sub => int::sub(a, b, width),
                    BinOp::Mul => int::mul(a, b, width),
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    BinOp::Shl if shift_fits => int::shl(a, b, width),
                    BinOp::LShr if shift_fits => int::lshr(a, b, width),
                    BinOp::AShr if shift_fits => int::ashr(a, b, width),
                    _ => panic!("{inst:?}"),
                };
                (dst, value)
            }
            Inst::Un { op, dst, a } => {
                let (a, width) = (self.get(a), self.func.vals[dst].bits());
                let value = match op {
                    UnOp::Ctpop => int::ctpop(a, width),
                    UnOp::Ctlz => int::ctlz(a, width),
                    UnOp::Cttz => int::cttz(a, width),
                    UnOp::Bswap => int::bswap(a, width),
                    UnOp::BitReverse => int::bitreverse(a, width),
                    UnOp::Abs => int::abs(a, width),
                };
                (dst, value)
            }
            Inst::Overflow { op, dst, overflow, a, b } => {
                let (a, b, width) = (self.get(a), self.get(b), self.func.vals[dst].bits());
                let (value, overflows) = match op {
                    OverflowOp::UAdd => int::uadd_overflow(a, b, width),
                    OverflowOp::USub => int::usub_overflow(a, b, width),
                    _ => panic!("{inst:?}"),
                };
                self.values[overflow] = overflows.into();
                (dst, value)
            }
            Inst::Funnel { left, dst, a, b, amount } => {
                let (a, b, n) = (self.get(a), self.get(b), self.get(amount));
                let width = self.func.vals[dst].bits();
                let shift = if left { int::funnel_left } else { int::funnel_right };
                (dst, shift(a, b, n, width))
            }
            Inst::Icmp { pred, dst, a, b } => {
                let width = self.func.operand_ty(a).bits();
                let (a, b) = (self.get(a), self.get(b));
                let value = match pred {
                    Icmp::Eq => a == b,
                    Icmp::Ne => a != b,
                    Icmp::Ult => a < b,
                    Icmp::Ule => a <= b,
                    Icmp::Ugt => a > b,
                    Icmp::Uge => a >= b,
                    Icmp::Slt => int::slt(a, b, width),
                    Icmp::Sgt => int::slt(b, a, width),
                    Icmp::Sle | Icmp::Sge => panic!("{inst:?}"),
                };
                (dst, value.into())
            }
            Inst::Cast { op, dst, src } => {
                let (from, to) = (self.func.operand_ty(src).bits(), self.func.vals[dst].bits());
                let value = match op {
                    CastOp::Trunc if to < from => int::trunc(self.get(src), to),
                    CastOp::Zext if to > from => self.get(src),
                    CastOp::Sext if to > from => int::sext(self.get(src), from, to),
                    _ => panic!("{inst:?}"),
                };
                (dst, value)
            }
            Inst::Select { dst, cond, a, b } => {
                (dst, if self.get(cond) == 1 { self.get(a) } else { self.get(b) })
            }
            _ => panic!("{inst:?}"),
        };
        self.values[dst] = value;
    }
}

/// Whether an argument is a constant when the code is generated.
#[derive(Copy, Clone, PartialEq)]
enum When {
    Known,
    Later,
}

/// Generates code on integers, runs it and returns the bits of the result.
fn run(
    args: &[(&Bits, When)],
    code: impl FnOnce(&mut FunctionBuilder, &[Vec<Operand>]) -> Vec<Operand>,
) -> Bits {
    let types: Vec<Vec<Ty>> = args.iter().map(|(bits, _)| integer(bits.len() as u32)).collect();
    let params: Vec<Ty> = types.concat();
    let declaration = Function::declare("f".into(), Origin::User, &params, &[], false);
    let mut b = FunctionBuilder::new(declaration);
    let entry = b.create_block();
    b.switch_to(entry);
    let mut given = Vec::new();
    let mut operands = Vec::new();
    for ((bits, when), types) in args.iter().zip(&types) {
        let mut rest = &bits[..];
        let mut limbs = Vec::new();
        for &ty in types {
            let (limb, others) = rest.split_at(ty.bits() as usize);
            rest = others;
            let number = limb.iter().rev().fold(0u128, |all, &bit| all << 1 | u128::from(bit));
            limbs.push(match when {
                When::Known => b.bits(ty, number),
                When::Later => b.param(given.len()),
            });
            given.push(number);
        }
        operands.push(limbs);
    }
    let result = code(&mut b, &operands);
    let tys: Vec<Ty> = result.iter().map(|&o| b.ty(o)).collect();
    b.ret(&result);
    let func = b.finish();
    let byway_ir::Terminator::Return(result) = func.blocks[entry].term.clone() else {
        panic!("the block returns")
    };
    let mut machine = Machine { func, values: SecondaryMap::new() };
    for (n, number) in given.into_iter().enumerate() {
        let param = machine.func.params[n];
        machine.values[param] = number;
    }
    let insts: Vec<Inst> = machine.func.insts.values().cloned().collect();
    for inst in &insts {
        machine.step(inst);
    }
    let bits = |(&operand, ty): (&Operand, &Ty)| {
        let value = machine.get(operand);
        (0..ty.bits()).map(|n| value >> n & 1 == 1).collect::<Bits>()
    };
    result.iter().zip(&tys).flat_map(bits).collect()
}

const WIDTHS: [u32; 8] = [129, 130, 144, 192, 200, 256, 257, 511];

/// Calls `test` with random pairs of every width, some of them close to each other.
fn for_pairs(mut test: impl FnMut(&Bits, &Bits, When)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for bits in WIDTHS {
        for round in 0..12 {
            let x = random.bits(bits);
            let mut y = random.bits(bits);
            if round % 3 == 0 {
                let flipped = (random.next() % u64::from(bits)) as usize;
                y.clone_from(&x);
                y[flipped] ^= round > 0;
            }
            test(&x, &y, if round % 4 == 3 { When::Known } else { When::Later });
        }
    }
}

fn binary_of(op: BinOp, x: &Bits, y: &Bits, when: When) -> Bits {
    run(&[(x, When::Later), (y, when)], |b, args| {
        super::binary(b, op, &args[0], &args[1]).expect("a supported operation")
    })
}

#[test]
fn sums_products_and_bitwise_operations() {
    for_pairs(|x, y, when| {
        let each = |op: fn(bool, bool) -> bool| -> Bits {
            x.iter().zip(y).map(|(&x, &y)| op(x, y)).collect()
        };
        assert_eq!(binary_of(BinOp::Add, x, y, when), r::add(x, y, false));
        assert_eq!(binary_of(BinOp::Sub, x, y, when), r::sub(x, y));
        assert_eq!(binary_of(BinOp::Mul, x, y, when), r::mul(x, y));
        assert_eq!(binary_of(BinOp::And, x, y, when), each(|x, y| x & y));
        assert_eq!(binary_of(BinOp::Or, x, y, when), each(|x, y| x | y));
        assert_eq!(binary_of(BinOp::Xor, x, y, when), each(|x, y| x ^ y));
    });
}

#[test]
fn shifts_by_every_kind_of_amount() {
    let mut random = Random(1);
    for bits in WIDTHS {
        let near = [0, 1, 63, 64, 65, 127, 128, bits - 64, bits - 1];
        let further: Vec<u32> = (0..6).map(|_| random.next() as u32 % bits).collect();
        for n in near.into_iter().chain(further) {
            let x = random.bits(bits);
            let amount: Bits = (0..bits).map(|k| k < 32 && n >> k & 1 == 1).collect();
            for when in [When::Known, When::Later] {
                let n = n as usize;
                assert_eq!(binary_of(BinOp::Shl, &x, &amount, when), r::shl(&x, n));
                assert_eq!(binary_of(BinOp::LShr, &x, &amount, when), r::shr(&x, n, false));
                assert_eq!(binary_of(BinOp::AShr, &x, &amount, when), r::shr(&x, n, true));
            }
            let y = random.bits(bits);
            let both = [&y[..], &x].concat();
            let args = [(&x, When::Later), (&y, When::Later), (&amount, When::Known)];
            let funnel = |left| {
                run(&args, |b, a| super::funnel(b, left, &a[0], &a[1], &a[2]).expect("a constant"))
            };
            let (n, bits) = (n as usize, bits as usize);
            assert_eq!(funnel(true), both[bits - n..2 * bits - n], "{n}");
            assert_eq!(funnel(false), both[n..n + bits], "{n}");
        }
    }
}

#[test]
fn comparisons_minima_and_maxima() {
    for_pairs(|x, y, when| {
        let compared = |pred| {
            run(&[(x, When::Later), (y, when)], |b, a| vec![super::compare(b, pred, &a[0], &a[1])])
        };
        assert_eq!(compared(Icmp::Eq), [x == y]);
        assert_eq!(compared(Icmp::Ne), [x != y]);
        for (signed, [lt, le, gt, ge]) in [
            (false, [Icmp::Ult, Icmp::Ule, Icmp::Ugt, Icmp::Uge]),
            (true, [Icmp::Slt, Icmp::Sle, Icmp::Sgt, Icmp::Sge]),
        ] {
            let (below, above) = (r::less(x, y, signed), r::less(y, x, signed));
            assert_eq!(compared(lt), [below]);
            assert_eq!(compared(le), [!above]);
            assert_eq!(compared(gt), [above]);
            assert_eq!(compared(ge), [!below]);
        }
        let least = |signed| if r::less(x, y, signed) { (x, y) } else { (y, x) };
        assert_eq!(binary_of(BinOp::UMin, x, y, when), *least(false).0);
        assert_eq!(binary_of(BinOp::UMax, x, y, when), *least(false).1);
        assert_eq!(binary_of(BinOp::SMin, x, y, when), *least(true).0);
        assert_eq!(binary_of(BinOp::SMax, x, y, when), *least(true).1);
    });
}

#[test]
fn overflow_is_reported_where_the_result_does_not_fit() {
    for_pairs(|x, y, when| {
        let bits = x.len();
        for (op, signed) in [
            (OverflowOp::UAdd, false),
            (OverflowOp::USub, false),
            (OverflowOp::UMul, false),
            (OverflowOp::SAdd, true),
            (OverflowOp::SSub, true),
            (OverflowOp::SMul, true),
        ] {
            let (a, b) = (r::resize(x, 2 * bits, signed), r::resize(y, 2 * bits, signed));
            let exact = match op {
                OverflowOp::UAdd | OverflowOp::SAdd => r::add(&a, &b, false),
                OverflowOp::USub | OverflowOp::SSub => r::sub(&a, &b),
                OverflowOp::UMul | OverflowOp::SMul => r::mul(&a, &b),
            };
            let wrapped = r::resize(&exact, bits, false);
            let overflows = r::resize(&wrapped, 2 * bits, signed) != exact;
            let expected: Bits = wrapped.iter().copied().chain([overflows]).collect();
            let got = run(&[(x, When::Later), (y, when)], |b, a| {
                let (mut result, overflows) = super::overflow(b, op, &a[0], &a[1]);
                result.push(overflows);
                result
            });
            assert_eq!(got, expected, "{op:?}");
            let clamped = match op {
                OverflowOp::UAdd => BinOp::UAddSat,
                OverflowOp::USub => BinOp::USubSat,
                OverflowOp::SAdd => BinOp::SAddSat,
                OverflowOp::SSub => BinOp::SSubSat,
                OverflowOp::UMul | OverflowOp::SMul => continue,
            };
            let negative = exact[2 * bits - 1];
            let limit = (0..bits).map(|n| (n + 1 == bits && signed) == negative).collect();
            let expected = if overflows { limit } else { wrapped };
            assert_eq!(binary_of(clamped, x, y, when), expected, "{clamped:?}");
        }
    });
}

#[test]
fn bit_counts_and_reversals() {
    let number =
        |n: usize, bits: usize| -> Bits { (0..bits).map(|k| k < 32 && n >> k & 1 == 1).collect() };
    let check = |x: &Bits, when| {
        let bits = x.len();
        let unary = |op| run(&[(x, when)], |b, a| super::unary(b, op, &a[0]));
        let zeros = |all: &mut dyn Iterator<Item = &bool>| all.take_while(|&&bit| !bit).count();
        assert_eq!(unary(UnOp::Ctpop), number(x.iter().filter(|&&bit| bit).count(), bits));
        assert_eq!(unary(UnOp::Cttz), number(zeros(&mut x.iter()), bits));
        assert_eq!(unary(UnOp::Ctlz), number(zeros(&mut x.iter().rev()), bits));
        assert_eq!(unary(UnOp::BitReverse), x.iter().rev().copied().collect::<Bits>());
        let negated = r::sub(&vec![false; bits], x);
        assert_eq!(unary(UnOp::Abs), if x[bits - 1] { negated } else { x.clone() });
        if bits.is_multiple_of(16) {
            assert_eq!(unary(UnOp::Bswap), x.rchunks(8).flatten().copied().collect::<Bits>());
        }
    };
    for_pairs(|x, _, when| check(x, when));
    for bits in WIDTHS {
        check(&vec![false; bits as usize], When::Later);
    }
}

#[test]
fn truncation_and_extension() {
    let mut random = Random(7);
    let all = [1, 8, 63, 64, 65, 100, 127, 128, 129, 144, 191, 192, 193, 256, 300, 1024];
    for from in all {
        for to in all.into_iter().filter(|&to| to != from && to.max(from) > 128) {
            let x = random.bits(from);
            for (signed, when) in [(false, When::Later), (true, When::Later), (true, When::Known)] {
                let got = run(&[(&x, when)], |b, a| {
                    let result = super::resize(b, &a[0], to, signed);
                    let tys: Vec<Ty> = result.iter().map(|&o| b.ty(o)).collect();
                    assert_eq!(tys, integer(to));
                    result
                });
                assert_eq!(got, r::resize(&x, to as usize, signed), "{from} to {to}");
            }
        }
    }
}

#[test]
fn division_and_variable_funnel_shifts_are_unsupported() {
    let x = Random(3).bits(144);
    run(&[(&x, When::Later)], |b, a| {
        assert_eq!(super::binary(b, BinOp::UDiv, &a[0], &a[0]), None);
        assert_eq!(super::funnel(b, true, &a[0], &a[0], &a[0]), None);
        a[0].clone()
    });
}
