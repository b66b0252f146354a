//! Allocations by the program: which of them fail because an option asks for it
//! (`--alloc-failures`), and what is recorded of the others.
//!
//! The runtime lists the failing allocations in an object of the program's memory, as symbolic
//! input, so that paths fork by them and a test carries them. The C library's own allocations
//! and those of the modelled operating system (`__libc_malloc`) are not counted; those of
//! `strdup` and the like are.

use byway_search::{Case, Decision};

use super::IntrinsicResult;
use super::heap::{ENOMEM, is_memalign_alignment};
use crate::interp::{Execution, Oracle};
use crate::intrinsic::Intrinsic;
use crate::stop::ExecResult;
use crate::value::Value;

/// Fields of `__byway_failing_allocations`, 32 bits each: the most failures, the allocations
/// so far, the failures so far, and the numbers of the failing allocations, from 1.
const MOST: u64 = 0;
const CALLS: u64 = 4;
const FAILED: u64 = 8;
const WHICH: u64 = 12;

/// How an instruction is executed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// On machine words; what needs a decision is executed again in terms.
    Words,
    Terms,
}

impl Execution<'_, '_, '_> {
    /// Calls an intrinsic with these arguments.
    pub(crate) fn call_intrinsic(
        &mut self,
        it: Intrinsic,
        args: &[Value],
        mode: Mode,
    ) -> ExecResult<IntrinsicResult> {
        if !it.allocates() {
            return self.dispatch(it, args, mode);
        }
        let counts = !self.requests_nothing(it, args)?;
        let fails = counts && self.next_allocation_fails(mode)?;
        let answer = match fails {
            false => self.dispatch(it, args, mode)?,
            true if it == Intrinsic::PosixMemalign => IntrinsicResult::Value(Value::word(ENOMEM)),
            true => IntrinsicResult::Value(Value::word(0)),
        };
        if counts {
            self.count_allocation(fails);
            self.allocated(it, args, &answer);
        }
        Ok(answer)
    }

    fn dispatch(
        &mut self,
        it: Intrinsic,
        args: &[Value],
        mode: Mode,
    ) -> ExecResult<IntrinsicResult> {
        match mode {
            Mode::Terms => self.intrinsic_in_terms(it, args),
            Mode::Words => {
                let words: Vec<u64> = args.iter().map(|value| value.bits).collect();
                self.intrinsic(it, &words)
            }
        }
    }

    /// Whether a call allocates nothing: `realloc` to zero bytes, and an alignment that
    /// `posix_memalign` refuses.
    fn requests_nothing(&mut self, it: Intrinsic, args: &[Value]) -> ExecResult<bool> {
        let arg = |index: usize| args.get(index).copied().unwrap_or_default();
        let sizes = match it {
            Intrinsic::PosixMemalign => {
                return Ok(arg(1).expr.is_none() && !is_memalign_alignment(arg(1).bits));
            }
            Intrinsic::Realloc => vec![arg(1)],
            Intrinsic::Reallocarray => vec![arg(1), arg(2)],
            _ => return Ok(false),
        };
        if arg(0) == Value::word(0) {
            return Ok(false);
        }
        for size in sizes {
            let is_zero = match size.expr {
                None => size.bits == 0,
                Some(term) => {
                    let zero = self.machine.pool.zero_like(term);
                    let empty = self.machine.pool.eq(term, zero);
                    self.in_terms(|r| r.resolver.holds(r.pool, empty, Decision::Size))?
                }
            };
            if is_zero {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn next_allocation_fails(&mut self, mode: Mode) -> ExecResult<bool> {
        let Some(list) = self.program.runtime.failing_allocations else { return Ok(false) };
        let memory = &self.state.memory;
        let field = |offset| memory.load::<4>(list + offset).map(|value| value.bits);
        let (most, failed) = (field(MOST)?, field(FAILED)?);
        if failed >= most {
            return Ok(false);
        }
        let (next, at) = (field(CALLS)? + 1, list + WHICH + 4 * failed);
        if mode == Mode::Words {
            return Ok(memory.load_any(at, 4)?.bits == next);
        }
        self.in_terms(|memory| {
            let which = memory.load(Value::word(at), 4)?;
            let next = memory.pool.constant(32, u128::from(next));
            let fails = memory.pool.eq(which, next);
            let fails = memory.resolver.holds(memory.pool, fails, Decision::Choice)?;
            memory.resolver.evaluator.decided.push(Case(u64::from(fails)));
            Ok(fails)
        })
    }

    /// Counts an allocation. The object is written directly: the allocation is done, and must
    /// not be suspended to wait for room.
    fn count_allocation(&mut self, failed: bool) {
        let Some(list) = self.program.runtime.failing_allocations else { return };
        let field = |offset| self.state.memory.load::<4>(list + offset).map_or(0, |it| it.bits);
        if field(MOST) == 0 {
            return;
        }
        let (calls, failures) = (field(CALLS) + 1, field(FAILED) + u64::from(failed));
        if let Some(object) = self.state.memory.live_mut(list) {
            let offset = list - object.base;
            object.write(offset + CALLS, &(calls as u32).to_le_bytes());
            object.write(offset + FAILED, &(failures as u32).to_le_bytes());
        }
    }

    /// Sets `errno` if an allocation failed, and records the calls that led to it if leaks are
    /// searched for.
    fn allocated(&mut self, it: Intrinsic, args: &[Value], answer: &IntrinsicResult) {
        let IntrinsicResult::Value(Value { bits, expr: None }) = *answer else { return };
        let base = match (it, args.first()) {
            // It returns an error, and stores the address.
            (Intrinsic::PosixMemalign, Some(&Value { bits: out, expr: None })) if bits == 0 => {
                self.state.memory.load::<8>(out).map_or(0, |address| address.bits)
            }
            (Intrinsic::PosixMemalign, _) => return,
            _ => bits,
        };
        if base != 0 {
            self.record_allocation(base);
        } else if let Some(errno) = self.program.runtime.errno
            && let Some(object) = self.state.memory.live_mut(errno)
        {
            object.write(errno - object.base, &(ENOMEM as u32).to_le_bytes());
        }
    }
}
