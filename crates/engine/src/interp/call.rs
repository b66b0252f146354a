//! Calls and returns.

use std::ops::Range;
use std::rc::Rc;

use byway_base::{ExprId, FaultKind, InternalErrorKind, UnsupportedFeature};
use byway_expr::Pool;
use byway_ir::FuncId;
use byway_search::Decision;

use super::general::write;
use super::intrinsics::{IntrinsicResult, Mode};
use super::oracle::Resolver;
use super::special::adapt;
use super::symbolic::Oracle;
use super::{Execution, MOST_SPARE};
use crate::bytecode::{CallSite, CallTarget, Code, TypedSlot};
use crate::memory::address::{CODE_STEP, code_address};
use crate::program::FunctionBody;
use crate::pure_functions::{CALLING_EXTERNAL, ExternalCalls, PureFunction, pure_function};
use crate::reason::ConcretisationReason;
use crate::state::Frame;
use crate::stop::{CALL_OF_NULL, ExecResult, Stop, ValueUse, fault, symbolic, unsupported};
use crate::value::Value;

/// Frames reserved at once when a stack is full. A stack copied at a fork has no spare
/// capacity.
const MORE_CALLS: usize = 8;

impl<'p> Execution<'_, 'p, '_> {
    /// A call site of the innermost frame.
    fn site(&self, index: u32) -> &'p CallSite {
        let top = self.state.stack.last().expect("a call has a caller");
        &self.program.code(top.func).calls[index as usize]
    }

    /// Executes a call of the innermost frame.
    pub(super) fn call(&mut self, index: u32) -> ExecResult<()> {
        let site = self.site(index);
        let func = match site.callee {
            CallTarget::Direct(func) => func,
            CallTarget::Indirect(slot) => self.pointed_to(slot)?,
        };
        match self.program.body(func) {
            FunctionBody::Code(code) => self.enter(func, code, site),
            FunctionBody::Intrinsic(intrinsic) => {
                let args = self.argument_words(site)?;
                let answer = self.call_intrinsic(intrinsic, &args, Mode::Words)?;
                self.answered(site, answer);
                Ok(())
            }
            FunctionBody::Missing => {
                let args = self.argument_words(site)?;
                self.call_external(func, site, &args)
            }
        }
    }

    /// Executes a call of the innermost frame with a symbolic callee or argument.
    pub(super) fn call_in_terms(&mut self, index: u32) -> ExecResult<()> {
        let site = self.site(index);
        let func = match site.callee {
            CallTarget::Direct(func) => func,
            CallTarget::Indirect(slot) => self.pointed_to_in_terms(slot)?,
        };
        match self.program.body(func) {
            FunctionBody::Code(code) => self.enter(func, code, site),
            FunctionBody::Intrinsic(intrinsic) => {
                let args = self.argument_values(site);
                let answer = self.call_intrinsic(intrinsic, &args, Mode::Terms)?;
                self.answered(site, answer);
                Ok(())
            }
            FunctionBody::Missing => {
                let args = self.argument_values(site);
                self.call_external(func, site, &args)
            }
        }
    }

    /// Calls a function without a body on the host, if it is pure and that is allowed.
    fn call_external(&mut self, func: FuncId, site: &CallSite, args: &[Value]) -> ExecResult<()> {
        let name = &self.program.module.funcs[func].name;
        let policy = self.machine.external_calls;
        let fits = |function: &&PureFunction| {
            policy != ExternalCalls::None
                && site.args.iter().map(|arg| arg.ty).eq(function.params.iter().copied())
                && site.dsts.iter().all(|result| result.ty == function.result)
        };
        let Some(function) = pure_function(name).filter(fits) else {
            return Err(self.missing(func));
        };
        let mut words = Vec::with_capacity(args.len());
        for argument in args {
            words.push(match argument.expr {
                None => argument.bits,
                Some(_) if policy == ExternalCalls::Concrete => {
                    return Err(unsupported(UnsupportedFeature::SymbolicArgument(name.clone())));
                }
                Some(term) => {
                    let machine = &mut self.machine;
                    let mut resolver =
                        Resolver { path: &mut self.state.path, evaluator: &mut machine.evaluator };
                    let reason = ConcretisationReason::ExternalCall;
                    resolver.fix(&mut machine.pool, term, reason)? as u64
                }
            });
        }
        let Some(result) = self.machine.env().call_pure(function, &words) else {
            return Err(self.missing(func));
        };
        if self.machine.called_externals.insert(func) {
            let shown: Vec<String> = words.iter().map(u64::to_string).collect();
            let message = format!("{CALLING_EXTERNAL}{name}({})", shown.join(", "));
            self.machine.messages.push(message);
        }
        self.answered(site, IntrinsicResult::Value(Value::word(result)));
        Ok(())
    }

    fn argument_values(&self, site: &CallSite) -> Vec<Value> {
        let top = self.state.stack.last().expect("a call has a caller");
        site.args.iter().map(|place| top.regs[place.slot as usize]).collect()
    }

    fn missing(&self, func: FuncId) -> Box<Stop> {
        let name = &self.program.module.funcs[func].name;
        unsupported(UnsupportedFeature::Function(name.clone()))
    }

    fn pointed_to(&self, slot: u32) -> ExecResult<FuncId> {
        let top = self.state.stack.last().expect("a call has a caller");
        let value = top.regs[slot as usize];
        if value.expr.is_some() {
            return Err(symbolic());
        }
        self.program.func_at(value.bits).ok_or_else(|| no_function(value.bits))
    }

    /// The function that a symbolic pointer refers to: that of the witness on this path, and a
    /// path for each other. Null is a fault, and so are all other values, as one path: those that
    /// are no function, and the functions whose address the program never takes, so that a pointer
    /// to one can only be made of input. Distances rely on that.
    fn pointed_to_in_terms(&mut self, slot: u32) -> ExecResult<FuncId> {
        let top = self.state.stack.last().expect("a call has a caller");
        let Some(term) = top.regs[slot as usize].expr else { return self.pointed_to(slot) };
        let pool = &mut self.machine.pool;
        let mut resolver =
            Resolver { path: &mut self.state.path, evaluator: &mut self.machine.evaluator };
        let term = resolver.defined(pool, term, ValueUse::Address)?;
        let term = pool.resize(term, 64);
        let null = pool.zero_like(term);
        let is_null = pool.eq(term, null);
        if resolver.holds(pool, is_null, Decision::Check)? {
            return Err(no_function(0));
        }
        let callable = is_in(pool, term, self.program.pointed_functions());
        if !resolver.holds(pool, callable, Decision::Check)? {
            let address = resolver.witnessed(pool, term) as u64;
            return Err(match self.program.func_at(address) {
                Some(func) => self.never_taken(func),
                None => no_function(address),
            });
        }
        let address = resolver.each(pool, term, Decision::Target)? as u64;
        self.program.func_at(address).ok_or_else(|| no_function(address))
    }

    #[cold]
    fn never_taken(&self, func: FuncId) -> Box<Stop> {
        let name = &self.program.module.funcs[func].name;
        let message = format!(
            "call of '{name}' through a pointer that the input determines; the program never takes \
             the address of that function"
        );
        fault(FaultKind::BadFunctionPointer, message)
    }

    /// The arguments of a call as words, the low ones of wide arguments.
    fn argument_words(&self, site: &CallSite) -> ExecResult<Vec<Value>> {
        let top = self.state.stack.last().expect("a call has a caller");
        let word = |place: &TypedSlot| {
            let value = top.regs[place.slot as usize];
            if value.expr.is_some() { Err(symbolic()) } else { Ok(value) }
        };
        site.args.iter().map(word).collect()
    }

    /// Stores the result of an intrinsic in the innermost frame.
    fn answered(&mut self, site: &CallSite, answer: IntrinsicResult) {
        self.state.calls += 1;
        if let IntrinsicResult::Value(value) = answer
            && !site.dsts.is_empty()
        {
            let top = self.state.stack.last_mut().expect("a call has a caller");
            let source = TypedSlot { ty: byway_ir::Ty::Ptr, slot: 0 };
            hand_over(
                &mut self.machine.pool,
                &[value],
                &[source],
                &mut Rc::make_mut(top).regs,
                &site.dsts,
            );
        }
    }

    /// A new frame of a function, a copy of its template.
    fn new_frame(&mut self, func: FuncId, code: &Code) -> ExecResult<Rc<Frame>> {
        if self.state.stack.len() >= self.machine.max_frames {
            let message = format!("the depth of calls exceeds {}", self.machine.max_frames);
            return Err(fault(FaultKind::StackExhausted, message));
        }
        if !self.state.memory.push_frame(code.frame_bytes()) {
            let limit = self.state.memory.stack_limit();
            let message = format!(
                "{} nested calls and their local variables exceed the stack of {limit} bytes",
                self.state.stack.len() + 1
            );
            return Err(fault(FaultKind::StackExhausted, message));
        }
        let mut frame = self.machine.spare.pop().unwrap_or_else(|| {
            Rc::new(Frame {
                func,
                pc: 0,
                serial: 0,
                regs: Vec::new(),
                locals: Vec::new(),
                variadic: None,
            })
        });
        let fresh = Rc::make_mut(&mut frame);
        fresh.func = func;
        fresh.pc = code.start;
        fresh.serial = self.state.calls;
        fresh.regs.clear();
        // States keep frames for long: drop the capacity of a much larger frame.
        if self.machine.exploring && fresh.regs.capacity() > 2 * code.template.len() {
            fresh.regs = Vec::with_capacity(code.template.len());
        }
        fresh.regs.extend_from_slice(&code.template);
        fresh.locals.clear();
        fresh.variadic = None;
        Ok(frame)
    }

    fn enter(&mut self, func: FuncId, code: &'p Code, site: &CallSite) -> ExecResult<()> {
        self.state.calls += 1;
        let mut frame = self.new_frame(func, code)?;
        let fresh = Rc::make_mut(&mut frame);
        let caller = self.state.stack.last().expect("a call has a caller").clone();
        match &site.exact {
            Some(slots) => {
                for (to, &from) in fresh.regs.iter_mut().zip(slots) {
                    *to = caller.regs[from as usize];
                }
            }
            None => {
                if let CallTarget::Indirect(_) = site.callee {
                    self.check_signature(site, func, code, &caller)?;
                }
                for (param, arg) in code.params.iter().zip(&site.args) {
                    adapt(&mut self.machine.pool, &caller.regs, *arg, &mut fresh.regs, *param);
                }
            }
        }
        if self.program.module.funcs[func].variadic {
            // A suspended call starts again with a new frame.
            let area = self.lay_out_varargs(site, &caller.regs).inspect_err(|_| {
                self.state.memory.pop_frame(code.frame_bytes());
            })?;
            fresh.locals.push(area);
            fresh.variadic = Some(area);
        }
        drop(caller);
        if site.tail
            && let Some(gone) = self.state.stack.pop()
        {
            self.retire(gone);
        }
        let stack = &mut self.state.stack;
        if stack.len() == stack.capacity() {
            stack.reserve(MORE_CALLS);
        }
        stack.push(frame);
        Ok(())
    }

    /// Frees a frame and its locals.
    fn retire(&mut self, frame: Rc<Frame>) {
        for &base in frame.locals.iter().rev() {
            self.state.memory.release(base, None);
        }
        self.state.memory.pop_frame(self.program.code(frame.func).frame_bytes());
        // With forks, more frames are retired than calls allocate: each path has its own copy
        // of its callers' frames.
        if self.machine.spare.len() < MOST_SPARE && Rc::strong_count(&frame) == 1 {
            self.machine.spare.push(frame);
        }
    }

    /// Returns from the innermost frame.
    pub(super) fn ret(&mut self, index: u32) -> ExecResult<()> {
        let frame = self.state.stack.last().expect("a return has a frame");
        let values = &self.program.code(frame.func).returns[index as usize];
        let term = values.first().and_then(|value| frame.regs[value.slot as usize].expr);
        match term.is_some_and(|term| self.is_undefined_status(term)) {
            true => Err(symbolic()),
            false => self.leave(values),
        }
    }

    /// Returns from the innermost frame, with a status of `main` that mentions undefined bytes.
    pub(super) fn ret_in_terms(&mut self, index: u32) -> ExecResult<()> {
        let frame = self.state.stack.last().expect("a return has a frame");
        let values = &self.program.code(frame.func).returns[index as usize];
        if let Some(term) = values.first().and_then(|value| frame.regs[value.slot as usize].expr) {
            let pool = &mut self.machine.pool;
            let mut resolver =
                Resolver { path: &mut self.state.path, evaluator: &mut self.machine.evaluator };
            resolver.defined(pool, term, ValueUse::ExitStatus)?;
        }
        self.leave(values)
    }

    /// Whether a term that the innermost frame returns is a status of `main` that mentions
    /// undefined bytes.
    #[cold]
    fn is_undefined_status(&mut self, term: ExprId) -> bool {
        let function = self.state.stack.last().map(|frame| frame.func);
        function.is_some_and(|func| self.program.module.funcs[func].name == "main")
            && self.machine.pool.undefined_byte(term).is_some()
    }

    fn leave(&mut self, values: &[TypedSlot]) -> ExecResult<()> {
        let frame = self.state.stack.pop().expect("a return has a frame");
        if self.state.stack.is_empty() {
            // The entry function returned: its result is the exit code.
            let code = values.first().map_or(Value::word(0), |p| frame.regs[p.slot as usize]);
            self.state.stack.push(frame);
            return Err(self.exit(code)?);
        };
        let caller = self.state.stack.last_mut().expect("the frame has a caller");
        let caller = Rc::make_mut(caller);
        let code = self.program.code(caller.func);
        let crate::bytecode::ByteOp::Call { index, .. } = code.ops[caller.pc as usize - 1] else {
            return Err(Box::new(Stop::InternalError(InternalErrorKind::ReturnWithoutCall)));
        };
        let site = &code.calls[index as usize];
        hand_over(&mut self.machine.pool, &frame.regs, values, &mut caller.regs, &site.dsts);
        self.retire(frame);
        Ok(())
    }

    /// Ends the program with this exit code.
    pub(crate) fn exit(&mut self, code: Value) -> ExecResult<Box<Stop>> {
        let Some(term) = code.expr else { return Ok(Box::new(Stop::Exit(code.bits as i32))) };
        let pool = &mut self.machine.pool;
        let mut resolver =
            Resolver { path: &mut self.state.path, evaluator: &mut self.machine.evaluator };
        let term = resolver.defined(pool, term, ValueUse::ExitStatus)?;
        let code = resolver.witnessed(pool, term) as i32;
        self.state.path.exit_code = Some(term);
        Ok(Box::new(Stop::Exit(code)))
    }

    /// Pushes the frame of the program's entry.
    pub(super) fn start(&mut self, func: FuncId, args: &[u64]) -> ExecResult<()> {
        let code = self.program.code(func);
        let mut frame = self.new_frame(func, code)?;
        let fresh = Rc::make_mut(&mut frame);
        for (i, param) in code.params.iter().enumerate() {
            let source = TypedSlot { ty: byway_ir::Ty::Ptr, slot: 0 };
            let word = Value::word(args.get(i).copied().unwrap_or(0));
            adapt(&mut self.machine.pool, &[word], source, &mut fresh.regs, *param);
        }
        self.state.calls += 1;
        self.state.stack.push(frame);
        Ok(())
    }

    /// Drops frames until the one with this serial is the innermost; `false`, and
    /// nothing is dropped, if there is none.
    pub(crate) fn unwind_to(&mut self, serial: u64) -> bool {
        if !self.state.stack.iter().any(|f| f.serial == serial) {
            return false;
        }
        while let Some(frame) = self.state.stack.pop_if(|f| f.serial != serial) {
            self.retire(frame);
        }
        true
    }

    /// The innermost frame, for writing.
    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.state.stack.last_mut().expect("an intrinsic has a caller"))
    }
}

