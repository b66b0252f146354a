//! Calls of functions, intrinsics and inline assembly.

use std::cmp::Ordering;
use std::rc::Rc;

use byway_ir::{Callee, CastOp, Inst, Operand, Symbol, Ty, VarArg};

use super::abi::ArgumentAllocator;
use super::constants::FoldedConstant;
use super::func::{FunctionLowering, Leaves};
use crate::asm;
use crate::intrinsics;
use crate::libm;
use crate::llvm::{LlvmValue, ValueKind};
use crate::shape::Shape;

/// The size of a `va_list` on x86-64.
const VA_LIST_BYTES: i128 = 24;

/// The copies a call makes of objects passed by value.
#[derive(Default)]
struct ByValueCopies {
    /// The stack mark to restore after the call.
    mark: Option<Operand>,
    /// Copies to make just before the call: destination, source, length.
    forwarded: Vec<(Operand, Operand, Operand)>,
}

impl FunctionLowering<'_> {
    /// A call instruction (or the call in an invoke).
    pub fn call(&mut self, inst: LlvmValue) -> Result<(), String> {
        let called = inst.called();
        match called.kind() {
            ValueKind::InlineAsm => return self.inline_asm(inst, called),
            ValueKind::Function if called.is_intrinsic() => {
                let name = self.intrinsic_name(called);
                return self.intrinsic(inst, &name);
            }
            _ => {}
        }
        let callee = self.callee(called)?;
        let mut args = Vec::new();
        let mut varargs = Vec::new();
        let ty = inst.called_type();
        let fixed = ty.param_count();
        let mut area = ArgumentAllocator::default();
        let mut copies = ByValueCopies::default();
        for (n, arg) in inst.args().enumerate() {
            let n = n as u32;
            let leaves = self.leaves(arg)?;
            let by_value = inst.arg_byval(n);
            match by_value {
                Some(object) if n < fixed => {
                    args.push(self.pass_by_value(inst, n, object, &mut copies)?);
                }
                _ => args.extend_from_slice(leaves.as_slice()),
            }
            if ty.is_variadic() {
                let offset = match by_value {
                    Some((size, align)) => area.allocate_by_value(size, align),
                    None => area.allocate(&self.layout(arg.ty())?.shape),
                };
                if n >= fixed && !leaves.as_slice().is_empty() {
                    let operands = leaves.as_slice().len() as u32;
                    let by_value = by_value.map(|(size, _)| size);
                    varargs.push(VarArg { offset, operands, by_value });
                }
            }
        }
        let results = self.layout(inst.ty())?;
        let dsts: Box<[_]> = results.leaves.iter().map(|&ty| self.b.new_val(ty)).collect();
        let operands: Vec<Operand> = dsts.iter().map(|&v| v.into()).collect();
        for (dst, src, len) in copies.forwarded {
            self.b.push(Inst::MemCopy { dst, src, len, overlap: false });
        }
        self.b.push(Inst::Call {
            callee,
            args: args.into(),
            varargs: varargs.into(),
            dsts,
            tail: inst.is_must_tail_call(),
        });
        if let Some(mark) = copies.mark {
            self.b.push(Inst::StackRestore { mark });
        }
        self.define(inst, &operands);
        Ok(())
    }

    /// The address that the callee receives for an object passed by value: that of a copy
    /// that lives until the call returns. A tail call reuses the by-value parameter of this
    /// function at the same position, since this frame ends before the callee runs.
    fn pass_by_value(
        &mut self,
        inst: LlvmValue,
        n: u32,
        (size, align): (u64, u32),
        copies: &mut ByValueCopies,
    ) -> Result<Operand, String> {
        let object = inst.operand(n);
        let address = self.scalar(object)?;
        if !inst.is_must_tail_call() {
            if copies.mark.is_none() {
                let dst = self.b.new_val(Ty::Ptr);
                self.b.push(Inst::StackSave { dst });
                copies.mark = Some(dst.into());
            }
            return Ok(self.copy_to_stack(address, size, align));
        }
        let own = self.function.params().nth(n as usize);
        let own = own.filter(|_| self.function.param_byval(n) == Some((size, align)));
        let own = own.ok_or("a tail call that passes more objects by value than it was passed")?;
        let destination = self.scalar(own)?;
        if own != object {
            // Through a copy, in case another argument has the same source.
            let copy = self.copy_to_stack(address, size, align);
            let len = self.b.int(64, size.into());
            copies.forwarded.push((destination, copy, len));
        }
        Ok(destination)
    }

    fn callee(&mut self, called: LlvmValue) -> Result<Callee, String> {
        if !matches!(called.kind(), ValueKind::Instruction | ValueKind::Argument)
            && let FoldedConstant::Address { plus: Symbol::Func(func), minus: None, addend: 0 } =
                self.program.fold(called)?
        {
            return Ok(Callee::Direct(func));
        }
        Ok(Callee::Indirect(self.scalar(called)?))
    }

    /// What the fixed parameters of a variadic function use: general registers, vector
    /// registers, bytes of stack.
    fn used_by_parameters(&mut self) -> Result<(u8, u8, u32), String> {
        let function = self.function;
        let mut area = ArgumentAllocator::default();
        for (n, param) in function.params().enumerate() {
            match function.param_byval(n as u32) {
                Some((size, align)) => area.allocate_by_value(size, align),
                None => area.allocate(&self.layout(param.ty())?.shape),
            };
        }
        Ok(area.used())
    }

    fn intrinsic_name(&mut self, called: LlvmValue) -> Rc<str> {
        let names = &mut self.program.intrinsic_names;
        Rc::clone(names.entry(called).or_insert_with(|| called.name().into()))
    }

    /// An intrinsic. Those on memory and control flow are lowered here, computations in
    /// [`intrinsics`].
    fn intrinsic(&mut self, inst: LlvmValue, name: &str) -> Result<(), String> {
        let base = name.strip_prefix("llvm.").unwrap_or(name);
        let is = |prefix: &str| {
            base.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if is("va_end") || base.starts_with("dbg.") {
            return Ok(());
        }
        if is("lifetime.start") || is("lifetime.end") {
            return self.lifetime(inst, is("lifetime.start"));
        }
        if is("memcpy.element.unordered.atomic") || is("memmove.element.unordered.atomic") {
            return Err(format!("intrinsic {name}"));
        }
        if is("memcpy") || is("memcpy.inline") || is("memmove") {
            let dst = self.scalar(inst.operand(0))?;
            let src = self.scalar(inst.operand(1))?;
            let len = self.scalar(inst.operand(2))?;
            self.b.push(Inst::MemCopy { dst, src, len, overlap: is("memmove") });
            return Ok(());
        }
        if (is("memset") || is("memset.inline")) && !is("memset.element") {
            let dst = self.scalar(inst.operand(0))?;
            let byte = self.scalar(inst.operand(1))?;
            let len = self.scalar(inst.operand(2))?;
            self.b.push(Inst::MemSet { dst, byte, len });
            return Ok(());
        }
        if is("va_start") {
            let list = self.scalar(inst.operand(0))?;
            let (general, vector, stack) = self.used_by_parameters()?;
            self.b.push(Inst::VaStart { list, general, vector, stack });
            return Ok(());
        }
        if is("va_copy") {
            let dst = self.scalar(inst.operand(0))?;
            let src = self.scalar(inst.operand(1))?;
            let len = self.b.int(64, VA_LIST_BYTES);
            self.b.push(Inst::MemCopy { dst, src, len, overlap: false });
            return Ok(());
        }
        if is("stacksave") {
            let dst = self.b.new_val(Ty::Ptr);
            self.b.push(Inst::StackSave { dst });
            self.define(inst, &[dst.into()]);
            return Ok(());
        }
        if is("stackrestore") {
            let mark = self.scalar(inst.operand(0))?;
            self.b.push(Inst::StackRestore { mark });
            return Ok(());
        }
        if is("threadlocal.address") {
            let address = self.scalar(inst.operand(0))?;
            self.define(inst, &[address]);
            return Ok(());
        }
        let functions = libm::functions(name);
        if !functions.is_empty() {
            return self.libm_call(inst, &functions);
        }
        let mut args = Vec::new();
        for arg in inst.args().filter(|a| !a.is_metadata()) {
            args.push(self.flat(arg)?);
        }
        let ret = self.layout(inst.ty())?.shape.clone();
        let mut shapes = args.iter().map(|a| &a.shape).chain([&ret]);
        if shapes.any(Shape::is_wide) {
            let results = self.wide_intrinsic(name, &args, &ret)?;
            self.define(inst, &results);
            return Ok(());
        }
        let results = match inst.constrained_predicate() {
            // Metadata has no lowering as an argument, so the predicate is part of the name.
            Some(predicate) => {
                intrinsics::lower(&mut self.b, &format!("{name}:{predicate}"), &args, &ret)?
            }
            None => intrinsics::lower(&mut self.b, name, &args, &ret)?,
        };
        self.define(inst, &results);
        Ok(())
    }

    /// Calls the library functions that implement an intrinsic, for each lane.
    fn libm_call(&mut self, inst: LlvmValue, functions: &[String]) -> Result<(), String> {
        let mut args = Vec::new();
        for arg in inst.args().filter(|a| !a.is_metadata()) {
            args.push(self.leaves(arg)?);
        }
        let results = self.layout(inst.ty())?.leaves.clone();
        let lanes = results.len() / functions.len();
        let mut values = Vec::with_capacity(results.len());
        for (n, &ty) in results.iter().enumerate() {
            let name = &functions[n / lanes];
            let Some(&func) = self.program.funcs_by_name.get(name) else {
                return Err(format!("function {name}"));
            };
            // A scalar among vectors applies to every lane.
            let pick = |a: &Leaves| a.as_slice().get(n % lanes).or(a.as_slice().first()).copied();
            let dst = self.b.new_val(ty);
            self.b.push(Inst::Call {
                callee: Callee::Direct(func),
                args: args.iter().filter_map(pick).collect(),
                varargs: Box::default(),
                dsts: [dst].into(),
                tail: false,
            });
            values.push(dst.into());
        }
        self.define(inst, &values);
        Ok(())
    }

    /// Inline assembly, as far as [`asm`] supports it.
    fn inline_asm(&mut self, inst: LlvmValue, code: LlvmValue) -> Result<(), String> {
        let (text, constraints) = code.inline_asm();
        if asm::is_barrier(&text) {
            return self.barrier(inst, &constraints);
        }
        let mut args = Vec::new();
        for arg in inst.args() {
            args.push(self.leaves(arg)?);
        }
        let results = self.layout(inst.ty())?.leaves.clone();
        let scalars: Option<Vec<Operand>> = args
            .iter()
            .map(|arg| match arg.as_slice() {
                [one] => Some(*one),
                _ => None,
            })
            .collect();
        let lowered = scalars
            .and_then(|args| asm::lower(&mut self.b, &text, &constraints, &args, &results))
            .ok_or_else(|| format!("inline assembly \"{}\"", text.escape_default()))?;
        self.define(inst, &lowered);
        Ok(())
    }

    /// Assembly without instructions: each output is the input tied to it, of any type, or
    /// zero; in memory, it is the input or what was there.
    fn barrier(&mut self, inst: LlvmValue, constraints: &str) -> Result<(), String> {
        let parts: Vec<&str> = constraints.split(',').collect();
        let is_output = |c: &&str| c.starts_with('=');
        let direct_outputs: Vec<usize> =
            (0..parts.len()).filter(|&n| is_output(&parts[n]) && !parts[n].contains('*')).collect();
        // Arguments are the indirect outputs, then the inputs.
        let operands: Vec<usize> = (0..parts.len())
            .filter(|&n| {
                (is_output(&parts[n]) && parts[n].contains('*'))
                    || !(is_output(&parts[n]) || parts[n].starts_with(['~', '!']))
            })
            .collect();
        let tied_to = |output: usize| operands.iter().position(|&n| parts[n].parse() == Ok(output));
        for (place, &output) in operands.iter().enumerate() {
            if is_output(&parts[output])
                && let Some(input) = tied_to(output)
            {
                self.store_tied(inst, place, input)?;
            }
        }
        let mut results = Vec::new();
        let layout = self.layout(inst.ty())?;
        for (position, &output) in direct_outputs.iter().enumerate() {
            let tied = tied_to(output);
            let part = match direct_outputs.len() {
                1 => Some((0, &layout.shape)),
                _ => layout.shape.part(&[position as u32]),
            };
            let (start, shape) = part.ok_or("inline assembly with odd outputs")?;
            let types = &layout.leaves[start..start + shape.leaf_count()];
            match tied.and_then(|n| inst.args().nth(n)) {
                Some(input) => {
                    let leaves = self.leaves(input)?;
                    results.extend(intrinsics::reinterpret(&mut self.b, leaves.as_slice(), types)?);
                }
                None => results.extend(types.iter().map(|&ty| self.b.bits(ty, 0))),
            }
        }
        self.define(inst, &results);
        Ok(())
    }

    /// Stores one argument of an assembly where another points to. Both are integers or
    /// pointers; the output may be narrower.
    fn store_tied(&mut self, inst: LlvmValue, place: usize, input: usize) -> Result<(), String> {
        let odd = "inline assembly with odd outputs";
        let ty = inst.arg_element_type(place as u32).ok_or(odd)?;
        let layout = self.layout(ty)?;
        let input = inst.args().nth(input).ok_or(odd)?;
        let (&[output], &[input]) = (layout.leaves.as_slice(), self.leaves(input)?.as_slice())
        else {
            return Err(odd.to_owned());
        };
        let integer = |ty: Ty| Ty::Int(ty.bits() as u8);
        let (from, to) = (integer(self.b.ty(input)), integer(output));
        let mut value = intrinsics::reinterpret(&mut self.b, &[input], &[from])?[0];
        match from.bits().cmp(&to.bits()) {
            Ordering::Less => return Err(odd.to_owned()),
            Ordering::Equal => {}
            Ordering::Greater => value = self.b.cast(CastOp::Trunc, value, to),
        }
        let place = inst.args().nth(place).ok_or(odd)?;
        let addr = self.scalar(place)?;
        self.b.store(addr, value, 1, true);
        Ok(())
    }
}
