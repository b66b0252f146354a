//! Executes one operation on terms: one with a symbolic operand, which the hot loop left.

use byway_base::ExprId;
use byway_expr::Pool;
use byway_search::{Case, Decision};

use super::Execution;
use super::access::SymbolicMemory;
use super::oracle::Resolver;
use super::overlap::EqualStarts;
use super::special::{self, Locals, no_room_on_stack};
use super::symbolic::{self, Oracle, set, term, term_of, value_of};
use crate::bytecode::value_log::ValueSource;
use crate::bytecode::{ByteOp, Code, Pc, Slot, Special, SwitchTable, TypedSlot};
use crate::memory::{Access, ObjectKind};
use crate::path_info::ForkCase;
use crate::state::Frame;
use crate::stop::{ExecResult, Stop, ValueUse};
use crate::undefined::UndefinedVariable;
use crate::value::Value;
use crate::{LongDoubles, UnsetMemory};

/// The bytes of a `va_list`.
const VA_LIST: u64 = 24;

impl Execution<'_, '_, '_> {
    /// Executes the operation before the innermost frame's `pc` on terms. If it must fork first,
    /// or wait for room, it is suspended, and starts again here.
    pub(super) fn slow(&mut self) -> ExecResult<()> {
        self.machine.evaluator.decided.clear();
        let at = self.state.stack.last().map(|top| (top.func, top.pc - 1));
        let done = self.operation();
        let path = &mut self.state.path;
        path.suspended = matches!(&done, Err(stop) if matches!(**stop, Stop::Fork(_) | Stop::NoRoom(_) | Stop::Unmade(_)));
        if !path.suspended {
            path.answers.clear();
            path.case_group = None;
            for case in self.machine.evaluator.decided.drain(..) {
                let place = at.map_or(0, |(func, pc)| self.program.ir_position(func, pc));
                path.note(place, case);
            }
        }
        done
    }

    fn operation(&mut self) -> ExecResult<()> {
        let program = self.program;
        let Some(top) = self.state.stack.last() else { return Ok(()) };
        let code = program.code(top.func);
        let op = code.ops[top.pc as usize - 1];
        if let ByteOp::Call { index, .. } = op {
            return self.call_in_terms(index);
        }
        if let ByteOp::Return { index, .. } = op {
            return self.ret_in_terms(index);
        }
        let location = self.user_location();
        let frame = std::rc::Rc::make_mut(self.state.stack.last_mut().expect("not empty"));
        let path = &mut self.state.path;
        let mut resolver = Resolver { path, evaluator: &mut self.machine.evaluator };
        let pool = &mut self.machine.pool;
        let regs = frame.regs.as_mut_slice();
        match op {
            ByteOp::General { index } => {
                let general = &code.general[index as usize];
                symbolic::general(pool, &mut resolver, program.long_doubles, general, regs)
            }
            ByteOp::Check { index } => {
                symbolic::check(pool, &mut resolver, &code.checks[index as usize], regs)
            }
            ByteOp::Special { index } => {
                let memory = &mut self.state.memory;
                let mut memory = SymbolicMemory { pool, memory, resolver: &mut resolver };
                let loc = code.locs[frame.pc as usize - 1].or(location);
                let special = &code.special[index as usize];
                let extra = special::extra_instructions(special, &frame.regs);
                let function = &program.module.funcs[frame.func].name;
                let jump = special_in_terms(&mut memory, special, frame, function, loc)?;
                if let Some(target) = jump {
                    let place = program.ir_position(frame.func, frame.pc - 1);
                    let block = code.block_at(target).as_u32();
                    memory.resolver.path.note(place, Case(u64::from(block)));
                    frame.pc = target;
                }
                self.machine.fuel -= extra;
                if program.unset_memory == UnsetMemory::Symbolic {
                    self.make_unset_symbolic(special);
                }
                Ok(())
            }
            ByteOp::Load8 { d, addr, offset }
            | ByteOp::Load16 { d, addr, offset }
            | ByteOp::Load32 { d, addr, offset }
            | ByteOp::Load64 { d, addr, offset } => {
                let memory = &mut self.state.memory;
                let mut memory = SymbolicMemory { pool, memory, resolver: &mut resolver };
                let at = memory.add(regs[addr as usize], offset);
                let padded = match program.is_user(frame.func) {
                    true => memory.load_with_padding(at, access_bytes(op)),
                    false => None,
                };
                let mut term = match padded {
                    Some(term) => term?,
                    None => memory.load(at, access_bytes(op))?,
                };
                if program.long_doubles == LongDoubles::Fixed {
                    term = symbolic::plain_bits(memory.pool, memory.resolver, term)?;
                }
                let term = memory.resolver.narrowed(memory.pool, term);
                regs[addr as usize] = memory.resolver.known(memory.pool, regs[addr as usize]);
                regs[d as usize] = value_of(memory.pool, term);
                Ok(())
            }
            ByteOp::Store8 { value, addr, offset }
            | ByteOp::Store16 { value, addr, offset }
            | ByteOp::Store32 { value, addr, offset }
            | ByteOp::Store64 { value, addr, offset } => {
                let memory = &mut self.state.memory;
                let mut memory = SymbolicMemory { pool, memory, resolver: &mut resolver };
                let len = access_bytes(op);
                let at = memory.add(regs[addr as usize], offset);
                let whole = memory.resolver.known(memory.pool, regs[value as usize]);
                let term = term_of(memory.pool, whole, len as u32 * 8);
                memory.store(at, len, term)?;
                regs[value as usize] = whole;
                regs[addr as usize] = memory.resolver.known(memory.pool, regs[addr as usize]);
                Ok(())
            }
            ByteOp::Branch { n, then, otherwise, .. }
            | ByteOp::BranchEq { n, then, otherwise, .. }
            | ByteOp::BranchUlt { n, then, otherwise, .. }
            | ByteOp::BranchSlt { n, then, otherwise, .. } => {
                let at = frame.pc - 1;
                // Whether the condition is defined may have been answered first.
                let may_be_undefined = is_undefined(pool, op, regs);
                let swapped = code.swapped.binary_search(&at).is_ok();
                let cases = match swapped {
                    false => (Case::TRUE, Case::FALSE),
                    true => (Case::FALSE, Case::TRUE),
                };
                let holds = match resolver.path.only_answer() {
                    Some(index) if !may_be_undefined => index == 0,
                    _ => {
                        let condition = condition(pool, op, regs);
                        match resolver.defined(pool, condition, ValueUse::Branch) {
                            Ok(mut condition) => {
                                if program.long_doubles == LongDoubles::Fixed {
                                    condition =
                                        symbolic::plain_bits(pool, &mut resolver, condition)?;
                                }
                                resolver.choose(pool, condition, Decision::Branch, cases)?
                            }
                            Err(stop) => unset_check(code, at, &stop).ok_or(stop)?,
                        }
                    }
                };
                let place = program.ir_position(frame.func, at);
                resolver.path.note(place, if holds { cases.0 } else { cases.1 });
                frame.pc = if holds { then } else { otherwise };
                self.machine.fuel -= i64::from(n);
                Ok(())
            }
            ByteOp::Switch { n, value, index } => {
                let table = &code.switches[index as usize];
                let value = term(pool, regs, TypedSlot { ty: table.ty, slot: value });
                let value = resolver.defined(pool, value, ValueUse::Branch)?;
                let (case, target) = switch(pool, &mut resolver, table, value)?;
                resolver.path.note(program.ir_position(frame.func, frame.pc - 1), case);
                frame.pc = target;
                self.machine.fuel -= i64::from(n);
                Ok(())
            }
            _ => symbolic::simple(pool, &mut resolver, op, regs),
        }
    }
}

