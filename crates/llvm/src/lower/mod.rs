//! Lowering of the linked LLVM module to Byway's IR.
//!
//! * **Undef and poison are zero**, in constants and results; `freeze` is the identity.
//! * **Vectors and aggregates are decomposed** into one scalar per lane or leaf, and
//!   integers of 129 to 1024 bits into limbs.
//! * **Unsupported features** become an instruction that ends the path and names the
//!   feature; loading never fails because of them.

mod abi;
mod call;
mod constants;
mod func;
mod init;
mod inst;
pub(crate) mod limbs;
mod memory;
mod types;
mod vector;
mod wide;

use std::rc::Rc;

use byway_base::entity::EntityRef;
use byway_ir::{
    BlockId, Ctor, FuncId, Function, FunctionBuilder, Global, GlobalId, Inst, Module, Symbol,
    Terminator,
};
use llvm_sys::LLVMLinkage;
use rustc_hash::FxHashMap;

use crate::debug::DebugInfoBuilder;
use crate::link::origin_of;
use crate::llvm::{BasicBlock, LlvmModule, LlvmValue};
use types::TypeLayouts;

/// A program being lowered.
pub struct ProgramLowering {
    /// The linked LLVM module.
    pub module: LlvmModule,
    types: TypeLayouts,
    debug: DebugInfoBuilder,
    /// Functions and globals by their LLVM value. Undefined weak symbols are missing.
    symbols: FxHashMap<LlvmValue, Symbol>,
    /// Functions by name, for calls that the lowering inserts.
    funcs_by_name: FxHashMap<String, FuncId>,
    /// Block ids of functions whose labels have their address taken.
    block_ids: FxHashMap<LlvmValue, Rc<FxHashMap<BasicBlock, BlockId>>>,
    /// Names of intrinsics, by the called function.
    intrinsic_names: FxHashMap<LlvmValue, Rc<str>>,
    out: Module,
}

/// A lowered program, with warnings on what has no lowering.
pub struct LoweredProgram {
    /// The program in Byway's IR.
    pub module: Module,
    /// The functions whose bodies were lowered.
    pub bodies: Vec<(LlvmValue, FuncId)>,
    /// One line each.
    pub warnings: Vec<String>,
}

/// Whether the engine supplies this function, which has no definition.
pub(crate) fn engine_supplies(name: &str) -> bool {
    const NAMES: &str = include_str!("../../../../runtime/engine.txt");
    name.starts_with("__byway_") || NAMES.lines().any(|line| line == name)
}

/// Lowers a linked module.
pub fn lower(module: LlvmModule, name: &str) -> LoweredProgram {
    let mut program = ProgramLowering {
        module,
        types: TypeLayouts::new(module),
        debug: DebugInfoBuilder::default(),
        symbols: FxHashMap::default(),
        funcs_by_name: FxHashMap::default(),
        block_ids: FxHashMap::default(),
        intrinsic_names: FxHashMap::default(),
        out: Module { name: name.into(), ..Module::default() },
    };
    let mut warnings = Vec::new();
    let functions = program.declare_functions();
    let globals = program.declare_globals();
    for (global, id) in globals {
        program.define_global(global, id, &mut warnings);
    }
    program.out.ctors = program.constructors("llvm.global_ctors");
    program.out.dtors = program.constructors("llvm.global_dtors");
    program.out.dtors.reverse();
    let is_lowered = |(_, _, unsupported): &&(_, _, Option<String>)| unsupported.is_none();
    let bodies = functions.iter().filter(is_lowered).map(|&(f, id, _)| (f, id)).collect();
    for (function, id, unsupported) in functions {
        program.define_function(function, id, unsupported);
    }
    program.out.debug = program.debug.finish();
    LoweredProgram { module: program.out, bodies, warnings }
}

pub(crate) fn is_undefined_weak(value: LlvmValue) -> bool {
    value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage && value.is_declaration()
}

/// The symbol's name, without LLVM's prefix `\\1` for "do not mangle".
pub(crate) fn symbol_name(value: LlvmValue) -> String {
    let name = value.name();
    name.strip_prefix('\u{1}').map(str::to_owned).unwrap_or(name)
}

impl ProgramLowering {
    /// Declares all functions. Returns those with a body, and the reason if their signature
    /// has no lowering.
    fn declare_functions(&mut self) -> Vec<(LlvmValue, FuncId, Option<String>)> {
        let mut with_body = Vec::new();
        for function in self.module.functions().filter(|f| !f.is_intrinsic()) {
            let mut name = symbol_name(function);
            if name.is_empty() {
                name = format!("anon.func.{}", self.out.funcs.len());
            }
            if is_undefined_weak(function) && !engine_supplies(&name) {
                continue;
            }
            let (declaration, unsupported) = self.declaration(function, name.clone());
            let id = self.out.funcs.push(declaration);
            self.symbols.insert(function, Symbol::Func(id));
            self.funcs_by_name.insert(name, id);
            if !function.is_declaration() {
                with_body.push((function, id, unsupported));
            }
        }
        for ifunc in self.module.ifuncs() {
            let name = symbol_name(ifunc);
            let declaration = Function::declare(name, origin_of(ifunc), &[], &[], false);
            let id = self.out.funcs.push(declaration);
            self.symbols.insert(ifunc, Symbol::Func(id));
        }
        with_body
    }

