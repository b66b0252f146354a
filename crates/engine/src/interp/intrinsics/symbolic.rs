//! Intrinsics with symbolic arguments.

use byway_base::ExprId;
use byway_expr::Intervals;
use byway_search::{Case, Decision};

use super::IntrinsicResult;
use super::heap::HEAP_ALIGN;
use super::jumps::JUMP_BUFFER;
use crate::interp::overlap::EqualStarts;
use crate::interp::symbolic::value_of;
use crate::interp::{Execution, Oracle};
use crate::intrinsic::Intrinsic;
use crate::memory::{Access, ObjectKind};
use crate::path_info::{ForkCase, ForkRequest};
use crate::stop::{ExecResult, Stop, ValueUse};
use crate::value::Value;

impl Execution<'_, '_, '_> {
    /// Executes an intrinsic with a symbolic argument, or with one that points to symbolic
    /// bytes.
    pub(super) fn intrinsic_in_terms(
        &mut self,
        it: Intrinsic,
        args: &[Value],
    ) -> ExecResult<IntrinsicResult> {
        let arg = |i: usize| args.get(i).copied().unwrap_or_default();
        let result = match (it, arg(0).expr) {
            (Intrinsic::Malloc | Intrinsic::SystemMalloc, Some(size)) => {
                self.heap_in_terms(size)?
            }
            (Intrinsic::Calloc | Intrinsic::SystemCalloc, _) => {
                let Some(size) = self.product(arg(0), arg(1))? else { return Ok(null()) };
                let base = self.heap_in_terms(size)?;
                if let Some(object) = self.state.memory.live_mut(base.bits) {
                    object.fill(0, 0, object.size());
                }
                base
            }
            (Intrinsic::Realloc | Intrinsic::SystemRealloc, _) => {
                let size = self.term(arg(1));
                self.realloc_in_terms(arg(0), size)?
            }
            (Intrinsic::Reallocarray, _) => {
                let Some(size) = self.product(arg(1), arg(2))? else { return Ok(null()) };
                self.realloc_in_terms(arg(0), size)?
            }
            (Intrinsic::Free, Some(_)) => {
                let at = self.in_terms(|memory| memory.heap_address(arg(0)))?;
                self.free(at)?;
                Value::word(0)
            }
            (Intrinsic::MallocUsableSize | Intrinsic::ObjectSize, _) => {
                let at = self.in_terms(|memory| match it {
                    Intrinsic::ObjectSize => memory.object_at(arg(0)),
                    _ => memory.heap_address(arg(0)),
                })?;
                match self.state.memory.live(at).and_then(|object| object.symbolic_size()) {
                    Some(size) => Value::symbolic(size),
                    None => return self.intrinsic(it, &[at]),
                }
            }
            (Intrinsic::SameObject, _) => {
                let same = self.in_terms(|memory| memory.may_be_same_object(arg(0), arg(1)));
                Value::word(u64::from(same))
            }
            (Intrinsic::CheckOverlap, _) => {
                let (to, from) = ((arg(0), arg(1)), (arg(2), arg(3)));
                self.in_terms(|memory| memory.check_overlap(to, from, EqualStarts::Overlap))?;
                Value::word(0)
            }
            // The object that it points into is unknown.
            (Intrinsic::Room, Some(_)) => Value::word(0),
            (Intrinsic::Exit, Some(_)) => return Err(self.exit(arg(0))?),
            (Intrinsic::Assume, Some(condition)) => {
                let condition = self.defined(condition, ValueUse::Decision)?;
                self.assume(condition)?;
                Value::word(0)
            }
            (Intrinsic::IsSymbolic, Some(term)) => {
                // The analysis walks over the whole term, and the runtime asks often.
                let pool = &mut self.machine.pool;
                let of = match pool.undefined_byte(term) {
                    Some(_) => pool.definedness(term).value,
                    None => term,
                };
                // What the path has decided does not depend on input any more: the zero at the end of a
                // string, which is copied before it is compared.
                let of = self.in_terms(|memory| memory.resolver.narrowed(memory.pool, of));
                Value::word(u64::from(!self.machine.pool.is_constant(of)))
            }
            (Intrinsic::Value, Some(term)) => {
                let term = self.defined(term, ValueUse::Decision)?;
                let value = self.machine.evaluator.value(
                    &self.machine.pool,
                    &self.state.path.witness,
                    term,
                );
                self.state.path.unrepeatable = true;
                Value::word(value as u64)
            }
            (Intrinsic::Prefer, Some(condition)) => {
                let condition = self.defined(condition, ValueUse::Decision)?;
                let condition = self.machine.pool.is_nonzero(condition);
                std::rc::Rc::make_mut(&mut self.state.path.preferences).push(condition);
                Value::word(0)
            }
            (Intrinsic::SayTerm, _) if arg(1).expr.is_some() => {
                let text = self.in_terms(|memory| memory.text(arg(0)))?;
                let term = self.term(arg(1));
                let shown = self.machine.pool.show(term);
                Value::word(self.say(text, Some(shown))?)
            }
            (Intrinsic::SayRange, _) if arg(1).expr.is_some() => {
                let text = self.in_terms(|memory| memory.text(arg(0)))?;
                let range = self.range(arg(1));
                Value::word(self.say(text, Some(range))?)
            }
            (Intrinsic::Longjmp, _) => {
                let value = self.term(arg(1));
                return self.longjmp_in_terms(arg(0), value);
            }
            (Intrinsic::BuiltinLongjmp, _) => {
                let one = self.machine.pool.constant(32, 1);
                return self.longjmp_in_terms(arg(0), one);
            }
            (Intrinsic::CheckAccess, Some(_)) if arg(1).expr.is_none() => {
                self.check_access(arg(0), arg(1).bits)?;
                Value::word(0)
            }
            // No byte is written: the address does not matter.
            (Intrinsic::Write, _) if arg(1).expr.is_some() && arg(2) == Value::word(0) => {
                return self.with_numbers(it, &[arg(0), Value::word(0), arg(2)]);
            }
            (Intrinsic::CheckInitialised, None) if arg(1).expr.is_none() => {
                self.check_initialised(arg(0).bits, arg(1).bits)?;
                Value::word(0)
            }
            // Bytes up to a symbolic length: which of them count depends on the input.
            (Intrinsic::CheckInitialised, _) => Value::word(0),
            (Intrinsic::Write, _) if arg(2).expr.is_some() => {
                // The output of explored paths is discarded: its length may stay symbolic, but
                // its bytes must be in bounds.
                let len = self.term(arg(2));
                self.in_terms(|memory| memory.fits(arg(1), len, Access::Copy))?;
                arg(2)
            }
            (Intrinsic::Ubsan(handler), _) => return self.ubsan(handler, args),
            _ => return self.with_numbers(it, args),
        };
        Ok(IntrinsicResult::Value(result))
    }

    /// Makes the arguments concrete, with one path per value; illegal pointers are one path for
    /// each kind of fault.
    fn with_numbers(&mut self, it: Intrinsic, args: &[Value]) -> ExecResult<IntrinsicResult> {
        let words = self.in_terms(|memory| {
            let number = |(i, &value): (usize, &Value)| match (value.expr, parameter(it, i)) {
                (None, _) => Ok(value.bits),
                (Some(_), Parameter::Pointer(len, access)) => memory.pointer(value, len, access),
                (Some(_), Parameter::Text) => memory.text(value),
                (Some(term), Parameter::Number) => {
                    let bits = memory.resolver.each(memory.pool, term, Decision::Choice)?;
                    Ok(bits as u64)
                }
            };
            args.iter().enumerate().map(number).collect::<ExecResult<Vec<u64>>>()
        })?;
        self.intrinsic(it, &words)
    }

    /// A term without undefined bytes; a fault if it has an undefined bit.
    fn defined(&mut self, term: ExprId, used_as: ValueUse) -> ExecResult<ExprId> {
        self.in_terms(|memory| memory.resolver.defined(memory.pool, term, used_as))
    }

    fn term(&mut self, value: Value) -> ExprId {
        match value.expr {
            Some(term) => self.machine.pool.resize(term, 64),
            None => self.machine.pool.constant(64, u128::from(value.bits)),
        }
    }

    /// The product of two sizes; `None` if it overflows.
    fn product(&mut self, a: Value, b: Value) -> ExecResult<Option<ExprId>> {
        let (a, b) = (self.term(a), self.term(b));
        let over = self.machine.pool.umul_overflows(a, b);
        let over = self.in_terms(|r| r.resolver.holds(r.pool, over, Decision::Size))?;
        Ok((!over).then(|| self.machine.pool.mul(a, b)))
    }

    /// Allocates a heap object of symbolic size; null if `malloc` fails.
    fn heap_in_terms(&mut self, size: ExprId) -> ExecResult<Value> {
        if let Some(size) = self.machine.pool.value(size) {
            return Ok(Value::word(self.heap(Some(size as u64), HEAP_ALIGN)?));
        }
        let at = self.user_location();
        let heap = ObjectKind::Heap;
        let base = self.in_terms(|memory| memory.allocate(size, HEAP_ALIGN, heap, at))?;
        self.state.path.count_allocations(base.is_some().into());
        Ok(Value::word(base.unwrap_or(0)))
    }

    fn realloc_in_terms(&mut self, old: Value, size: ExprId) -> ExecResult<Value> {
        let old = self.in_terms(|memory| memory.heap_address(old))?;
        if old == 0 {
            return self.heap_in_terms(size);
        }
        let old_size = self.heap_size(old)?;
        let zero = self.machine.pool.zero_like(size);
        let empty = self.machine.pool.eq(size, zero);
        if self.in_terms(|r| r.resolver.holds(r.pool, empty, Decision::Size))? {
            self.free(old)?;
            return Ok(Value::word(0));
        }
        let new = self.heap_in_terms(size)?;
        if new.bits != 0 {
            let room = self.state.memory.live(new.bits).map_or(0, |object| object.size());
            self.in_terms(|memory| memory.copy_objects(new.bits, old, old_size.min(room)));
            self.free(old)?;
        }
        Ok(new)
    }

    /// `longjmp` with a value or a buffer of terms. By the C standard, zero becomes one.
    fn longjmp_in_terms(&mut self, buffer: Value, value: ExprId) -> ExecResult<IntrinsicResult> {
        let at = self.in_terms(|memory| memory.pointer(buffer, JUMP_BUFFER, Access::Copy))?;
        let pool = &mut self.machine.pool;
        let value = pool.extract(value, 0, 32);
        let (is_set, one) = (pool.is_nonzero(value), pool.constant(32, 1));
        let value = pool.ite(is_set, value, one);
        let value = value_of(pool, value);
        self.longjmp(at, value, Self::jump_word_in_terms)
    }

    /// Adds a condition to the path; inputs that violate it are not explored.
    fn assume(&mut self, condition: ExprId) -> ExecResult<()> {
        let condition = self.machine.pool.is_nonzero(condition);
        if self.machine.pool.value(condition) == Some(0) {
            return Err(Box::new(Stop::Excluded));
        }
        let path = &mut self.state.path;
        if self.machine.pool.value(condition).is_some()
            || path.condition.contains(condition)
            || path.answer(condition).is_some()
        {
            return Ok(());
        }
        let cases = vec![ForkCase { case: Case::TRUE, condition }];
        let decision = Decision::Choice;
        let request = ForkRequest { decision, key: condition, cases, value_of: None };
        Err(Box::new(Stop::Fork(request)))
    }

    /// Bounds of a value, by interval analysis.
    fn range(&mut self, value: Value) -> String {
        let term = self.term(value);
        let mut intervals = Intervals::new(&self.machine.pool);
        for conjunct in self.state.path.condition.related(&mut self.machine.pool, term) {
            intervals.assume(&self.machine.pool, conjunct);
        }
        let interval = intervals.of(&self.machine.pool, term);
        format!("at least {} and at most {}", interval.lo, interval.hi)
    }
}

