//! The registers, flags and operands that inline assembly works on, as values of the IR.
//!
//! Every register holds 64 bits. An operand whose constraint names no register gets an
//! extra register of its own: a compiler may always make that choice. A register without
//! an initial value is zero.

use byway_ir::{BinOp, CastOp, FunctionBuilder, Icmp, Operand, Scaled, Ty};

use super::condition::{Condition, FlagTest};
use super::constraints::{Constraint, OperandLocation};
use super::register::{self, Register, RegisterPart};
use super::template::{AddressRegister, Displacement, OperandRef, TemplateOperand};
use crate::intrinsics::const_bits;
use crate::lower::limbs::{extend, narrow};

/// The machine state while the statements of a template are lowered.
pub struct AsmMachine<'b> {
    /// The builder that receives the IR instructions.
    pub b: &'b mut FunctionBuilder,
    /// The flags after the last statement.
    pub flags: CpuFlags,
    registers: Vec<Operand>,
    call_operands: Vec<CallOperand>,
}

/// The processor's flags, each an `i1`; `None` where its value is undefined or not modelled.
#[derive(Copy, Clone, Default)]
pub struct CpuFlags {
    /// Carry of a sum, borrow of a difference.
    pub carry: Option<Operand>,
    /// Signed overflow.
    pub overflow: Option<Operand>,
    /// The result is zero.
    pub zero: Option<Operand>,
    /// The result is negative.
    pub sign: Option<Operand>,
}

/// Location of an operand of the call, chosen by its constraint.
#[derive(Copy, Clone)]
enum CallOperand {
    /// The register's number, and the width of the operand's type in bits.
    Register(usize, u32),
    /// The operand's address.
    Memory(Operand),
    /// A constant, sign-extended to 64 bits.
    Constant(Operand),
    /// An output computed from the flags.
    Flags(Condition),
}

/// An operand of an assembly instruction, resolved to its location.
#[derive(Copy, Clone)]
pub enum AsmOperand {
    /// A register's number, and the part of it.
    Register(usize, RegisterPart),
    /// The operand's address.
    Memory(Operand),
    /// An `i64` encoded in the instruction.
    Immediate(Operand),
}

impl AsmOperand {
    /// The width in bits; `None` where only the mnemonic gives it.
    pub fn bits(self) -> Option<u32> {
        match self {
            AsmOperand::Register(_, part) => Some(part.bits()),
            AsmOperand::Memory(_) | AsmOperand::Immediate(_) => None,
        }
    }
}

/// The integer type of this width.
pub fn int(bits: u32) -> Ty {
    Ty::Int(bits as u8)
}

impl<'b> AsmMachine<'b> {
    /// Assigns a location to every operand of the call and loads the arguments. `results`
    /// are the types of the outputs that the call returns.
    pub fn new(
        b: &'b mut FunctionBuilder,
        constraints: &[Constraint],
        args: &[Operand],
        results: &[Ty],
    ) -> Option<Self> {
        let zero = b.bits(int(64), 0);
        let registers = vec![zero; register::COUNT];
        let mut machine =
            AsmMachine { b, flags: CpuFlags::default(), registers, call_operands: Vec::new() };
        let (mut args, mut results) = (args.iter(), results.iter());
        for constraint in constraints {
            let arg = if constraint.takes_argument() { Some(*args.next()?) } else { None };
            let ty = match arg {
                Some(arg) => machine.b.ty(arg),
                None => *results.next()?,
            };
            machine.bind(constraint.location, ty, arg)?;
        }
        (args.next().is_none() && results.next().is_none()).then_some(machine)
    }

    fn bind(&mut self, location: OperandLocation, ty: Ty, arg: Option<Operand>) -> Option<()> {
        let bits = match ty {
            Ty::Int(bits @ 1..=8) if bits == 1 || bits == 8 => 8,
            Ty::Int(bits @ (16 | 32 | 64)) => bits.into(),
            Ty::Ptr => 64,
            _ => return None,
        };
        let constant = arg.filter(|&arg| const_bits(self.b, arg).is_some());
        let operand = match (location, constant) {
            (OperandLocation::Memory, _) => CallOperand::Memory(arg.filter(|_| ty == Ty::Ptr)?),
            (OperandLocation::Flags(condition), _) => CallOperand::Flags(condition),
            (OperandLocation::Constant, None) => return None,
            (
                OperandLocation::Constant | OperandLocation::Register { or_constant: true, .. },
                Some(arg),
            ) => {
                let bits = const_bits(self.b, arg)?;
                let value = byway_base::int::sext(bits, ty.bits(), 64);
                CallOperand::Constant(self.b.bits(int(64), value))
            }
            (OperandLocation::Register { number, .. }, _) => CallOperand::Register(number, bits),
            (OperandLocation::AnyRegister, _) => {
                let zero = self.b.bits(int(64), 0);
                self.registers.push(zero);
                CallOperand::Register(self.registers.len() - 1, bits)
            }
            (OperandLocation::Tied(output), _) => match *self.call_operands.get(output)? {
                CallOperand::Register(number, _) => CallOperand::Register(number, bits),
                _ => return None,
            },
        };
        if let (CallOperand::Register(number, _), Some(arg)) = (operand, arg) {
            self.registers[number] = self.as_word(arg);
        }
        self.call_operands.push(operand);
        Some(())
    }