/// Where the sanitizer checks a value that was never set, the program has not decided anything
/// yet: the side that the branch at `at` takes is the one that reports nothing. `None` for the
/// program's own branches, and if the branch stops for another reason.
fn unset_check(code: &Code, at: Pc, stop: &Stop) -> Option<bool> {
    let Stop::Uninitialised { .. } = stop else { return None };
    let found = code.sanitizer_branches.binary_search_by_key(&at, |&(branch, _)| branch).ok()?;
    Some(!code.sanitizer_branches[found].1)
}

/// The bytes that a load or store accesses.
fn access_bytes(op: ByteOp) -> u64 {
    match op {
        ByteOp::Load8 { .. } | ByteOp::Store8 { .. } => 1,
        ByteOp::Load16 { .. } | ByteOp::Store16 { .. } => 2,
        ByteOp::Load32 { .. } | ByteOp::Store32 { .. } => 4,
        _ => 8,
    }
}

/// Whether an operand of a branch mentions undefined bytes.
fn is_undefined(pool: &mut Pool, op: ByteOp, regs: &[Value]) -> bool {
    let mut mentions = |slot: Slot| {
        regs[slot as usize].expr.is_some_and(|term| pool.undefined_byte(term).is_some())
    };
    match op {
        ByteOp::Branch { c, .. } => mentions(c),
        ByteOp::BranchEq { a, b, .. }
        | ByteOp::BranchUlt { a, b, .. }
        | ByteOp::BranchSlt { a, b, .. } => mentions(a) || mentions(b),
        _ => false,
    }
}