/// What an intrinsic does with an argument that must be concrete.
enum Parameter {
    Number,
    /// At least this many bytes are accessed.
    Pointer(u64, Access),
    /// Text that ends with a zero byte, or null.
    Text,
}

fn parameter(it: Intrinsic, index: usize) -> Parameter {
    match (it, index) {
        (Intrinsic::Setjmp, 0) => Parameter::Pointer(JUMP_BUFFER, Access::Write),
        (Intrinsic::Longjmp | Intrinsic::BuiltinLongjmp, 0) => {
            Parameter::Pointer(JUMP_BUFFER, Access::Copy)
        }
        (Intrinsic::PosixMemalign, 0) => Parameter::Pointer(8, Access::Write),
        (Intrinsic::Symbolic, 0) | (Intrinsic::Read, 0) => Parameter::Pointer(1, Access::Write),
        (Intrinsic::Write, 1) => Parameter::Pointer(1, Access::Copy),
        (Intrinsic::HostStat | Intrinsic::HostRead | Intrinsic::HostList, 0)
        | (Intrinsic::HostLink, 0) => Parameter::Pointer(1, Access::Copy),
        (Intrinsic::AssertFail, 0 | 3)
        | (Intrinsic::Symbolic, 2)
        | (Intrinsic::Report, 0 | 1)
        | (Intrinsic::Unsupported | Intrinsic::Warn | Intrinsic::Say, 0) => Parameter::Text,
        _ => Parameter::Number,
    }
}

fn null() -> IntrinsicResult {
    IntrinsicResult::Value(Value::word(0))
}