    /// The outputs that the call returns, in the order of the constraints.
    pub fn results(&mut self, constraints: &[Constraint], types: &[Ty]) -> Option<Vec<Operand>> {
        let direct = (0..constraints.len()).filter(|&n| !constraints[n].takes_argument());
        let outputs: Vec<usize> = direct.collect();
        outputs.into_iter().zip(types).map(|(n, &ty)| self.result(n, ty)).collect()
    }

    fn result(&mut self, output: usize, ty: Ty) -> Option<Operand> {
        let value = match self.call_operands[output] {
            CallOperand::Register(number, _) => self.registers[number],
            CallOperand::Flags(condition) => {
                let bit = self.condition(condition)?;
                extend(self.b, bit, 64, false)
            }
            CallOperand::Memory(_) | CallOperand::Constant(_) => return None,
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

    /// Resolves an operand of the template to its location.
    pub fn resolve(&mut self, operand: &TemplateOperand) -> Option<AsmOperand> {
        Some(match *operand {
            TemplateOperand::Register(Register { number, part }) => {
                AsmOperand::Register(number, part)
            }
            TemplateOperand::Immediate(number) => {
                AsmOperand::Immediate(self.b.int(64, number.into()))
            }
            TemplateOperand::Operand(operand) => self.operand(operand)?,
            TemplateOperand::Memory { displacement, base, index, scale } => {
                AsmOperand::Memory(self.address(displacement, base, index, scale)?)
            }
        })
    }

    fn operand(&mut self, OperandRef { index, modifier }: OperandRef) -> Option<AsmOperand> {
        Some(match (*self.call_operands.get(index)?, modifier) {
            (CallOperand::Register(number, _), Some('a')) => {
                let value = self.registers[number];
                AsmOperand::Memory(self.b.cast(CastOp::IntToPtr, value, Ty::Ptr))
            }
            (CallOperand::Register(number, bits), modifier) => {
                let part = match modifier {
                    None => RegisterPart::Low(bits),
                    Some('b') => RegisterPart::Low(8),
                    Some('w') => RegisterPart::Low(16),
                    Some('k') => RegisterPart::Low(32),
                    Some('q') => RegisterPart::Low(64),
                    Some('h') => RegisterPart::High,
                    Some(_) => return None,
                };
                AsmOperand::Register(number, part)
            }
            (CallOperand::Memory(address), None) => AsmOperand::Memory(address),
            (CallOperand::Constant(value), None) => AsmOperand::Immediate(value),
            (CallOperand::Memory(_) | CallOperand::Constant(_) | CallOperand::Flags(_), _) => {
                return None;
            }
        })
    }

    fn address(
        &mut self,
        displacement: Displacement,
        base: Option<AddressRegister>,
        index: Option<AddressRegister>,
        scale: i64,
    ) -> Option<Operand> {
        let offset = match displacement {
            Displacement::Number(number) => number,
            Displacement::Operand(operand) => match *self.call_operands.get(operand)? {
                CallOperand::Constant(value) => const_bits(self.b, value)? as i64,
                _ => return None,
            },
        };
        let base = match base {
            Some(register) => self.address_register(register)?,
            None => self.b.bits(int(64), 0),
        };
        let base = self.b.cast(CastOp::IntToPtr, base, Ty::Ptr);
        let scaled = match index {
            Some(register) => Some(Scaled { index: self.address_register(register)?, scale }),
            None => None,
        };
        Some(self.b.ptr_add(base, offset, scaled, false))
    }

    /// The value of a register used in an address; `None` unless it is a 64-bit register.
    fn address_register(&self, register: AddressRegister) -> Option<Operand> {
        let number = match register {
            AddressRegister::Register(register) => {
                Some(register.number).filter(|_| register.part == RegisterPart::Low(64))?
            }
            AddressRegister::Operand(operand) => match *self.call_operands.get(operand)? {
                CallOperand::Register(number, 64) => number,
                _ => return None,
            },
        };
        Some(self.registers[number])
    }

    /// The low `bits` bits of an operand.
    pub fn read(&mut self, operand: AsmOperand, bits: u32) -> Operand {
        match operand {
            AsmOperand::Register(number, RegisterPart::Low(_)) => {
                narrow(self.b, self.registers[number], bits)
            }
            AsmOperand::Register(number, RegisterPart::High) => {
                let eight = self.b.bits(int(64), 8);
                let shifted = self.b.bin(BinOp::LShr, self.registers[number], eight);
                narrow(self.b, shifted, bits)
            }
            AsmOperand::Memory(address) => self.b.load(int(bits), address, 1, false),
            AsmOperand::Immediate(value) => narrow(self.b, value, bits),
        }
    }

    /// Writes a value to an operand; `None` for an immediate.
    pub fn write(&mut self, operand: AsmOperand, value: Operand) -> Option<()> {
        match operand {
            AsmOperand::Register(number, part) => {
                let value = match (self.b.ty(value).bits(), part) {
                    // Writing 32 bits clears the upper half; writing 8 or 16 keeps the other bits.
                    (32 | 64, _) => extend(self.b, value, 64, false),
                    (bits, part) => {
                        let at = if part == RegisterPart::High { 8 } else { 0 };
                        self.merged(self.registers[number], value, bits, at)
                    }
                };
                self.registers[number] = value;
            }
            AsmOperand::Memory(address) => self.b.store(address, value, 1, false),
            AsmOperand::Immediate(_) => return None,
        }
        Some(())
    }

    /// `word` with `bits` bits from bit `at` on replaced by `value`.
    fn merged(&mut self, word: Operand, value: Operand, bits: u32, at: u32) -> Operand {
        let mask = !(((1_u128 << bits) - 1) << at);
        let mask = self.b.bits(int(64), mask);
        let kept = self.b.bin(BinOp::And, word, mask);
        let mut value = extend(self.b, value, 64, false);
        if at > 0 {
            let at = self.b.bits(int(64), at.into());
            value = self.b.bin(BinOp::Shl, value, at);
        }
        self.b.bin(BinOp::Or, kept, value)
    }

    /// The low `bits` bits of a register.
    pub fn register(&mut self, number: usize, bits: u32) -> Operand {
        self.read(AsmOperand::Register(number, RegisterPart::Low(bits)), bits)
    }

    /// Writes the low bits of a register, as many as the value has.
    pub fn set_register(&mut self, number: usize, value: Operand) -> Option<()> {
        let bits = self.b.ty(value).bits();
        self.write(AsmOperand::Register(number, RegisterPart::Low(bits)), value)
    }

    /// Whether a condition holds, as an `i1`; `None` if it depends on an unknown flag.
    pub fn condition(&mut self, condition: Condition) -> Option<Operand> {
        let flags = self.flags;
        let holds = match condition.test {
            FlagTest::Overflow => flags.overflow?,
            FlagTest::Carry => flags.carry?,
            FlagTest::Zero => flags.zero?,
            FlagTest::Sign => flags.sign?,
            FlagTest::CarryOrZero => self.b.bin(BinOp::Or, flags.carry?, flags.zero?),
            FlagTest::Less => self.b.bin(BinOp::Xor, flags.sign?, flags.overflow?),
            FlagTest::LessOrZero => {
                let less = self.b.bin(BinOp::Xor, flags.sign?, flags.overflow?);
                self.b.bin(BinOp::Or, less, flags.zero?)
            }
        };
        Some(if condition.negated { self.negate(holds) } else { holds })
    }

    /// `!bit`, for an `i1`.
    pub fn negate(&mut self, bit: Operand) -> Operand {
        let one = self.b.bits(Ty::BOOL, 1);
        self.b.bin(BinOp::Xor, bit, one)
    }

    /// `value == 0`.
    pub fn is_zero(&mut self, value: Operand) -> Operand {
        let zero = self.b.bits(self.b.ty(value), 0);
        self.b.icmp(Icmp::Eq, value, zero)
    }

    /// `value < 0`, signed.
    pub fn is_negative(&mut self, value: Operand) -> Operand {
        let zero = self.b.bits(self.b.ty(value), 0);
        self.b.icmp(Icmp::Slt, value, zero)
    }
}
