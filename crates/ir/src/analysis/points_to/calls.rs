//! Constraints of calls: arguments, results, variadic arguments, and the effects of functions
//! without a body.

use super::effect::{ExternalEffect, MadeAddress};
use super::graph::{AccessedBytes, ConstraintNode};
use super::object::{AbstractObjectKind, LocationId, Offsets};
use super::solver::ConstraintSolver;
use crate::{FuncId, Inst, InstId, Operand, OperandKind, Val, VarArg};

impl ConstraintSolver<'_> {
    /// Passes the arguments of a call to a function with a body, and its results back.
    pub fn pass(&mut self, func: FuncId, inst: InstId, callee: FuncId) {
        let Inst::Call { args, varargs, dsts, .. } = &self.body(func).insts[inst] else { return };
        self.reach(callee);
        let body = self.body(callee);
        for (&arg, &param) in args.iter().zip(&body.params) {
            let param = self.value(callee, param);
            self.copy_operand(func, arg, param);
        }
        let results = self.functions[callee].as_ref().map(|it| it.results.clone());
        for (result, &dst) in results.unwrap_or_default().into_iter().zip(dsts) {
            let dst = self.value(func, dst);
            self.graph.copy(result, dst);
        }
        if body.variadic {
            self.pass_varargs(func, args, varargs, callee);
        }
    }

    /// Stores variadic arguments in the area that the callee reads them from.
    fn pass_varargs(&mut self, func: FuncId, args: &[Operand], varargs: &[VarArg], callee: FuncId) {
        let area = self.locations.object(AbstractObjectKind::Variadic(callee), None);
        let count: usize = varargs.iter().map(|arg| arg.operands as usize).sum();
        let mut rest = &args[args.len().saturating_sub(count)..];
        for arg in varargs {
            let (covered, others) = rest.split_at((arg.operands as usize).min(rest.len()));
            rest = others;
            let mut at = i64::from(arg.offset);
            for &op in covered {
                let to = self.locations.at(area, Offsets::exactly(at));
                let to = self.address(to);
                match arg.by_value {
                    Some(len) => self.copy_memory(func, to, op, Some(len)),
                    None => {
                        let len = self.body(func).operand_ty(op).store_bytes();
                        self.store(func, to, op, len);
                        at += len as i64;
                    }
                }
            }
        }
    }

    /// `va_start`: the list points to the area of the function's variadic arguments.
    pub fn start_varargs(&mut self, func: FuncId, list: Operand, stack: u32) {
        let Some(list) = self.operand(func, list) else { return };
        let area = self.locations.object(AbstractObjectKind::Variadic(func), None);
        let on_stack = i64::from(VarArg::STACK) + i64::from(stack);
        for (field, offset) in [(8, on_stack), (16, 0)] {
            let location = self.locations.at(area, Offsets::exactly(offset));
            let from = self.address(location);
            let to = self.graph.store(list, AccessedBytes { offset: field, len: Some(8) });
            self.graph.copy(from, to);
        }
    }

    /// The effect of a call of a function without a body.
    pub fn affect(&mut self, func: FuncId, inst: InstId, effect: ExternalEffect) {
        let Inst::Call { args, dsts, .. } = &self.body(func).insts[inst] else { return };
        let arg = |solver: &mut Self, index: usize| {
            args.get(index).and_then(|&op| solver.operand(func, op))
        };
        match effect.makes {
            MadeAddress::None => {}
            MadeAddress::Object => {
                let object = self.heap_object(func, inst);
                self.result(func, dsts, object);
            }
            MadeAddress::Moved(index) => {
                let object = self.heap_object(func, inst);
                self.result(func, dsts, object);
                let to = self.address(object);
                if let Some(&old) = args.get(index) {
                    self.copy_memory(func, to, old, None);
                }
            }
            MadeAddress::StoredObject(index) => {
                let object = self.heap_object(func, inst);
                let from = self.address(object);
                if let Some(to) = arg(self, index) {
                    let to = self.graph.store(to, AccessedBytes { offset: 0, len: Some(8) });
                    self.graph.copy(from, to);
                }
            }
            MadeAddress::Argument(index) => {
                if let (Some(from), Some(&dst)) = (arg(self, index), dsts.first()) {
                    let dst = self.value(func, dst);
                    self.graph.copy(from, dst);
                }
            }
            MadeAddress::Word(index) => {
                if let (Some(from), Some(&dst)) = (arg(self, index), dsts.first()) {
                    let to = self.value(func, dst);
                    let word = AccessedBytes { offset: 0, len: Some(8) };
                    let from = self.graph.load(from, word);
                    self.graph.copy(from, to);
                }
            }
            MadeAddress::Initialiser => {
                let module = self.module;
                for ctor in module.ctors.iter().chain(&module.dtors) {
                    let object =
                        self.locations.object(AbstractObjectKind::Function(ctor.func), None);
                    let location = self.locations.at(object, Offsets::ZERO);
                    self.result(func, dsts, location);
                }
            }
            MadeAddress::Input(index) => {
                let unknown = self.unknown();
                let from = self.address(unknown);
                if let Some(to) = arg(self, index) {
                    let to = self.graph.store(to, AccessedBytes { offset: 0, len: None });
                    self.graph.copy(from, to);
                }
            }
            MadeAddress::InputGlobals => {
                let unknown = self.unknown();
                for id in self.module.globals.keys() {
                    let object = self.locations.global(self.module, id);
                    let anywhere = self.locations.at(object, Offsets::ANY);
                    self.store_at(anywhere, unknown);
                }
            }
            MadeAddress::ObjectAtNumber => {
                self.fixed_addresses = true;
                let object = self.heap_object(func, inst);
                self.result(func, dsts, object);
            }
        }
    }

    fn heap_object(&mut self, func: FuncId, inst: InstId) -> LocationId {
        let object = self.locations.object(AbstractObjectKind::Heap(func, inst), None);
        self.locations.at(object, Offsets::ZERO)
    }

    fn result(&mut self, func: FuncId, dsts: &[Val], location: LocationId) {
        if let Some(&dst) = dsts.first() {
            let dst = self.value(func, dst);
            self.graph.point(dst, location);
        }
    }

    /// `to` can point to whatever an operand can.
    pub fn copy_operand(&mut self, func: FuncId, op: Operand, to: ConstraintNode) {
        match op.kind() {
            OperandKind::Val(val) => {
                let from = self.value(func, val);
                self.graph.copy(from, to);
            }
            OperandKind::Const(_) => {
                if let Some(from) = self.operand(func, op) {
                    self.graph.copy(from, to);
                }
            }
        }
    }
}