/// The condition of a branch.
fn condition(pool: &mut Pool, op: ByteOp, regs: &[Value]) -> ExprId {
    let both = |pool: &mut Pool, a: Slot, b: Slot| {
        (term_of(pool, regs[a as usize], 64), term_of(pool, regs[b as usize], 64))
    };
    match op {
        ByteOp::Branch { c, .. } => term_of(pool, regs[c as usize], 1),
        ByteOp::BranchEq { a, b, .. } => {
            let (a, b) = both(pool, a, b);
            pool.eq(a, b)
        }
        ByteOp::BranchUlt { a, b, .. } => {
            let (a, b) = both(pool, a, b);
            pool.ult(a, b)
        }
        ByteOp::BranchSlt { w, a, b, .. } => {
            let w = u32::from(w);
            let a = term_of(pool, regs[a as usize], w);
            let b = term_of(pool, regs[b as usize], w);
            pool.slt(a, b)
        }
        _ => unreachable!("the caller matched a branch"),
    }
}

/// The case of a switch; values with the same target are one case.
fn switch(
    pool: &mut Pool,
    resolver: &mut Resolver,
    table: &SwitchTable,
    value: ExprId,
) -> ExecResult<(Case, Pc)> {
    let known = table.cases();
    let key = value;
    let value = resolver.narrowed(pool, key);
    if let Some(number) = pool.value(value) {
        let index = table.case_of(number);
        return Ok((Case(index as u64), table.target(index)));
    }
    let index = resolver.pick(pool, Decision::Switch, key, |pool| {
        let mut cases = Vec::with_capacity(known.len() + 1);
        let mut any = pool.boolean(false);
        for (index, case) in known.iter().enumerate() {
            let mut condition = pool.boolean(false);
            for &(low, high) in &case.ranges {
                let within = range_condition(pool, value, low, high);
                condition = pool.or(condition, within);
            }
            any = pool.or(any, condition);
            cases.push(ForkCase { case: Case(index as u64), condition });
        }
        let condition = pool.not(any);
        cases.push(ForkCase { case: Case(known.len() as u64), condition });
        cases
    })?;
    Ok((Case(index as u64), table.target(index)))
}

fn range_condition(pool: &mut Pool, value: ExprId, low: u128, high: u128) -> ExprId {
    let first = pool.constant(pool.width(value), low);
    if low == high {
        return pool.eq(value, first);
    }
    let distance = pool.sub(value, first);
    let extent = pool.constant(pool.width(value), high - low);
    pool.ule(distance, extent)
}

