//! Decodes a handler's data and arguments.

use byway_base::float::{self, Format};
use byway_base::{FaultKind, int};

use super::{UbsanCheck, UbsanHandler};

/// Bytes of the longest name of a type or file that is shown.
const LONGEST_NAME: u64 = 256;
/// Bytes of a source location: the file's name, line and column.
const LOCATION: u64 = 16;

/// The data and arguments of a handler's call. Every read may fail: the data is the program's.
pub struct HandlerData<'a> {
    /// The arguments; the first is the address of the static data.
    pub args: &'a [u64],
    /// Reads memory.
    pub read: &'a mut dyn FnMut(u64, u64) -> Option<Vec<u8>>,
    /// The name of the function at an address.
    pub function: &'a dyn Fn(u64) -> Option<String>,
}

/// A type as the sanitizer describes it.
struct TypeDescription {
    /// In quotes, such as `'int'`.
    name: String,
    class: TypeClass,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum TypeClass {
    Signed(u32),
    Unsigned(u32),
    Float(u32),
    Other,
}

/// A value of a described type.
#[derive(Copy, Clone)]
enum TypedValue {
    Signed(i128),
    Unsigned(u128),
    Float(f64),
}

impl std::fmt::Display for TypedValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TypedValue::Signed(value) => value.fmt(f),
            TypedValue::Unsigned(value) => value.fmt(f),
            TypedValue::Float(value) if value.abs() >= 1e16 => write!(f, "{value:e}"),
            TypedValue::Float(value) => value.fmt(f),
        }
    }
}

impl TypedValue {
    fn is_negative(self) -> bool {
        matches!(self, TypedValue::Signed(value) if value < 0)
    }

    fn is(self, number: i128) -> bool {
        match self {
            TypedValue::Signed(value) => value == number,
            TypedValue::Unsigned(value) => i128::try_from(value) == Ok(number),
            TypedValue::Float(_) => false,
        }
    }
}

