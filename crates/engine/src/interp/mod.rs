//! The interpreter: runs a state until it ends, forks, or has run for the given number of
//! instructions.
//!
//! [`Machine::frame`] is the hot path. It keeps the registers and the code of the innermost
//! call and leaves only to call, return, yield or stop. Each operation checks its operands for
//! symbolic values before it uses their words; if it finds one, [`Execution::slow`] executes
//! the operation on terms.

mod access;
mod blocks;
mod call;
mod general;
mod intrinsics;
mod leaks;
mod oracle;
mod overlap;
mod relative;
mod signature;
mod slow;
mod special;
mod symbolic;
mod unconstrained;
mod unset;
mod variadic;

use std::collections::BTreeMap;
use std::rc::Rc;

use byway_base::Outcome;
use byway_base::int::DivError;
use byway_expr::Pool;
use byway_ir::{FuncId, LocId};
use rustc_hash::FxHashSet;

pub use access::SymbolicMemory;
pub use oracle::{Resolver, WitnessEvaluator};
pub use symbolic::Oracle;
pub use unset::UNSET_PREFIX;

use crate::bytecode::{ByteOp, Code};
use crate::call_paths::CallPaths;
use crate::coverage::Tracker;
use crate::memory::{CallPath, RoomRequest};
use crate::path_info::ForkRequest;
use crate::program::Program;
use crate::pure_functions::ExternalCalls;
use crate::state::{Frame, State};
use crate::stop::{ExecResult, Stop, symbolic};
use crate::value::{Value, mask, signed};
use crate::watch::WatchId;
use crate::{Config, Env, UnsetMemory};

/// About the bytes of a new term: its slot, its entry in the table, and its value under a witness.
pub(crate) const BYTES_PER_TERM: u64 = 160;

/// The most frames of ended calls and paths kept for reuse.
const MOST_SPARE: usize = 64;

/// Why [`Machine::run`] returned.
#[derive(Debug)]
pub enum Step {
    /// The path ended.
    End(Outcome),
    /// The instruction quantum is used up.
    Yield,
    /// The current instruction is suspended until this fork request is resolved.
    Fork(ForkRequest),
    /// The current instruction is suspended until there is room in memory.
    NoRoom(RoomRequest),
    /// The path is at a watched point, before its instruction; running it again continues there.
    Watch(WatchId),
}

/// Why the hot loop left the innermost call.
enum Leave {
    Call(u32),
    Return(u32),
    Yield,
}

/// What running any state of a program needs in addition to the state: terms, coverage, the
/// environment.
pub struct Machine<'p, 'e> {
    /// The program that all states run.
    pub program: &'p Program<'p>,
    /// Counts of what was not modelled faithfully, by description.
    pub warnings: BTreeMap<String, u64>,
    /// The terms of all states.
    pub pool: Pool,
    /// Evaluates terms under the witness of the state that runs.
    pub evaluator: WitnessEvaluator,
    /// The sites of the user's code that tests cover.
    pub coverage: Tracker,
    /// Messages of the program to its user, not yet reported.
    pub messages: Vec<String>,
    /// Counts instructions by call path, if a searcher needs it.
    pub call_paths: Option<Rc<CallPaths>>,
    /// Whether input is symbolic. In a concrete run, it comes from the environment.
    pub exploring: bool,
    /// The bytes of terms above which a run yields.
    pub max_term_bytes: usize,
    env: &'e mut dyn Env,
    external_calls: ExternalCalls,
    /// The functions of the host that were called, each reported once.
    called_externals: FxHashSet<FuncId>,
    max_frames: usize,
    /// The calls that led to allocations, each once.
    allocation_paths: FxHashSet<CallPath>,
    /// Frames for reuse, so that a call rarely allocates.
    spare: Vec<Rc<Frame>>,
    /// Instructions left before the current run yields. Counted at the end of a straight line,
    /// so it may fall below zero.
    fuel: i64,
}

