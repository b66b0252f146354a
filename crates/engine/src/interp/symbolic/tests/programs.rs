//! Whole functions: straight lines of random instructions, compiled to bytecode. The
//! interpreter runs them on words, with the operations of its hot loop; here the same
//! bytecode runs with some of the parameters symbolic.

use std::collections::BTreeSet;

use byway_base::{FaultKind, Outcome};
use byway_ir::{BinOp, CastOp, FBinOp, FUnOp, Fcmp, Icmp, Module, OverflowOp, Ty, UnOp};

use super::{End, Lab, slots};
use crate::bytecode::ByteOp;
use crate::program::Program;
use crate::{Checks, ClockKind, Config, Env, Invocation, LongDoubles};

const TYPES: [Ty; 13] = [
    Ty::Int(1),
    Ty::Int(7),
    Ty::Int(8),
    Ty::Int(16),
    Ty::Int(32),
    Ty::Int(33),
    Ty::Int(64),
    Ty::Int(65),
    Ty::Int(128),
    Ty::Ptr,
    Ty::F32,
    Ty::F64,
    Ty::F80,
];

/// The pure operations of the hot loop.
const HOT: [&str; 28] = [
    "Add",
    "Sub",
    "Mul",
    "And",
    "Or",
    "Xor",
    "Shl",
    "LShr",
    "AShr",
    "UDiv",
    "URem",
    "SDiv",
    "SRem",
    "Eq",
    "Ne",
    "Ult",
    "Ule",
    "Slt",
    "Sle",
    "FAdd",
    "FSub",
    "FMul",
    "FDiv",
    "Trunc",
    "Sext",
    "Select",
    "PtrOffset",
    "PtrIndex",
];

/// Bytes that each result takes in the output.
const STRIDE: usize = 16;

/// An environment that collects the program's output.
struct Output(Vec<u8>);

impl Env for Output {
    fn write(&mut self, _fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, i32> {
        Ok(0)
    }

    fn now(&mut self, _clock: ClockKind) -> (i64, i64) {
        (0, 0)
    }
}

/// A function under construction: the types of its values, and its text.
struct Writer<'a> {
    lab: &'a mut Lab,
    values: Vec<Ty>,
    text: String,
}