/// Stores the results of a call. A caller that expects more results than the callee's type has
/// gets zeros: the slots may hold anything.
#[inline]
fn hand_over(
    pool: &mut Pool,
    from: &[Value],
    results: &[TypedSlot],
    to: &mut [Value],
    wanted: &[TypedSlot],
) {
    for (i, &dst) in wanted.iter().enumerate() {
        match results.get(i) {
            Some(&result) => adapt(pool, from, result, to, dst),
            None => write(to, dst, 0),
        }
    }
}

/// The condition that an address is that of one of these functions, given as ranges of their
/// numbers.
fn is_in(pool: &mut Pool, address: ExprId, functions: &[Range<u64>]) -> ExprId {
    let base = pool.constant(64, u128::from(code_address(0)));
    let distance = pool.sub(address, base);
    let mut found = pool.boolean(false);
    for range in functions {
        let first = pool.constant(64, u128::from(range.start * CODE_STEP));
        let from_first = pool.sub(distance, first);
        let extent = pool.constant(64, u128::from((range.end - range.start) * CODE_STEP));
        let near = pool.ult(from_first, extent);
        found = pool.or(found, near);
    }
    let rest = pool.extract(distance, 0, CODE_STEP.trailing_zeros());
    let zero = pool.zero_like(rest);
    let aligned = pool.eq(rest, zero);
    pool.and(found, aligned)
}

