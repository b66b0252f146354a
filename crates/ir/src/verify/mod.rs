//! The verifier: checks every rule that the IR's data types document.
//!
//! It accepts any module, however broken, and never panics. A module that passes
//! can be printed, analysed and interpreted without further checks.
//! This file checks the module level.

mod func;
mod types;

use std::fmt;

use byway_base::entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashSet;

use crate::{BlockId, DebugTy, DebugTyId, Global, InstId, LocId, Module, Reloc, Symbol, Ty};

/// A violated rule and its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function or global by name (`@main`), or a table.
    pub within: String,
    /// The block, if the error is in one.
    pub block: Option<BlockId>,
    /// The instruction, if the error concerns one. A block alone stands for the block
    /// itself or its terminator.
    pub inst: Option<InstId>,
    /// A description of the error.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.within)?;
        if let Some(block) = self.block {
            write!(f, ", {block}")?;
        }
        if let Some(inst) = self.inst {
            write!(f, ", {inst}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a module. The errors are in the order of the text form.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    let mut names = FxHashSet::default();
    for global in module.globals.values() {
        let mut report = ErrorReporter::new(&mut errors, format!("@{}", global.name));
        if !names.insert(&global.name) {
            report.error("another symbol has the same name");
        }
        check_global(module, global, &mut report);
    }
    for func in module.funcs.values() {
        let mut report = ErrorReporter::new(&mut errors, format!("@{}", func.name));
        if !names.insert(&func.name) {
            report.error("another symbol has the same name");
        }
        func::check(module, func, report);
    }
    check_ctors(module, ErrorReporter::new(&mut errors, "constructors".to_owned()));
    check_debug(module, ErrorReporter::new(&mut errors, "debug tables".to_owned()));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Collects errors with their location.
struct ErrorReporter<'e> {
    errors: &'e mut Vec<VerifyError>,
    within: String,
    block: Option<BlockId>,
    inst: Option<InstId>,
}

impl<'e> ErrorReporter<'e> {
    fn new(errors: &'e mut Vec<VerifyError>, within: String) -> Self {
        ErrorReporter { errors, within, block: None, inst: None }
    }

    fn error(&mut self, message: impl Into<String>) {
        self.errors.push(VerifyError {
            within: self.within.clone(),
            block: self.block,
            inst: self.inst,
            message: message.into(),
        });
    }

    /// Reports an id that does not exist. Returns whether it exists.
    fn exists<K: EntityRef + fmt::Display, V>(&mut self, id: K, table: &PrimaryMap<K, V>) -> bool {
        let exists = table.is_valid(id);
        if !exists {
            self.error(format!("{id} does not exist"));
        }
        exists
    }

    fn loc(&mut self, module: &Module, loc: Option<LocId>) {
        if let Some(loc) = loc {
            self.exists(loc, &module.debug.locs);
        }
    }

    fn debug_ty(&mut self, module: &Module, ty: Option<DebugTyId>) {
        if let Some(ty) = ty {
            self.exists(ty, &module.debug.types);
        }
    }

    fn symbol(&mut self, module: &Module, symbol: Symbol) {
        match symbol {
            Symbol::Global(g) => {
                self.exists(g, &module.globals);
            }
            Symbol::Func(f) => {
                self.exists(f, &module.funcs);
            }
            Symbol::Block(f, b) => {
                if self.exists(f, &module.funcs) && !module.funcs[f].blocks.is_valid(b) {
                    let name = &module.funcs[f].name;
                    self.error(format!("the label {b} of @{name} does not exist"));
                }
            }
        }
    }

    fn align(&mut self, align: u32) {
        if !align.is_power_of_two() {
            self.error(format!("the alignment {align} is not a power of two"));
        }
    }

    fn ty(&mut self, ty: Ty) {
        if let Ty::Int(bits) = ty
            && !(1..=Ty::MAX_INT_BITS).contains(&u32::from(bits))
        {
            self.error(format!("there is no type {ty}: an integer has 1 to 128 bits"));
        }
    }
}

fn check_global(module: &Module, global: &Global, report: &mut ErrorReporter) {
    report.align(global.align);
    report.debug_ty(module, global.ty);
    report.loc(module, global.loc);
    let Some(init) = &global.init else { return };
    if init.bytes.len() as u64 > global.size {
        let (bytes, size) = (init.bytes.len(), global.size);
        report.error(format!("{bytes} bytes of initial contents do not fit into {size} bytes"));
    }
    let mut free = 0;
    for reloc in &init.relocs {
        check_reloc(module, global, reloc, report);
        if reloc.offset < free {
            report.error(format!(
                "the relocation at {} overlaps or precedes the one before it",
                reloc.offset
            ));
        }
        free = reloc.offset.saturating_add(u64::from(reloc.width));
    }
}

fn check_reloc(module: &Module, global: &Global, reloc: &Reloc, report: &mut ErrorReporter) {
    let Reloc { offset, width, .. } = *reloc;
    if !(1..=8).contains(&width) {
        report.error(format!("the relocation at {offset} has {width} bytes, not 1 to 8"));
    }
    if offset.checked_add(u64::from(width)).is_none_or(|end| end > global.size) {
        report.error(format!("the relocation at {offset} reaches past the end"));
    }
    report.symbol(module, reloc.plus);
    if let Some(minus) = reloc.minus {
        report.symbol(module, minus);
    }
}

fn check_ctors(module: &Module, mut report: ErrorReporter) {
    for ctor in module.ctors.iter().chain(&module.dtors) {
        report.exists(ctor.func, &module.funcs);
    }
    if !module.ctors.is_sorted_by_key(|c| c.priority) {
        report.error("they are not in the order of their priorities");
    }
}

fn check_debug(module: &Module, mut report: ErrorReporter) {
    let debug = &module.debug;
    for scope in debug.scopes.values() {
        report.exists(scope.file, &debug.files);
    }
    for (id, loc) in &debug.locs {
        report.exists(loc.file, &debug.files);
        report.exists(loc.scope, &debug.scopes);
        if let Some(outer) = loc.inlined_at {
            report.exists(outer, &debug.locs);
        }
        if is_inlined_into_itself(module, id) {
            report.error(format!("{id} is inlined into itself"));
        }
    }
    for ty in debug.types.values() {
        match ty {
            DebugTy::Unknown | DebugTy::Base { .. } | DebugTy::Enum { .. } => {}
            DebugTy::Pointer(of) | DebugTy::Typedef { of, .. } => report.debug_ty(module, *of),
            DebugTy::Array { element, .. } => report.debug_ty(module, Some(*element)),
            DebugTy::Struct { members, .. } => {
                members.iter().for_each(|m| report.debug_ty(module, m.ty));
            }
            DebugTy::Function { result, params, .. } => {
                report.debug_ty(module, *result);
                params.iter().for_each(|p| report.debug_ty(module, *p));
            }
        }
    }
}

/// Whether the chain of inlined calls from this location is endless. Two walkers
/// follow it, one twice as fast: they meet on a cycle and nowhere else.
fn is_inlined_into_itself(module: &Module, start: LocId) -> bool {
    let outer = |id: LocId| module.debug.locs.get(id).and_then(|l| l.inlined_at);
    let mut slow = start;
    let mut fast = outer(start);
    while let Some(id) = fast {
        if id == slow {
            return true;
        }
        let Some(next) = outer(id) else { break };
        fast = outer(next);
        slow = outer(slow).expect("the faster walker has been here");
    }
    false
}