/// Executes a rare or wide operation on memory or the frame, on terms. Returns where it jumps.
fn special_in_terms(
    memory: &mut SymbolicMemory,
    special: &Special,
    frame: &mut Frame,
    function: &str,
    loc: Option<byway_ir::LocId>,
) -> ExecResult<Option<Pc>> {
    match special {
        Special::Load { d, addr } => {
            let bytes = memory.load(frame.regs[*addr as usize], d.ty.store_bytes())?;
            let value = memory.pool.extract(bytes, 0, d.ty.bits());
            set(memory.pool, &mut frame.regs, *d, value);
        }
        Special::Store { addr, value } => {
            let bytes = value.ty.store_bytes();
            let whole = term(memory.pool, &frame.regs, *value);
            let whole = memory.pool.resize(whole, bytes as u32 * 8);
            memory.store(frame.regs[*addr as usize], bytes, whole)?;
        }
        Special::Alloca { d, size, count, align, name } => {
            let count = term(memory.pool, &frame.regs, *count);
            let count = memory.pool.resize(count, 64);
            let most = memory.memory.stack_room() / (*size).max(1);
            let most = memory.pool.constant(64, u128::from(most));
            let fits = memory.pool.ule(count, most);
            if !memory.resolver.holds(memory.pool, fits, Decision::Check)? {
                let count = memory.resolver.witnessed(memory.pool, count) as u64;
                return Err(no_room_on_stack(memory.memory, count.checked_mul(*size)));
            }
            let size = memory.pool.constant(64, u128::from(*size));
            let bytes = memory.pool.mul(count, size);
            let kind = ObjectKind::Stack(name.clone());
            let Some(base) = memory.allocate(bytes, u64::from(*align), kind, loc)? else {
                return Err(no_room_on_stack(memory.memory, None));
            };
            frame.locals.push(base);
            frame.regs[*d as usize] = Value::word(base);
        }
        Special::Undefined { d, name } => {
            let variable = UndefinedVariable { name, function, pc: frame.pc, call: frame.serial };
            let value = variable.value(memory.pool, d.ty.bits());
            set(memory.pool, &mut frame.regs, *d, value);
        }
        Special::MemCopy { dst, src, len, may_overlap } => {
            let len = length(memory.pool, &frame.regs, *len);
            let (dst, src) = (frame.regs[*dst as usize], frame.regs[*src as usize]);
            if !may_overlap && dst != src {
                memory.check_overlap((dst, len), (src, len), EqualStarts::Allowed)?;
            }
            memory.copy(dst, src, len)?;
        }
        Special::RecordValue { log, site, source: ValueSource::Slot(slot) } => {
            let term = term(memory.pool, &frame.regs, *slot);
            log.record_term(*site, memory.pool, term);
        }
        Special::MemSet { dst, byte, len } => {
            let len = length(memory.pool, &frame.regs, *len);
            let byte = term_of_byte(memory.pool, frame.regs[*byte as usize]);
            memory.fill(frame.regs[*dst as usize], byte, len)?;
        }
        _ => {
            // One path for each legal address; then the operation is concrete.
            let mut regs = frame.regs.clone();
            if let Special::VaStart { list: slot, .. }
            | Special::IndirectJump { addr: slot, .. }
            | Special::StackRestore { mark: slot } = special
            {
                let value = frame.regs[*slot as usize];
                let address = match special {
                    Special::VaStart { .. } => memory.pointer(value, VA_LIST, Access::Write)?,
                    Special::IndirectJump { targets, .. } => label(memory, value, targets)?,
                    _ => memory.address(value)?,
                };
                regs[*slot as usize] = Value::word(address);
            }
            let mut locals = Locals { objects: &mut frame.locals, variadic: frame.variadic };
            return special::run(special, &mut regs, memory.memory, &mut locals, loc);
        }
    }
    Ok(None)
}

/// The label that an indirect jump leads to: one path for each, and one for all addresses that
/// are none.
fn label(memory: &mut SymbolicMemory, address: Value, targets: &[(u64, Pc)]) -> ExecResult<u64> {
    let Some(term) = address.expr else { return Ok(address.bits) };
    let (pool, resolver) = (&mut *memory.pool, &mut *memory.resolver);
    let term = pool.resize(term, 64);
    let mut any = pool.boolean(false);
    for &(label, _) in targets {
        let label = pool.constant(64, u128::from(label));
        let equal = pool.eq(term, label);
        any = pool.or(any, equal);
    }
    match resolver.holds(pool, any, Decision::Check)? {
        true => Ok(resolver.each(pool, term, Decision::Target)? as u64),
        // The jump itself reports the fault.
        false => Ok(resolver.witnessed(pool, term) as u64),
    }
}

fn length(pool: &mut Pool, regs: &[Value], len: TypedSlot) -> Value {
    let len = term(pool, regs, len);
    let len = pool.resize(len, 64);
    value_of(pool, len)
}

fn term_of_byte(pool: &mut Pool, value: Value) -> ExprId {
    match value.expr {
        Some(term) => pool.resize(term, 8),
        None => pool.constant(8, u128::from(value.bits & 0xff)),
    }
}
