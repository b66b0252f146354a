//! The registers, flags and operands that inline assembly works on, as values of the IR.
//!
//! Every register holds 64 bits. An operand without a register of its own gets one that
//! is nobody else's, which is always a sound choice of the compiler's. A register nobody
//! gave a value is zero.

use byway_ir::{BinOp, CastOp, FunctionBuilder, Icmp, Operand, Scaled, Ty};

use super::condition::{Condition, Test};
use super::constraints::{Constraint, Place as Constrained};
use super::register::{self, Part, Register};
use super::template::{Displacement, Holder, OperandRef, Written};
use crate::intrinsics::const_bits;
use crate::lower::limbs::{extend, narrow};

/// The machine while a text of assembly is worked off.
pub struct Machine<'b> {
    /// Where instructions go.
    pub b: &'b mut FunctionBuilder,
    /// The flags.
    pub flags: Flags,
    registers: Vec<Operand>,
    slots: Vec<Slot>,
}

/// The flags, each a bit; none where an instruction leaves it undefined.
#[derive(Copy, Clone, Default)]
pub struct Flags {
    /// Carry, borrow.
    pub carry: Option<Operand>,
    /// Signed overflow.
    pub overflow: Option<Operand>,
    /// The result is zero.
    pub zero: Option<Operand>,
    /// The result is negative.
    pub sign: Option<Operand>,
}

/// Where an operand of the call lies.
#[derive(Copy, Clone)]
enum Slot {
    /// In a register, of which its type takes so many bits.
    Register(usize, u32),
    /// At an address.
    Memory(Operand),
    /// It is a number.
    Constant(Operand),
    /// It is a result taken from the flags.
    Flags(Condition),
}

/// Where an operand of an instruction lies.
#[derive(Copy, Clone)]
pub enum Place {
    /// In a part of a register.
    Register(usize, Part),
    /// At an address.
    Memory(Operand),
    /// In the instruction: an `i64`.
    Immediate(Operand),
}

impl Place {
    /// The width it has by itself.
    pub fn bits(self) -> Option<u32> {
        match self {
            Place::Register(_, part) => Some(part.bits()),
            Place::Memory(_) | Place::Immediate(_) => None,
        }
    }
}

/// An integer type of so many bits.
pub fn int(bits: u32) -> Ty {
    Ty::Int(bits as u8)
}

impl<'b> Machine<'b> {
    /// Puts the arguments where the constraints want them. `results` are the types of the
    /// outputs that are returned.
    pub fn new(
        b: &'b mut FunctionBuilder,
        constraints: &[Constraint],
        args: &[Operand],
        results: &[Ty],
    ) -> Option<Self> {
        let zero = b.bits(int(64), 0);
        let registers = vec![zero; register::COUNT];
        let mut machine = Machine { b, flags: Flags::default(), registers, slots: Vec::new() };
        let (mut args, mut results) = (args.iter(), results.iter());
        for constraint in constraints {
            let arg = if constraint.takes_argument() { Some(*args.next()?) } else { None };
            let ty = match arg {
                Some(arg) => machine.b.ty(arg),
                None => *results.next()?,
            };
            machine.lay(constraint.place, ty, arg)?;
        }
        (args.next().is_none() && results.next().is_none()).then_some(machine)
    }

    fn lay(&mut self, place: Constrained, ty: Ty, arg: Option<Operand>) -> Option<()> {
        let bits = match ty {
            Ty::Int(bits @ 1..=8) if bits == 1 || bits == 8 => 8,
            Ty::Int(bits @ (16 | 32 | 64)) => bits.into(),
            Ty::Ptr => 64,
            _ => return None,
        };
        let constant = arg.filter(|&arg| const_bits(self.b, arg).is_some());
        let slot = match (place, constant) {
            (Constrained::Memory, _) => Slot::Memory(arg.filter(|_| ty == Ty::Ptr)?),
            (Constrained::Flags(condition), _) => Slot::Flags(condition),
            (Constrained::Constant, None) => return None,
            (
                Constrained::Constant | Constrained::Register { or_constant: true, .. },
                Some(arg),
            ) => {
                let bits = const_bits(self.b, arg)?;
                let value = byway_base::int::sext(bits, ty.bits(), 64);
                Slot::Constant(self.b.bits(int(64), value))
            }
            (Constrained::Register { number, .. }, _) => Slot::Register(number, bits),
            (Constrained::AnyRegister, _) => {
                let zero = self.b.bits(int(64), 0);
                self.registers.push(zero);
                Slot::Register(self.registers.len() - 1, bits)
            }
            (Constrained::Tied(output), _) => match *self.slots.get(output)? {
                Slot::Register(number, _) => Slot::Register(number, bits),
                _ => return None,
            },
        };
        if let (Slot::Register(number, _), Some(arg)) = (slot, arg) {
            self.registers[number] = self.as_word(arg);
        }
        self.slots.push(slot);
        Some(())
    }