impl Writer<'_> {
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        *self.lab.rng.pick(all).expect("there are some")
    }

    fn int_ty(&mut self) -> Ty {
        self.one_of(&TYPES[..9])
    }

    fn float_ty(&mut self) -> Ty {
        // Operations of the last type concretise their operands, so keep them rare.
        if self.lab.rng.chance(0.1) { Ty::F80 } else { self.one_of(&[Ty::F32, Ty::F64, Ty::F64]) }
    }

    /// A value of a type, a new one rather than an old one, or a number.
    fn operand(&mut self, ty: Ty) -> String {
        let known = self.values.iter().enumerate().filter(|(_, of)| **of == ty);
        let known: Vec<usize> = known.map(|(i, _)| i).collect();
        if known.is_empty() || self.lab.rng.chance(0.15) {
            return constant(ty, self.lab.value(ty));
        }
        let newest = self.lab.rng.chance(0.5).then(|| known[known.len() - 1]);
        format!("v{}", newest.unwrap_or_else(|| self.one_of(&known)))
    }

    /// Appends an instruction with results of these types.
    fn emit(&mut self, results: &[Ty], instruction: &str) {
        let first = self.values.len();
        self.values.extend(results);
        let results: Vec<String> =
            results.iter().enumerate().map(|(i, ty)| format!("v{}:{ty}", first + i)).collect();
        self.text += &format!("  {} = {instruction}\n", results.join(", "));
    }

    /// Appends an instruction whose operands all have one type.
    fn uniform(&mut self, results: &[Ty], name: &str, operands: &[Ty]) {
        let operands: Vec<String> = operands.iter().map(|&ty| self.operand(ty)).collect();
        self.emit(results, &format!("{name} {}", operands.join(", ")));
    }

    fn instruction(&mut self) {
        let (int, float) = (self.int_ty(), self.float_ty());
        match self.lab.rng.below(16) {
            0..=4 => {
                let op = self.one_of(BinOp::ALL);
                let promises = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
                let nsw = if promises && self.lab.rng.chance(0.3) { " nsw" } else { "" };
                self.uniform(&[int], &format!("{}{nsw}", op.mnemonic()), &[int, int]);
            }
            5 => match self.one_of(UnOp::ALL) {
                UnOp::Bswap => self.uniform(&[Ty::Int(32)], "bswap", &[Ty::Int(32)]),
                op => self.uniform(&[int], op.mnemonic(), &[int]),
            },
            6 => {
                let op = self.one_of(OverflowOp::ALL);
                self.uniform(&[int, Ty::BOOL], op.mnemonic(), &[int, int]);
            }
            7 => {
                let name = self.one_of(&["fshl", "fshr"]);
                self.uniform(&[int], name, &[int; 3]);
            }
            8 | 9 => {
                let (pred, ty) = (self.one_of(Icmp::ALL), self.one_of(&[int, int, Ty::Ptr]));
                self.uniform(&[Ty::BOOL], &format!("icmp {}", pred.mnemonic()), &[ty, ty]);
            }
            10 => {
                let op = self.one_of(FBinOp::ALL);
                self.uniform(&[float], op.mnemonic(), &[float, float]);
            }
            11 => match self.lab.rng.below(4) {
                0 => self.uniform(&[float], "fma", &[float; 3]),
                1 => {
                    let name = format!("fcmp {}", self.one_of(Fcmp::ALL).mnemonic());
                    self.uniform(&[Ty::BOOL], &name, &[float, float]);
                }
                2 => {
                    let (operand, mask) = (self.operand(float), self.lab.rng.below(1 << 10));
                    self.emit(&[Ty::BOOL], &format!("fpclass {operand}, {mask:#x}"));
                }
                _ => {
                    let op = self.one_of(FUnOp::ALL);
                    self.uniform(&[float], op.mnemonic(), &[float]);
                }
            },
            12 => {
                let ty = self.one_of(&TYPES);
                self.uniform(&[ty], "select", &[Ty::BOOL, ty, ty]);
            }
            13 => {
                let (base, offset) = (self.operand(Ty::Ptr), self.lab.number(24));
                let by = match self.lab.rng.below(3) {
                    0 => String::new(),
                    _ => format!(
                        ", {} * {}",
                        self.operand(int),
                        self.one_of(&[1, 8, 24, 1i64 << 40])
                    ),
                };
                let sign = self.one_of(&["", "-"]);
                self.emit(&[Ty::Ptr], &format!("ptradd {base}, {sign}{offset}{by}"));
            }
            _ => self.cast(),
        }
    }

    fn cast(&mut self) {
        let (from, to) = (self.one_of(&TYPES), self.one_of(&TYPES));
        let (narrows, widens) = (from.bits() > to.bits(), from.bits() < to.bits());
        let possible = |op: CastOp| match op {
            CastOp::Trunc => from.is_int() && to.is_int() && narrows,
            CastOp::Zext | CastOp::Sext => from.is_int() && to.is_int() && widens,
            CastOp::FpToSi | CastOp::FpToUi | CastOp::FpToSiSat | CastOp::FpToUiSat => {
                from.is_float() && to.is_int()
            }
            CastOp::SiToFp | CastOp::UiToFp => from.is_int() && to.is_float(),
            CastOp::FpConvert => from.is_float() && to.is_float() && from != to,
            CastOp::PtrToInt => from == Ty::Ptr && to.is_int(),
            CastOp::IntToPtr => from.is_int() && to == Ty::Ptr,
            CastOp::Freeze => from == to,
            CastOp::Bitcast => {
                from.bits() == to.bits() && from != to && (from == Ty::Ptr) == (to == Ty::Ptr)
            }
        };
        let possible: Vec<CastOp> =
            CastOp::ALL.iter().copied().filter(|&op| possible(op)).collect();
        if !possible.is_empty() {
            let op = self.one_of(&possible);
            self.uniform(&[to], op.mnemonic(), &[from]);
        }
    }
}