impl HandlerData<'_> {
    /// The fault that a call of the handler reports.
    pub fn fault(&mut self, handler: UbsanHandler) -> (FaultKind, String) {
        let (kind, message) = handler.check.general_fault();
        let decoded = if handler.minimal { None } else { self.decode(handler.check) };
        decoded.unwrap_or_else(|| (kind, message.into()))
    }

    /// The source location in the static data, as `file:line:column`.
    pub fn location(&mut self) -> Option<String> {
        let at = self.arg(0)?;
        let file = self.word(at, 8)?;
        let (line, column) = (self.word(at + 8, 4)?, self.word(at + 12, 4)?);
        let file = self.text(file)?;
        (line != 0).then(|| format!("{file}:{line}:{column}"))
    }

    fn decode(&mut self, check: UbsanCheck) -> Option<(FaultKind, String)> {
        match check {
            UbsanCheck::AddOverflow => self.overflow("+"),
            UbsanCheck::SubOverflow => self.overflow("-"),
            UbsanCheck::MulOverflow => self.overflow("*"),
            UbsanCheck::NegateOverflow => {
                let ty = self.described(0)?;
                let value = self.value(&ty, 1)?;
                Some((overflow_kind(&ty), format!("-({value}) does not fit type {}", ty.name)))
            }
            UbsanCheck::DivremOverflow => self.division(),
            UbsanCheck::ShiftOutOfBounds => self.shift(),
            UbsanCheck::OutOfBounds => {
                let (array, index) = (self.described(0)?, self.described(1)?);
                let index = self.value(&index, 1)?;
                let message = format!("index {index} is out of bounds for type {}", array.name);
                Some((FaultKind::ArrayIndex, message))
            }
            UbsanCheck::VlaBound => {
                let ty = self.described(0)?;
                let bound = self.value(&ty, 1)?;
                let message = format!("the length of a variable-length array is {bound}");
                Some((FaultKind::VlaBound, message))
            }
            UbsanCheck::FloatCast => {
                let (from, to) = (self.described(0)?, self.described(1)?);
                let value = self.value(&from, 1)?;
                let message = format!("{value} is outside the range of type {}", to.name);
                Some((FaultKind::FloatCastOverflow, message))
            }
            UbsanCheck::LoadInvalidValue => {
                let ty = self.described(0)?;
                let value = self.value(&ty, 1)?;
                Some((FaultKind::InvalidValue, format!("{value} is no value of type {}", ty.name)))
            }
            UbsanCheck::ImplicitConversion => self.conversion(),
            UbsanCheck::InvalidBuiltin => {
                let message = match self.byte_after_location(0)? {
                    0 => "a count of trailing zeros is undefined for the argument 0",
                    1 => "a count of leading zeros is undefined for the argument 0",
                    _ => "an assumption of the program does not hold",
                };
                Some((FaultKind::InvalidBuiltin, message.into()))
            }
            UbsanCheck::FunctionType => {
                let ty = self.described(0)?;
                let callee = self.arg(1)?;
                let callee =
                    (self.function)(callee).unwrap_or_else(|| format!("address {callee:#x}"));
                let message = format!("call of {callee} through a pointer of type {}", ty.name);
                Some((FaultKind::FunctionType, message))
            }
            UbsanCheck::NonnullArgument => {
                let at = self.arg(0)?;
                let number = self.word(at + 2 * LOCATION, 4)?;
                let message = format!("argument {number} must not be null, but is");
                Some((FaultKind::UnexpectedNull, message))
            }
            UbsanCheck::PointerOverflow => self.pointer_arithmetic(),
            UbsanCheck::TypeMismatch => self.type_mismatch(),
            UbsanCheck::AlignmentAssumption => {
                let (pointer, align, offset) = (self.arg(1)?, self.arg(2)?, self.arg(3)?);
                let from = match offset {
                    0 => String::new(),
                    offset => format!(" at an offset of {offset}"),
                };
                let message =
                    format!("address {pointer:#x} is assumed to be a multiple of {align}{from}");
                Some((FaultKind::Misaligned, message))
            }
            _ => None,
        }
    }

    fn overflow(&mut self, sign: &str) -> Option<(FaultKind, String)> {
        let ty = self.described(0)?;
        let (a, b) = (self.value(&ty, 1)?, self.value(&ty, 2)?);
        Some((overflow_kind(&ty), format!("{a} {sign} {b} does not fit type {}", ty.name)))
    }

    fn division(&mut self) -> Option<(FaultKind, String)> {
        let ty = self.described(0)?;
        let (a, b) = (self.value(&ty, 1)?, self.value(&ty, 2)?);
        if b.is(-1) {
            let message = format!("{a} / {b} does not fit type {}", ty.name);
            return Some((FaultKind::DivisionOverflow, message));
        }
        let message = format!("division of {a} by zero, of type {}", ty.name);
        Some((FaultKind::DivisionByZero, message))
    }

    fn shift(&mut self) -> Option<(FaultKind, String)> {
        let (ty, amount) = (self.described(0)?, self.described(1)?);
        let (value, by) = (self.value(&ty, 1)?, self.value(&amount, 2)?);
        let width = match ty.class {
            TypeClass::Signed(bits) | TypeClass::Unsigned(bits) => i128::from(bits),
            _ => return None,
        };
        let in_range = match by {
            TypedValue::Signed(by) => (0..width).contains(&by),
            TypedValue::Unsigned(by) => by < width.unsigned_abs(),
            TypedValue::Float(_) => return None,
        };
        let name = &ty.name;
        let message = if !in_range {
            format!("shift of type {name}, of {width} bits, by {by}")
        } else if value.is_negative() {
            format!("left shift of {value}, which is negative")
        } else {
            format!("{value} << {by} does not fit type {name}")
        };
        Some((FaultKind::InvalidShift, message))
    }

    fn conversion(&mut self) -> Option<(FaultKind, String)> {
        let (from, to) = (self.described(0)?, self.described(1)?);
        let (old, new) = (self.value(&from, 1)?, self.value(&to, 2)?);
        let (from, to) = (from.name, to.name);
        let message = format!("{old} of type {from} becomes {new} in the conversion to type {to}");
        Some((FaultKind::ImplicitConversion, message))
    }

    fn pointer_arithmetic(&mut self) -> Option<(FaultKind, String)> {
        let (base, result) = (self.arg(1)?, self.arg(2)?);
        let message = match (base, result) {
            (0, offset) => format!("an offset of {} is added to a null pointer", offset as i64),
            (base, 0) => format!("an offset added to the pointer {base:#x} gives null"),
            (base, result) => {
                format!("an offset added to the pointer {base:#x} overflows to {result:#x}")
            }
        };
        Some((FaultKind::PointerOverflow, message))
    }

    fn type_mismatch(&mut self) -> Option<(FaultKind, String)> {
        let ty = self.described(0)?.name;
        let align = 1u64.checked_shl(u32::from(self.byte_after_location(8)?))?;
        let action = action(self.byte_after_location(9)?);
        let pointer = self.arg(1)?;
        Some(if pointer == 0 {
            let message = format!("{action} type {ty} through a null pointer");
            (FaultKind::NullDereference, message)
        } else if pointer % align != 0 {
            let message =
                format!("{action} type {ty} at address {pointer:#x}, not a multiple of {align}");
            (FaultKind::Misaligned, message)
        } else {
            let message = format!("{action} type {ty} in an object that is too small for it");
            (FaultKind::OutOfBounds, message)
        })
    }

    fn arg(&self, index: usize) -> Option<u64> {
        self.args.get(index).copied()
    }

    fn word(&mut self, at: u64, len: u64) -> Option<u64> {
        let bytes = (self.read)(at, len)?;
        let mut word = [0; 8];
        word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        Some(u64::from_le_bytes(word))
    }

    fn byte_after_location(&mut self, offset: u64) -> Option<u8> {
        let at = self.arg(0)?.checked_add(LOCATION + offset)?;
        self.word(at, 1).map(|byte| byte as u8)
    }

    /// The bytes up to the next zero. Names are short, and reads past their object fail.
    fn text(&mut self, at: u64) -> Option<String> {
        let mut bytes = Vec::new();
        for offset in 0..LONGEST_NAME {
            match self.word(at.checked_add(offset)?, 1)? as u8 {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The type number `index` of the static data.
    fn described(&mut self, index: u64) -> Option<TypeDescription> {
        let pointer = self.arg(0)?.checked_add(LOCATION + 8 * index)?;
        let at = self.word(pointer, 8)?;
        let (class, info) = (self.word(at, 2)?, self.word(at.checked_add(2)?, 2)?);
        let name = self.text(at + 4)?;
        let class = match (class, info) {
            (0, info) if info >> 1 <= 7 => integer(info & 1 == 1, 1 << (info >> 1)),
            (1, bits) => TypeClass::Float(bits as u32),
            // The exact width of a bit-precise integer follows its name.
            (2, info) => integer(info & 1 == 1, self.word(at + 5 + name.len() as u64, 4)? as u32),
            _ => TypeClass::Other,
        };
        Some(TypeDescription { name, class })
    }

    /// The value of argument `index`.
    fn value(&mut self, ty: &TypeDescription, index: usize) -> Option<TypedValue> {
        let arg = self.arg(index)?;
        let bits = match ty.class {
            TypeClass::Signed(bits) | TypeClass::Unsigned(bits) | TypeClass::Float(bits) => bits,
            TypeClass::Other => return None,
        };
        let value = match bits {
            1..=64 => u128::from(arg),
            65..=128 => {
                let mut value = [0; 16];
                let bytes = (self.read)(arg, u64::from(bits.div_ceil(8)))?;
                value.get_mut(..bytes.len())?.copy_from_slice(&bytes);
                u128::from_le_bytes(value)
            }
            _ => return None,
        };
        Some(match ty.class {
            TypeClass::Signed(bits) => TypedValue::Signed(int::signed(value, bits)),
            TypeClass::Unsigned(bits) => TypedValue::Unsigned(int::cut(value, bits)),
            _ => {
                let format = match bits {
                    16 => Format::Half,
                    32 => Format::F32,
                    64 => Format::F64,
                    80 => Format::F80,
                    128 => Format::F128,
                    _ => return None,
                };
                let double = float::convert(format, Format::F64, int::cut(value, bits));
                TypedValue::Float(f64::from_bits(double as u64))
            }
        })
    }
}

fn integer(signed: bool, bits: u32) -> TypeClass {
    if signed { TypeClass::Signed(bits) } else { TypeClass::Unsigned(bits) }
}

fn overflow_kind(ty: &TypeDescription) -> FaultKind {
    match ty.class {
        TypeClass::Unsigned(_) => FaultKind::UnsignedOverflow,
        _ => FaultKind::SignedOverflow,
    }
}

/// What the program does with a pointer, by the sanitizer's number.
fn action(number: u8) -> &'static str {
    match number {
        0 => "load of",
        1 => "store to",
        2 => "reference to",
        3 => "access to a member of",
        4 => "call of a member of",
        5 => "construction of",
        6 | 7 => "downcast to",
        8 => "upcast to",
        9 => "cast to the virtual base",
        10 => "binding of a non-null pointer to",
        _ => "use of",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data at address 16, the types after it, then names.
    struct FakeMemory(Vec<u8>);

    impl FakeMemory {
        fn new() -> Self {
            FakeMemory(vec![0; 256])
        }

        fn put(&mut self, at: usize, bytes: &[u8]) {
            self.0[at..at + bytes.len()].copy_from_slice(bytes);
        }

        /// Makes the type number `index` of the data at 16.
        fn describe(&mut self, index: usize, class: u16, info: u16, name: &str) {
            let at = 80 + 40 * index;
            self.put(32 + 8 * index, &(at as u64).to_le_bytes());
            self.put(at, &class.to_le_bytes());
            self.put(at + 2, &info.to_le_bytes());
            self.put(at + 4, name.as_bytes());
        }

        fn fault(&self, name: &str, args: &[u64]) -> (FaultKind, String) {
            let args: Vec<u64> = [16].iter().chain(args).copied().collect();
            let read = &mut |at: u64, len: u64| {
                self.0.get(at as usize..(at + len) as usize).map(<[u8]>::to_vec)
            };
            let handler = UbsanHandler::by_name(&format!("__ubsan_handle_{name}")).expect("known");
            let function = &|at: u64| (at == 99).then(|| "callback".to_string());
            HandlerData { args: &args, read, function }.fault(handler)
        }
    }

    const MINUS_ONE: u64 = u32::MAX as u64;

    #[test]
    fn integers_are_shown_with_their_signs() {
        let mut memory = FakeMemory::new();
        memory.describe(0, 0, 11, "'int'");
        let (kind, message) = memory.fault("sub_overflow_abort", &[0x8000_0000, 1]);
        assert_eq!(kind, FaultKind::SignedOverflow);
        assert_eq!(message, "-2147483648 - 1 does not fit type 'int'");
        let (kind, message) = memory.fault("divrem_overflow", &[0x8000_0000, MINUS_ONE]);
        assert_eq!(kind, FaultKind::DivisionOverflow);
        assert_eq!(message, "-2147483648 / -1 does not fit type 'int'");
        memory.describe(0, 0, 10, "'unsigned int'");
        let (kind, message) = memory.fault("add_overflow", &[MINUS_ONE, 1]);
        assert_eq!(kind, FaultKind::UnsignedOverflow);
        assert_eq!(message, "4294967295 + 1 does not fit type 'unsigned int'");
    }

    #[test]
    fn shifts_tell_what_is_wrong() {
        let mut memory = FakeMemory::new();
        memory.describe(0, 0, 11, "'int'");
        memory.describe(1, 0, 11, "'int'");
        let message = |value, by| memory.fault("shift_out_of_bounds", &[value, by]).1;
        assert_eq!(message(1, 32), "shift of type 'int', of 32 bits, by 32");
        assert_eq!(message(1, MINUS_ONE), "shift of type 'int', of 32 bits, by -1");
        assert_eq!(message(MINUS_ONE, 1), "left shift of -1, which is negative");
        assert_eq!(message(3, 31), "3 << 31 does not fit type 'int'");
    }

    #[test]
    fn floats_and_wide_integers_are_decoded() {
        let mut memory = FakeMemory::new();
        memory.describe(0, 1, 64, "'double'");
        memory.describe(1, 0, 11, "'int'");
        let (kind, message) = memory.fault("float_cast_overflow", &[1e10f64.to_bits()]);
        assert_eq!(kind, FaultKind::FloatCastOverflow);
        assert_eq!(message, "10000000000 is outside the range of type 'int'");
        memory.describe(0, 0, 15, "'__int128'");
        memory.put(200, &(-5i128).to_le_bytes());
        assert_eq!(memory.fault("negate_overflow", &[200]).1, "-(-5) does not fit type '__int128'");
    }

    #[test]
    fn pointers_are_told_apart() {
        let mut memory = FakeMemory::new();
        memory.describe(0, 0xffff, 0, "'int'");
        memory.put(40, &[2, 1]);
        let kind = |pointer| memory.fault("type_mismatch_v1", &[pointer]).0;
        assert_eq!(kind(0), FaultKind::NullDereference);
        assert_eq!(kind(6), FaultKind::Misaligned);
        assert_eq!(kind(8), FaultKind::OutOfBounds);
        let (kind, message) = memory.fault("function_type_mismatch", &[99]);
        assert_eq!(kind, FaultKind::FunctionType);
        assert_eq!(message, "call of callback through a pointer of type 'int'");
    }

    #[test]
    fn without_data_the_message_is_general() {
        let memory = FakeMemory(Vec::new());
        for name in ["add_overflow", "add_overflow_minimal", "add_overflow_minimal_abort"] {
            let (kind, message) = memory.fault(name, &[1, 2]);
            assert_eq!((kind, &*message), (FaultKind::SignedOverflow, "an addition overflowed"));
        }
        let (kind, _) = memory.fault("of_the_future", &[]);
        assert_eq!(kind, FaultKind::Trap);
    }
}