impl<'p, 'e> Machine<'p, 'e> {
    /// A machine for the states of a program.
    pub fn new(program: &'p Program<'p>, config: &Config, env: &'e mut dyn Env) -> Self {
        Machine {
            program,
            warnings: BTreeMap::new(),
            pool: Pool::new(),
            evaluator: WitnessEvaluator::new(config.record_values),
            coverage: Tracker::new(program.sites().len()),
            messages: Vec::new(),
            call_paths: None,
            exploring: false,
            max_term_bytes: usize::MAX,
            env,
            external_calls: config.external_calls,
            called_externals: FxHashSet::default(),
            max_frames: config.max_frames as usize,
            allocation_paths: FxHashSet::default(),
            spare: Vec::new(),
            fuel: 0,
        }
    }

    /// The environment of the program.
    pub fn env(&mut self) -> &mut dyn Env {
        self.env
    }

    /// Calls `func` on a state without frames. The arguments are concrete words.
    pub fn start(&mut self, state: &mut State, func: FuncId, args: &[u64]) -> ExecResult<()> {
        Execution { program: self.program, machine: self, state }.start(func, args)
    }

    /// Runs a state for about `quantum` instructions, or to its end or its next fork
    /// request. Returns what happened and how many instructions ran.
    ///
    /// After another state ran, call [`WitnessEvaluator::forget`] on [`Machine::evaluator`]
    /// first: its cache belongs to the other witness.
    pub fn run(&mut self, state: &mut State, quantum: u64) -> (Step, u64) {
        if let Some(paths) = &self.call_paths {
            paths.switch();
        }
        let quantum = i64::try_from(quantum).unwrap_or(i64::MAX);
        self.fuel = quantum;
        let step = Execution { program: self.program, machine: self, state }.run();
        let took = (quantum - self.fuel) as u64;
        state.path.instructions += took;
        (step, took)
    }

    /// Keeps the frames of an ended path for later calls, unless another path shares them.
    pub fn recycle(&mut self, state: &mut State) {
        while let Some(frame) = state.stack.pop() {
            if Rc::strong_count(&frame) == 1 && self.spare.len() < MOST_SPARE {
                self.spare.push(frame);
            }
        }
    }
}

/// One state while the machine runs it.
pub(crate) struct Execution<'a, 'p, 'e> {
    /// The machine's program, one load nearer.
    pub program: &'p Program<'p>,
    pub machine: &'a mut Machine<'p, 'e>,
    pub state: &'a mut State,
}

impl Execution<'_, '_, '_> {
    fn run(&mut self) -> Step {
        let mut in_terms = self.state.path.suspended;
        loop {
            let was_in_terms = std::mem::take(&mut in_terms);
            let before = self.machine.fuel;
            let left = if was_in_terms {
                let done = self.slow();
                self.count_on_call_path(before);
                done
            } else {
                let leave = self.machine.frame(self.state);
                self.count_on_call_path(before);
                match leave {
                    Ok(Leave::Call(index)) => self.call(index),
                    Ok(Leave::Return(index)) => self.ret(index),
                    Ok(Leave::Yield) => return Step::Yield,
                    Err(stop) => Err(stop),
                }
            };
            match left {
                Ok(()) if self.machine.fuel <= 0 => return Step::Yield,
                Ok(()) if was_in_terms && self.machine.has_many_terms() => return Step::Yield,
                Ok(()) => {}
                Err(stop) => match *stop {
                    Stop::Symbolic if !was_in_terms => in_terms = true,
                    Stop::Fork(request) => return Step::Fork(request),
                    Stop::Watch(watch) => return Step::Watch(watch),
                    Stop::NoRoom(request) => {
                        if !was_in_terms {
                            self.rewind();
                        }
                        return Step::NoRoom(request);
                    }
                    Stop::Unmade(base) => {
                        if !was_in_terms {
                            self.rewind();
                        }
                        if let Err(request) = self.make_input(base) {
                            return Step::NoRoom(request);
                        }
                        in_terms = was_in_terms;
                    }
                    stop => return Step::End(stop.outcome(self.program, self.state)),
                },
            }
        }
    }

    /// Goes back to before the operation that was not completed.
    fn rewind(&mut self) {
        let Some(top) = self.state.stack.last_mut() else { return };
        let top = Rc::make_mut(top);
        top.pc -= 1;
        // A call has been counted, with the straight line that ends with it.
        if let ByteOp::Call { n, .. } = self.program.code(top.func).ops[top.pc as usize] {
            self.machine.fuel += i64::from(n);
        }
    }

    /// Counts the instructions run in the innermost call since `fuel`, if a searcher needs it.
    #[inline]
    fn count_on_call_path(&self, fuel: i64) {
        if let Some(paths) = &self.machine.call_paths {
            paths.count(&self.state.stack, (fuel - self.machine.fuel) as u64);
        }
    }

    /// The location of the innermost call in the user's code, to which allocations and frees
    /// are attributed.
    pub(crate) fn user_location(&self) -> Option<LocId> {
        let frame = self.state.stack.iter().rev().find(|f| self.program.is_user(f.func))?;
        let code = self.program.code(frame.func);
        code.locs.get(frame.pc.checked_sub(1)? as usize).copied().flatten()
    }
}