    fn declaration(&mut self, function: LlvmValue, name: String) -> (Function, Option<String>) {
        let ty = function.value_type();
        let mut unsupported = None;
        let mut params = Vec::new();
        for param in function.params() {
            match self.types.layout(param.ty()) {
                Ok(layout) => params.extend_from_slice(&layout.leaves),
                Err(what) => unsupported = Some(what),
            }
        }
        let rets =
            self.types.layout(ty.result()).map(|l| l.leaves.clone()).unwrap_or_else(|what| {
                unsupported = Some(what);
                Vec::new()
            });
        let origin = origin_of(function);
        let mut declaration = Function::declare(name, origin, &params, &rets, ty.is_variadic());
        declaration.optimised = !function.is_declaration() && function.is_optimised();
        if let Some((scope, ty)) = self.debug.function(function) {
            declaration.scope = Some(scope);
            declaration.ty = ty;
        }
        (declaration, unsupported)
    }

    fn declare_globals(&mut self) -> Vec<(LlvmValue, GlobalId)> {
        let mut all = Vec::new();
        for global in self.module.globals() {
            let name = symbol_name(global);
            if name.starts_with("llvm.") || is_undefined_weak(global) {
                continue;
            }
            let ty = global.value_type();
            let sized = !ty.is_opaque() && !ty.is_scalable();
            let (dbg_ty, loc) = self.debug.global(global);
            let id = self.out.globals.push(Global {
                name: if name.is_empty() { format!("anon.global.{}", all.len()) } else { name },
                origin: origin_of(global),
                size: if sized { self.module.alloc_size(ty) } else { 0 },
                align: if sized { self.module.global_align(global) } else { 1 },
                constant: global.is_constant_global(),
                init: None,
                ty: dbg_ty,
                loc,
            });
            self.symbols.insert(global, Symbol::Global(id));
            all.push((global, id));
        }
        all
    }

    fn define_global(&mut self, global: LlvmValue, id: GlobalId, warnings: &mut Vec<String>) {
        let Some(initializer) = global.initializer() else { return };
        let size = self.out.globals[id].size;
        let mut problems = Vec::new();
        let init = self.initial_contents(initializer, size, &mut problems);
        let target = &mut self.out.globals[id];
        target.init = Some(init);
        for problem in problems {
            warnings.push(format!(
                "the initialiser of {} contains {problem}, which is replaced by zero",
                target.name
            ));
        }
    }

    /// Constructors or destructors by ascending priority, in listed order among equals.
    fn constructors(&mut self, list: &str) -> Vec<Ctor> {
        let Some(list) = self.module.globals().find(|g| g.name() == list) else {
            return Vec::new();
        };
        let Some(entries) = list.initializer() else { return Vec::new() };
        let mut all = Vec::new();
        for entry in (0..).map_while(|n| entries.aggregate_element(n)) {
            let (Some(priority), Some(function)) =
                (entry.aggregate_element(0), entry.aggregate_element(1))
            else {
                continue;
            };
            if let Ok(constants::FoldedConstant::Address { plus: Symbol::Func(func), .. }) =
                self.fold(function)
            {
                all.push(Ctor { priority: priority.int_bits().0 as u32, func });
            }
        }
        all.sort_by_key(|c| c.priority);
        all
    }

    fn block_ids(&mut self, function: LlvmValue) -> Rc<FxHashMap<BasicBlock, BlockId>> {
        if function.is_declaration() {
            return Rc::default();
        }
        let ids = self.block_ids.entry(function).or_insert_with(|| {
            let order = block_order(function).into_iter().enumerate();
            Rc::new(order.map(|(n, block)| (block, BlockId::new(n))).collect())
        });
        Rc::clone(ids)
    }

    fn define_function(&mut self, function: LlvmValue, id: FuncId, unsupported: Option<String>) {
        let placeholder = Function::declare(String::new(), byway_ir::Origin::User, &[], &[], false);
        let declaration = std::mem::replace(&mut self.out.funcs[id], placeholder);
        self.out.funcs[id] = match unsupported {
            None => func::lower_body(self, function, declaration),
            Some(what) => unsupported_body(declaration, &what),
        };
    }
}

/// The reachable blocks of a function in the order of their ids.
pub(crate) fn block_order(function: LlvmValue) -> Vec<BasicBlock> {
    reverse_postorder(function.entry_block())
}

/// The body of a function whose signature has no lowering.
fn unsupported_body(declaration: Function, what: &str) -> Function {
    let what = format!("{what} in the signature of {}", declaration.name);
    let mut b = FunctionBuilder::new(declaration);
    let entry = b.create_block();
    b.switch_to(entry);
    b.push(Inst::Unsupported { what: what.into(), dsts: Box::default() });
    b.terminate(Terminator::Unreachable);
    b.finish()
}

/// Reverse postorder, so that every definition comes before its uses (except in
/// phis). Without recursion: a function may have very many blocks.
fn reverse_postorder(entry: BasicBlock) -> Vec<BasicBlock> {
    let successors = |block: BasicBlock| -> Vec<BasicBlock> {
        block.terminator().map(|t| t.successors().collect()).unwrap_or_default()
    };
    let mut seen = rustc_hash::FxHashSet::default();
    seen.insert(entry);
    let mut stack = vec![(entry, successors(entry))];
    let mut order = Vec::new();
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