    /// The outputs that are returned, in order.
    pub fn results(&mut self, constraints: &[Constraint], types: &[Ty]) -> Option<Vec<Operand>> {
        let direct = (0..constraints.len()).filter(|&n| !constraints[n].takes_argument());
        let outputs: Vec<usize> = direct.collect();
        outputs.into_iter().zip(types).map(|(n, &ty)| self.result(n, ty)).collect()
    }

    fn result(&mut self, slot: usize, ty: Ty) -> Option<Operand> {
        let value = match self.slots[slot] {
            Slot::Register(number, _) => self.registers[number],
            Slot::Flags(condition) => {
                let bit = self.condition(condition)?;
                extend(self.b, bit, 64, false)
            }
            Slot::Memory(_) | Slot::Constant(_) => return None,
        };
        Some(match ty {
            Ty::Ptr => self.b.cast(CastOp::IntToPtr, value, Ty::Ptr),
            ty => narrow(self.b, value, ty.bits()),
        })
    }

    fn as_word(&mut self, value: Operand) -> Operand {
        match self.b.ty(value) {
            Ty::Ptr => self.b.cast(CastOp::PtrToInt, value, int(64)),
            _ => extend(self.b, value, 64, false),
        }
    }

    /// Where a written operand lies.
    pub fn place(&mut self, written: &Written) -> Option<Place> {
        Some(match *written {
            Written::Register(Register { number, part }) => Place::Register(number, part),
            Written::Immediate(number) => Place::Immediate(self.b.int(64, number.into())),
            Written::Operand(operand) => self.operand(operand)?,
            Written::Memory { displacement, base, index, scale } => {
                Place::Memory(self.address(displacement, base, index, scale)?)
            }
        })
    }

    fn operand(&mut self, OperandRef { index, modifier }: OperandRef) -> Option<Place> {
        Some(match (*self.slots.get(index)?, modifier) {
            (Slot::Register(number, _), Some('a')) => {
                let value = self.registers[number];
                Place::Memory(self.b.cast(CastOp::IntToPtr, value, Ty::Ptr))
            }
            (Slot::Register(number, bits), modifier) => {
                let part = match modifier {
                    None => Part::Low(bits),
                    Some('b') => Part::Low(8),
                    Some('w') => Part::Low(16),
                    Some('k') => Part::Low(32),
                    Some('q') => Part::Low(64),
                    Some('h') => Part::High,
                    Some(_) => return None,
                };
                Place::Register(number, part)
            }
            (Slot::Memory(address), None) => Place::Memory(address),
            (Slot::Constant(value), None) => Place::Immediate(value),
            (Slot::Memory(_) | Slot::Constant(_) | Slot::Flags(_), _) => return None,
        })
    }

    fn address(
        &mut self,
        displacement: Displacement,
        base: Option<Holder>,
        index: Option<Holder>,
        scale: i64,
    ) -> Option<Operand> {
        let offset = match displacement {
            Displacement::Number(number) => number,
            Displacement::Operand(operand) => match *self.slots.get(operand)? {
                Slot::Constant(value) => const_bits(self.b, value)? as i64,
                _ => return None,
            },
        };
        let base = match base {
            Some(holder) => self.held(holder)?,
            None => self.b.bits(int(64), 0),
        };
        let base = self.b.cast(CastOp::IntToPtr, base, Ty::Ptr);
        let scaled = match index {
            Some(holder) => Some(Scaled { index: self.held(holder)?, scale }),
            None => None,
        };
        Some(self.b.ptr_add(base, offset, scaled, false))
    }