impl Machine<'_, '_> {
    fn has_many_terms(&self) -> bool {
        self.pool.bytes() > self.max_term_bytes
    }

    /// Runs the innermost call until it calls, returns, yields or stops.
    fn frame(&mut self, state: &mut State) -> ExecResult<Leave> {
        let program = self.program;
        let memory = &mut state.memory;
        let path = &mut state.path;
        let coverage = &mut self.coverage;
        let Some(top) = state.stack.last_mut() else { return Ok(Leave::Yield) };
        let frame = Rc::make_mut(top);
        let code: &Code = program.code(frame.func);
        let ops = code.ops.as_slice();
        let mut pc = frame.pc as usize;
        let mut fuel = self.fuel;
        let regs = frame.regs.as_mut_slice();

        let result = 'run: loop {
            macro_rules! stop {
                ($error:expr) => {
                    break 'run Err($error)
                };
            }
            macro_rules! get {
                ($slot:expr) => {{
                    let value = regs[$slot as usize];
                    if value.expr.is_some() {
                        stop!(symbolic());
                    }
                    value.bits
                }};
            }
            macro_rules! get2 {
                ($a:expr, $b:expr) => {{
                    let (a, b) = (regs[$a as usize], regs[$b as usize]);
                    if a.expr.is_some() | b.expr.is_some() {
                        stop!(symbolic());
                    }
                    (a.bits, b.bits)
                }};
            }
            macro_rules! set {
                ($slot:expr, $bits:expr) => {
                    regs[$slot as usize] = Value::word($bits)
                };
            }
            macro_rules! float {
                ($d:expr, $a:expr, $b:expr, $op:ident) => {{
                    let (x, y) = get2!($a, $b);
                    set!($d, byway_base::float::double::$op(x, y))
                }};
            }
            macro_rules! load {
                ($len:literal, $d:expr, $addr:expr, $offset:expr) => {{
                    let at = get!($addr).wrapping_add_signed(i64::from($offset));
                    match memory.load::<$len>(at) {
                        Ok(value) => regs[$d as usize] = value,
                        Err(refusal) => stop!(refusal.into()),
                    }
                }};
            }
            macro_rules! store {
                ($len:literal, $addr:expr, $value:expr, $offset:expr) => {{
                    let at = get!($addr).wrapping_add_signed(i64::from($offset));
                    if let Err(refusal) = memory.store::<$len>(at, regs[$value as usize]) {
                        stop!(refusal.into());
                    }
                }};
            }
            // Counts the straight line that ends here, and jumps.
            macro_rules! goto {
                ($n:expr, $target:expr) => {{
                    fuel -= i64::from($n);
                    pc = $target as usize;
                    if fuel <= 0 {
                        break 'run Ok(Leave::Yield);
                    }
                }};
            }
            macro_rules! branch {
                ($n:expr, $cond:expr, $then:expr, $otherwise:expr) => {{
                    let target = if $cond { $then } else { $otherwise };
                    goto!($n, target)
                }};
            }

            let op = ops[pc];
            pc += 1;
            match op {
                ByteOp::Add { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x.wrapping_add(y) & mask(w));
                }
                ByteOp::Sub { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x.wrapping_sub(y) & mask(w));
                }
                ByteOp::Mul { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x.wrapping_mul(y) & mask(w));
                }
                ByteOp::And { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x & y);
                }
                ByteOp::Or { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x | y);
                }
                ByteOp::Xor { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x ^ y);
                }
                ByteOp::Shl { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x << (y & amount_mask(w)) & mask(w));
                }
                ByteOp::LShr { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, x >> (y & amount_mask(w)));
                }
                ByteOp::AShr { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, (signed(x, w) >> (y & amount_mask(w))) as u64 & mask(w));
                }
                ByteOp::UDiv { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    match x.checked_div(y) {
                        Some(q) => set!(d, q),
                        None => stop!(general::division_fault(DivError::Zero)),
                    }
                }
                ByteOp::URem { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    match x.checked_rem(y) {
                        Some(r) => set!(d, r),
                        None => stop!(general::division_fault(DivError::Zero)),
                    }
                }
                ByteOp::SDiv { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    match signed_division(x, y, w) {
                        Ok((x, y)) => set!(d, (x / y) as u64 & mask(w)),
                        Err(error) => stop!(general::division_fault(error)),
                    }
                }
                ByteOp::SRem { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    match signed_division(x, y, w) {
                        Ok((x, y)) => set!(d, (x % y) as u64 & mask(w)),
                        Err(error) => stop!(general::division_fault(error)),
                    }
                }
                ByteOp::Eq { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, u64::from(x == y));
                }
                ByteOp::Ne { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, u64::from(x != y));
                }
                ByteOp::Ult { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, u64::from(x < y));
                }
                ByteOp::Ule { d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, u64::from(x <= y));
                }
                ByteOp::Slt { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, u64::from(signed(x, w) < signed(y, w)));
                }
                ByteOp::Sle { w, d, a, b } => {
                    let (x, y) = get2!(a, b);
                    set!(d, u64::from(signed(x, w) <= signed(y, w)));
                }
                ByteOp::FAdd { d, a, b } => float!(d, a, b, add),
                ByteOp::FSub { d, a, b } => float!(d, a, b, sub),
                ByteOp::FMul { d, a, b } => float!(d, a, b, mul),
                ByteOp::FDiv { d, a, b } => float!(d, a, b, div),
                ByteOp::Trunc { w, d, a } => {
                    let x = get!(a);
                    set!(d, x & mask(w));
                }
                ByteOp::Sext { from, to, d, a } => {
                    let x = get!(a);
                    set!(d, signed(x, from) as u64 & mask(to));
                }
                ByteOp::Select { d, c, a, b } => {
                    let chosen = if get!(c) != 0 { a } else { b };
                    regs[d as usize] = regs[chosen as usize];
                }
                ByteOp::PtrOffset { d, base, offset } => {
                    let at = get!(base);
                    set!(d, at.wrapping_add_signed(i64::from(offset)));
                }
                ByteOp::PtrIndex { w, d, base, index, scale } => {
                    let (at, index) = get2!(base, index);
                    let offset = signed(index, w).wrapping_mul(i64::from(scale));
                    set!(d, at.wrapping_add_signed(offset));
                }
                ByteOp::Load8 { d, addr, offset } => load!(1, d, addr, offset),
                ByteOp::Load16 { d, addr, offset } => load!(2, d, addr, offset),
                ByteOp::Load32 { d, addr, offset } => load!(4, d, addr, offset),
                ByteOp::Load64 { d, addr, offset } => load!(8, d, addr, offset),
                ByteOp::Store8 { addr, value, offset } => store!(1, addr, value, offset),
                ByteOp::Store16 { addr, value, offset } => store!(2, addr, value, offset),
                ByteOp::Store32 { addr, value, offset } => store!(4, addr, value, offset),
                ByteOp::Store64 { addr, value, offset } => store!(8, addr, value, offset),
                ByteOp::General { index } => {
                    if let Err(stop) = general::run(&code.general[index as usize], regs) {
                        stop!(stop);
                    }
                }
                ByteOp::Special { index } => {
                    let special = &code.special[index as usize];
                    if program.unset_memory == UnsetMemory::Symbolic
                        && special::creates_unset(special)
                    {
                        stop!(symbolic());
                    }
                    let loc = code.locs[pc - 1];
                    let mut locals =
                        special::Locals { objects: &mut frame.locals, variadic: frame.variadic };
                    match special::run(special, regs, memory, &mut locals, loc) {
                        Ok(None) => fuel -= special::extra_instructions(special, regs),
                        Ok(Some(target)) => goto!(0, target),
                        Err(stop) => stop!(stop),
                    }
                }
                ByteOp::Check { index } => {
                    if let Err(stop) = general::check(&code.checks[index as usize], regs) {
                        stop!(stop);
                    }
                }
                ByteOp::Cover { site, target } => {
                    if !coverage.is_skipped(site) {
                        coverage.passed(site, path);
                    }
                    goto!(0, target)
                }
                ByteOp::TakeSide { holds } => {
                    let number = path.take_side(holds);
                    if program.prescribed_side(number).is_some_and(|side| side != holds) {
                        self.messages.push(leaves_replayed_path(number));
                        stop!(Box::new(Stop::Excluded));
                    }
                }
                ByteOp::Count { n } => fuel -= i64::from(n),
                ByteOp::Jump { n, target } => goto!(n, target),
                ByteOp::MoveJump { n, target, first, count } => {
                    let first = first as usize;
                    for &(to, from) in &code.moves[first..first + count as usize] {
                        regs[to as usize] = regs[from as usize];
                    }
                    goto!(n, target)
                }
                ByteOp::Branch { n, c, then, otherwise } => {
                    let cond = get!(c);
                    branch!(n, cond != 0, then, otherwise)
                }
                ByteOp::BranchEq { n, a, b, then, otherwise } => {
                    let (x, y) = get2!(a, b);
                    branch!(n, x == y, then, otherwise)
                }
                ByteOp::BranchUlt { n, a, b, then, otherwise } => {
                    let (x, y) = get2!(a, b);
                    branch!(n, x < y, then, otherwise)
                }
                ByteOp::BranchSlt { n, w, a, b, then, otherwise } => {
                    let (x, y) = get2!(a, b);
                    branch!(n, signed(x, w) < signed(y, w), then, otherwise)
                }
                ByteOp::Switch { n, value, index } => {
                    let table = &code.switches[index as usize];
                    let low = get!(value);
                    let high = if table.ty.is_wide() { get!(value + 1) } else { 0 };
                    goto!(n, table.lookup(low, high))
                }
                ByteOp::Call { n, index } => {
                    fuel -= i64::from(n);
                    break 'run Ok(Leave::Call(index));
                }
                ByteOp::Return { n, index } => {
                    fuel -= i64::from(n);
                    break 'run Ok(Leave::Return(index));
                }
            }
        };
        frame.pc = pc as u32;
        self.fuel = fuel;
        result
    }
}

/// x86 reduces the amount of a shift modulo 32, or modulo 64 for wider operands.
#[inline(always)]
const fn amount_mask(width: u8) -> u64 {
    if width > 32 { 63 } else { 31 }
}

/// The operands of a signed division, if it is defined.
#[inline(always)]
fn signed_division(x: u64, y: u64, width: u8) -> Result<(i64, i64), DivError> {
    let (x, y) = (signed(x, width), signed(y, width));
    if y == 0 {
        return Err(DivError::Zero);
    }
    if y == -1 && x == signed(1 << (width - 1), width) {
        return Err(DivError::Overflow);
    }
    Ok((x, y))
}
/// Reports the first branch of a path that does not follow the prescribed ones.
#[cold]
fn leaves_replayed_path(number: u64) -> String {
    format!("a path leaves the replayed path at its branch number {}", number + 1)
}