#[cold]
fn no_function(address: u64) -> Box<Stop> {
    let message = match address {
        0 => CALL_OF_NULL.to_string(),
        at => format!("call of address {at:#x}, where no function is"),
    };
    fault(FaultKind::BadFunctionPointer, message)
}

#[cfg(test)]
mod tests {
    use super::super::{Machine, Step};
    use super::*;
    use crate::Config;
    use crate::DeterministicEnv;
    use crate::program::Program;
    use crate::state::State;

    #[test]
    fn frames_are_reused_up_to_a_limit() {
        let text = "bwir 1
module \"test\"
func user @down(v0:i32) -> i32 {
b0:
  v1:i1 = icmp eq v0, 0:i32
  br v1, b1, b2
b1:
  ret 7:i32
b2:
  v2:i32 = sub v0, 1:i32
  v3:i32 = call @down(v2)
  ret v3
}
func user @main() -> i32 {
b0:
  v0:i32 = call @down(1000:i32)
  ret v0
}
";
        let module = byway_ir::text::parse(text).expect("it is well formed");
        let config = Config::default();
        let program = Program::new(&module, &config).expect("it is a program");
        let mut world = DeterministicEnv::default();
        let mut state = State::new(program.memory());
        let mut machine = Machine::new(&program, &config, &mut world);
        let main = module.func_by_name("main").expect("it is there");
        machine.start(&mut state, main, &[]).expect("it starts");
        let (step, _) = machine.run(&mut state, 1 << 20);
        assert!(matches!(step, Step::End(byway_base::Outcome::Exit(7))), "{step:?}");
        assert_eq!(machine.spare.len(), MOST_SPARE);
    }
}