fn constant(ty: Ty, bits: u128) -> String {
    if ty.is_int() { format!("{bits}:{ty}") } else { format!("{bits:#x}:{ty}") }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// A module whose `f` computes from one parameter of each type, and whose `main` calls it with
/// the arguments and writes its results.
fn module(lab: &mut Lab, args: &[u128]) -> Module {
    let mut writer = Writer { lab, values: TYPES.to_vec(), text: String::new() };
    for _ in 0..10 {
        writer.instruction();
    }
    let Writer { values, text: body, .. } = writer;
    let params = listed(TYPES.iter().enumerate().map(|(i, ty)| format!("v{i}:{ty}")));
    let returned = TYPES.len()..values.len();
    let types = listed(values[returned.clone()].iter().map(Ty::to_string));
    let results = listed(returned.clone().map(|i| format!("v{i}")));
    let received =
        listed(values[returned.clone()].iter().enumerate().map(|(i, ty)| format!("v{i}:{ty}")));
    let args = listed(TYPES.iter().zip(args).map(|(&ty, &bits)| constant(ty, bits)));
    let stores: String = (0..returned.len())
        .map(|i| format!("  store @out+{}, v{i}, align 1\n", i * STRIDE))
        .collect();
    let (size, last) = (returned.len() * STRIDE, returned.len());
    let text = format!(
        "bwir 1
module \"test\"
global user @out size {size} align 16 = {{
}}
func runtime @__byway_write(v0:i32, v1:ptr, v2:i64) -> i64
func user @f({params}) -> {types} {{
b0:
{body}  ret {results}
}}
func user @main() -> i32 {{
b0:
  {received} = call @f({args})
{stores}  v{last}:i64 = call @__byway_write(1:i32, @out, {size}:i64)
  ret 0:i32
}}
"
    );
    let module = byway_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    module
}

/// Runs `f` with some of the arguments symbolic: the fault it ends with, or the words
/// of its results.
fn symbolically(
    lab: &mut Lab,
    program: &Program,
    args: &[u128],
    seen: &mut BTreeSet<String>,
) -> Result<Vec<Vec<u64>>, FaultKind> {
    let func = program.module.func_by_name("f").expect("it was just written");
    let code = program.code(func);
    let mut regs = code.template.clone();
    let operands: Vec<_> = code.params.iter().copied().zip(args.iter().copied()).collect();
    let symbolic = lab.rng.next_u64() as u32;
    lab.fill(&mut regs, &operands, symbolic);
    for &op in &code.ops {
        if let ByteOp::Return { index, .. } = op {
            let places = code.returns[index as usize].iter();
            let words = places.map(|&place| {
                let word = |(slot, most)| lab.word(regs[slot as usize], most);
                slots(place).into_iter().map(word).collect()
            });
            return Ok(words.collect());
        }
        seen.extend(format!("{op:?}").split_whitespace().next().map(String::from));
        let (end, _) = lab.patiently(&mut regs, |pool, oracle, regs| match op {
            ByteOp::General { index } => super::super::general(
                pool,
                oracle,
                program.long_doubles,
                &code.general[index as usize],
                regs,
            ),
            ByteOp::Check { index } => {
                super::super::check(pool, oracle, &code.checks[index as usize], regs)
            }
            _ => super::super::simple(pool, oracle, op, regs),
        });
        if let End::Fault(kind, _) = end {
            return Err(kind);
        }
    }
    unreachable!("straight lines end with a return")
}

#[test]
fn random_functions() {
    let mut seen = BTreeSet::new();
    let (mut finished, mut faults) = (0, 0);
    for seed in 0..1500 {
        let mut lab = Lab::new(seed);
        let args = TYPES.map(|ty| lab.value(ty));
        let module = module(&mut lab, &args);
        let on = seed % 4 == 0;
        let checks = Checks { signed_overflow: on, shift: on, ..Checks::default() };
        let long_doubles = if seed % 3 == 0 { LongDoubles::Symbolic } else { LongDoubles::Fixed };
        let config = Config { checks, long_doubles, ..Config::default() };
        let mut output = Output(Vec::new());
        let outcome = crate::run(&module, &config, &Invocation::default(), &mut output).outcome;
        let program = Program::new(&module, &config).expect("it ran");
        let computed = symbolically(&mut lab, &program, &args, &mut seen);
        match (outcome, computed) {
            (Outcome::Exit(0), Ok(results)) => {
                finished += 1;
                let expected = output.0.chunks(STRIDE);
                assert_eq!(results.len(), expected.len());
                for (i, (words, bytes)) in results.into_iter().zip(expected).enumerate() {
                    let mut got: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
                    got.resize(STRIDE, 0);
                    assert_eq!(got, bytes, "seed {seed}, result {i}");
                }
            }
            (Outcome::Fault(fault), Err(kind)) => {
                faults += 1;
                assert_eq!(fault.kind, kind, "seed {seed}");
            }
            (outcome, computed) => panic!("seed {seed}: {outcome:?} but {computed:?}"),
        }
    }
    assert!(finished > 800 && faults > 100, "{finished} finished, {faults} faulted");
    let unseen: Vec<_> = HOT.iter().filter(|name| !seen.contains(**name)).collect();
    assert!(unseen.is_empty(), "never met: {unseen:?}");
}
