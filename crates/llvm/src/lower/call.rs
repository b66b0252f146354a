//! Calls: of functions, of intrinsics, of inline assembly.

use std::rc::Rc;

use byway_ir::{Callee, FuncId, Inst, Operand, Symbol, Ty, VarArg};

use super::constants::Folded;
use super::func::Lowering;
use crate::intrinsics;
use crate::libm::{self, Form, Libm};
use crate::llvm::{Kind, Value};
use crate::shape::Flat;

/// The size of a `va_list` on x86-64.
const VA_LIST_BYTES: i128 = 24;

impl Lowering<'_> {
    /// A call instruction (or the call in an invoke).
    pub fn call(&mut self, inst: Value) -> Result<(), String> {
        let called = inst.called();
        match called.kind() {
            Kind::InlineAsm => return self.inline_asm(inst, called),
            Kind::Function if called.is_intrinsic() => {
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
        for (n, arg) in inst.args().enumerate() {
            let n = n as u32;
            let leaves = self.leaves(arg)?;
            args.extend_from_slice(leaves.as_slice());
            if ty.is_variadic() && n >= fixed {
                varargs.push(self.vararg(inst, n, leaves.as_slice()));
            }
        }
        let results = self.layout(inst.ty())?.types();
        let dsts: Box<[_]> = results.iter().map(|&ty| self.b.new_val(ty)).collect();
        let operands: Vec<Operand> = dsts.iter().map(|&v| v.into()).collect();
        self.b.push(Inst::Call { callee, args: args.into(), varargs: varargs.into(), dsts });
        self.define(inst, &operands);
        Ok(())
    }

    fn callee(&mut self, called: Value) -> Result<Callee, String> {
        if !matches!(called.kind(), Kind::Instruction | Kind::Argument)
            && let Folded::Address { plus: Symbol::Func(func), minus: None, addend: 0 } =
                self.program.fold(called)?
        {
            return Ok(Callee::Direct(func));
        }
        Ok(Callee::Indirect(self.scalar(called)?))
    }

    /// How a variadic argument lies in the caller's argument area (x86-64 ABI).
    fn vararg(&mut self, inst: Value, n: u32, leaves: &[Operand]) -> VarArg {
        if let Some((size, align)) = inst.arg_byval(n) {
            return VarArg { align: align.clamp(8, 16), operands: 1, by_value: Some(size) };
        }
        let bits: u32 = leaves.iter().map(|&l| self.b.ty(l).bits()).sum();
        let wide = leaves.iter().any(|&l| self.b.ty(l).is_wide()) || bits >= 128;
        let align = if wide { 16 } else { 8 };
        VarArg { align, operands: leaves.len() as u32, by_value: None }
    }

    fn intrinsic_name(&mut self, called: Value) -> Rc<str> {
        let names = &mut self.program.intrinsic_names;
        Rc::clone(names.entry(called).or_insert_with(|| called.name().into()))
    }

    /// An intrinsic: those that concern memory and control flow are lowered here,
    /// computations by [`intrinsics`].
    fn intrinsic(&mut self, inst: Value, name: &str) -> Result<(), String> {
        let base = name.strip_prefix("llvm.").unwrap_or(name);
        let is = |prefix: &str| {
            base.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if is("lifetime.start") || is("lifetime.end") || is("va_end") || base.starts_with("dbg.") {
            return Ok(());
        }
        if is("experimental.noalias.scope.decl") {
            return Ok(());
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
            self.b.push(Inst::VaStart { list });
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
        if let Some(libm) = libm::of(name) {
            return self.libm_call(inst, &libm);
        }
        let mut args = Vec::new();
        for arg in inst.args().filter(|a| !a.is_metadata()) {
            args.push(self.flat(arg)?);
        }
        let ret = self.layout(inst.ty())?.shape.clone();
        let results = intrinsics::lower(&mut self.b, name, &args, &ret)?;
        self.define(inst, &results);
        Ok(())
    }

    /// Calls the library function an intrinsic stands for, lane by lane.
    fn libm_call(&mut self, inst: Value, libm: &Libm) -> Result<(), String> {
        let Some(&func) = self.program.funcs_by_name.get(&libm.function) else {
            return Err(format!("function {}", libm.function));
        };
        let args: Vec<Flat> =
            inst.args().map(|arg| self.flat(arg)).collect::<Result<_, String>>()?;
        let result = self.layout(inst.ty())?;
        let lanes = args.first().map_or(1, |a| a.leaves.len());
        // Results of several parts come part by part, each with all its lanes.
        let parts = result.leaves.len() / lanes.max(1);
        let mut all = vec![Vec::new(); parts];
        for lane in 0..lanes {
            let operands: Vec<Operand> = args
                .iter()
                .filter_map(|a| a.leaves.get(lane).or(a.leaves.first()).copied())
                .collect();
            let types: Vec<Ty> = (0..parts).map(|p| result.leaves[p * lanes + lane].ty).collect();
            let values = self.libm_scalar(func, libm.form, operands, &types);
            for (part, value) in all.iter_mut().zip(values) {
                part.push(value);
            }
        }
        self.define(inst, &all.concat());
        Ok(())
    }

    fn libm_scalar(
        &mut self,
        func: FuncId,
        form: Form,
        mut args: Vec<Operand>,
        results: &[Ty],
    ) -> Vec<Operand> {
        let direct = match form {
            Form::Same => results.len(),
            Form::Frexp | Form::Modf => 1,
            Form::SinCos => 0,
        };
        let through: Vec<(Operand, Ty)> = results[direct..]
            .iter()
            .map(|&ty| (self.alloca(ty.store_bytes(), 16, ""), ty))
            .collect();
        args.extend(through.iter().map(|&(slot, _)| slot));
        let dsts: Vec<_> = results[..direct].iter().map(|&ty| self.b.new_val(ty)).collect();
        self.b.push(Inst::Call {
            callee: Callee::Direct(func),
            args: args.into(),
            varargs: Box::default(),
            dsts: dsts.clone().into(),
        });
        let mut values: Vec<Operand> = dsts.into_iter().map(Operand::from).collect();
        for (slot, ty) in through {
            values.push(self.b.load(ty, slot, 1, false));
        }
        values
    }

    /// Inline assembly: barriers and pass-throughs, which compute nothing.
    fn inline_asm(&mut self, inst: Value, asm: Value) -> Result<(), String> {
        const NOTHING: &[&str] = &["", "nop", "pause", "mfence", "lfence", "sfence", "rep; nop"];
        let (text, constraints) = asm.inline_asm();
        let body = text.trim().trim_end_matches(';').trim();
        let comment = body.starts_with('#') && !body.contains('\n');
        if !NOTHING.contains(&body) && !comment {
            return Err(format!("inline assembly \"{}\"", text.escape_default()));
        }
        let parts: Vec<&str> = constraints.split(',').collect();
        let is_output = |c: &&str| c.starts_with('=');
        let direct_outputs: Vec<usize> = (0..parts.len())
            .filter(|&n| is_output(&parts[n]) && !parts[n].contains('*'))
            .collect();
        // Arguments are the indirect outputs, then the inputs.
        let operands: Vec<usize> = (0..parts.len())
            .filter(|&n| {
                (is_output(&parts[n]) && parts[n].contains('*'))
                    || !(is_output(&parts[n]) || parts[n].starts_with(['~', '!']))
            })
            .collect();
        let mut results = Vec::new();
        let layout = self.layout(inst.ty())?;
        for (position, &output) in direct_outputs.iter().enumerate() {
            let tied = operands.iter().position(|&n| parts[n].parse() == Ok(output));
            let part = match direct_outputs.len() {
                1 => Some((0, &layout.shape)),
                _ => layout.shape.part(&[position as u32]),
            };
            let (start, shape) = part.ok_or("inline assembly with odd outputs")?;
            let wanted = &layout.types()[start..start + shape.leaf_count()];
            match tied.and_then(|n| inst.args().nth(n)) {
                Some(input) => {
                    let leaves = self.leaves(input)?;
                    results.extend(intrinsics::reinterpret(&mut self.b, leaves.as_slice(), wanted)?);
                }
                None => results.extend(wanted.iter().map(|&ty| self.b.bits(ty, 0))),
            }
        }
        self.define(inst, &results);
        Ok(())
    }
}