    /// All of a register that is part of an address.
    fn held(&self, holder: Holder) -> Option<Operand> {
        let number = match holder {
            Holder::Register(register) => {
                Some(register.number).filter(|_| register.part == Part::Low(64))?
            }
            Holder::Operand(operand) => match *self.slots.get(operand)? {
                Slot::Register(number, 64) => number,
                _ => return None,
            },
        };
        Some(self.registers[number])
    }

    /// What lies at a place, so many bits of it.
    pub fn read(&mut self, place: Place, bits: u32) -> Operand {
        match place {
            Place::Register(number, Part::Low(_)) => narrow(self.b, self.registers[number], bits),
            Place::Register(number, Part::High) => {
                let eight = self.b.bits(int(64), 8);
                let shifted = self.b.bin(BinOp::LShr, self.registers[number], eight);
                narrow(self.b, shifted, bits)
            }
            Place::Memory(address) => self.b.load(int(bits), address, 1, false),
            Place::Immediate(value) => narrow(self.b, value, bits),
        }
    }

    /// Puts a value at a place; nothing can be put into an immediate.
    pub fn write(&mut self, place: Place, value: Operand) -> Option<()> {
        match place {
            Place::Register(number, part) => {
                let value = match (self.b.ty(value).bits(), part) {
                    // A half is written with zeros above it; smaller parts by themselves.
                    (32 | 64, _) => extend(self.b, value, 64, false),
                    (bits, part) => {
                        let at = if part == Part::High { 8 } else { 0 };
                        self.merged(self.registers[number], value, bits, at)
                    }
                };
                self.registers[number] = value;
            }
            Place::Memory(address) => self.b.store(address, value, 1, false),
            Place::Immediate(_) => return None,
        }
        Some(())
    }

    /// `word` with `bits` bits of it, from bit `at`, replaced.
    fn merged(&mut self, word: Operand, value: Operand, bits: u32, at: u32) -> Operand {
        let hole = !(((1_u128 << bits) - 1) << at);
        let hole = self.b.bits(int(64), hole);
        let kept = self.b.bin(BinOp::And, word, hole);
        let mut value = extend(self.b, value, 64, false);
        if at > 0 {
            let at = self.b.bits(int(64), at.into());
            value = self.b.bin(BinOp::Shl, value, at);
        }
        self.b.bin(BinOp::Or, kept, value)
    }

    /// So many low bits of a register by its number.
    pub fn register(&mut self, number: usize, bits: u32) -> Operand {
        self.read(Place::Register(number, Part::Low(bits)), bits)
    }

    /// Puts a value into the low bits of a register.
    pub fn set_register(&mut self, number: usize, value: Operand) -> Option<()> {
        let bits = self.b.ty(value).bits();
        self.write(Place::Register(number, Part::Low(bits)), value)
    }

    /// Whether a condition of the flags holds; none if they are not known.
    pub fn condition(&mut self, condition: Condition) -> Option<Operand> {
        let flags = self.flags;
        let holds = match condition.test {
            Test::Overflow => flags.overflow?,
            Test::Carry => flags.carry?,
            Test::Zero => flags.zero?,
            Test::Sign => flags.sign?,
            Test::CarryOrZero => self.b.bin(BinOp::Or, flags.carry?, flags.zero?),
            Test::Less => self.b.bin(BinOp::Xor, flags.sign?, flags.overflow?),
            Test::LessOrZero => {
                let less = self.b.bin(BinOp::Xor, flags.sign?, flags.overflow?);
                self.b.bin(BinOp::Or, less, flags.zero?)
            }
        };
        Some(if condition.negated { self.opposite(holds) } else { holds })
    }

    /// The other bit.
    pub fn opposite(&mut self, bit: Operand) -> Operand {
        let one = self.b.bits(Ty::BOOL, 1);
        self.b.bin(BinOp::Xor, bit, one)
    }

    /// Whether a value is zero.
    pub fn is_zero(&mut self, value: Operand) -> Operand {
        let zero = self.b.bits(self.b.ty(value), 0);
        self.b.icmp(Icmp::Eq, value, zero)
    }

    /// Whether a value is negative.
    pub fn is_negative(&mut self, value: Operand) -> Operand {
        let zero = self.b.bits(self.b.ty(value), 0);
        self.b.icmp(Icmp::Slt, value, zero)
    }
}
