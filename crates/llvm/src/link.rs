//! Reads, checks and links the input files into one LLVM module.
//!
//! The user's modules are linked whole. All other modules and archive members form a
//! library: a library module is linked when it defines a symbol that the program lacks,
//! until the library defines no missing symbol. If several modules define a symbol, the
//! user's definition has precedence, then the runtime's, then libc's, except for the few
//! functions that the runtime replaces ([`REPLACES`]).

use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};

use byway_embed::ar;
use byway_ir::Origin;
use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMDeleteFunction, LLVMGetDataLayoutStr, LLVMGetFirstUse, LLVMGetTarget, LLVMSetDataLayout,
};
use llvm_sys::prelude::LLVMContextRef;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{LlvmModule, LlvmType, LlvmValue};
use crate::{ffi, headers, libm, sanitizer};

/// The files to link.
#[derive(Clone, Debug, Default)]
pub struct LinkInputs {
    /// The program.
    pub user: Vec<PathBuf>,
    /// Those files of the program that were compiled against the C library's own headers.
    pub compiled_here: Vec<PathBuf>,
    /// The C library.
    pub libc: Vec<PathBuf>,
    /// Byway's runtime.
    pub runtime: Vec<PathBuf>,
    /// Accept a program without `main`.
    pub allow_missing_main: bool,
}

/// A failure to load the program: one line for the user.
#[derive(Debug)]
pub struct LinkError(String);

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LinkError {}

impl LinkError {
    /// A failure that concerns no file in particular.
    pub(crate) fn new(message: impl Into<String>) -> LinkError {
        LinkError(message.into())
    }
}

fn error(file: &str, message: impl std::fmt::Display) -> LinkError {
    LinkError(format!("{file}: {message}"))
}

/// The runtime's entry function, which the engine calls; it calls `main`.
const START: &str = "__byway_start";

/// The prefix by which the runtime marks a function whose definition in the program is to
/// be dropped (`runtime/src/replaced.c` gives the reason).
const REPLACES: &str = "__byway_replaces_";

/// The data layout of x86-64, for modules without one.
const DATA_LAYOUT: &CStr =
    c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Reads and links all inputs; the module lives until the process ends. Calls
/// `phase_done` with the name of each phase as it ends.
pub fn link(
    inputs: &LinkInputs,
    phase_done: &mut dyn FnMut(&str),
) -> Result<LlvmModule, LinkError> {
    let mut linker = ProgramLinker::new();
    let mut modules = Vec::new();
    for path in &inputs.user {
        let (file, data) = read(path)?;
        if ar::is_archive(data) {
            linker.add_archive(Origin::User, &file, data)?;
        } else {
            let module = linker.parse(&file, data, false)?;
            phase_done("read");
            verify(&file, module)?;
            phase_done("check");
            modules.push((file, module));
        }
    }
    for (origin, paths) in [(Origin::Runtime, &inputs.runtime), (Origin::Libc, &inputs.libc)] {
        for path in paths {
            let (file, data) = read(path)?;
            if ar::is_archive(data) {
                linker.add_archive(origin, &file, data)?;
            } else {
                linker.add_library_module(origin, file, data)?;
            }
        }
    }
    phase_done("read libraries");
    linker.direct_calls(&modules, &inputs.compiled_here);
    let program = linker.join_user_modules(modules)?;
    linker.drop_replaced(program);
    // SAFETY: nothing else holds handles into the program yet.
    unsafe {
        ffi::bw_decide_constants(program.0);
        ffi::bw_promote_locals(program.0);
    }
    phase_done("promote locals");
    linker.add_libraries(program)?;
    sanitizer::prepare(program);
    phase_done("link");
    let has_main = program.functions().any(|f| !f.is_declaration() && f.name() == "main")
        || program.aliases().any(|a| a.name() == "main");
    if !has_main && !inputs.allow_missing_main {
        let what = inputs.user.first().map_or("the program".into(), |p| p.display().to_string());
        return Err(error(&what, "has no function main"));
    }
    Ok(program)
}

/// A module of the library, linked when the program needs a symbol it defines.
struct LibraryModule {
    origin: Origin,
    name: String,
    data: &'static [u8],
    /// Parsed to index its definitions, and not linked yet.
    parsed: Option<LlvmModule>,
    /// Has been linked at least once.
    linked: bool,
}

pub(crate) struct ProgramLinker {
    context: LLVMContextRef,
    library: Vec<LibraryModule>,
    /// The library module that defines a symbol, and whether the definition is weak.
    providers: FxHashMap<String, (usize, bool)>,
    /// Functions whose definitions in the user's modules are dropped, with the type of the
    /// replacement once its definition is known.
    replaced: FxHashMap<String, Option<LlvmType>>,
    /// The symbols that the user's modules define, archives aside.
    user_definitions: FxHashSet<String>,
}

impl ProgramLinker {
    pub(crate) fn new() -> ProgramLinker {
        static INIT: std::sync::Once = std::sync::Once::new();
        // SAFETY: called once per process, before any other function of the shim.
        INIT.call_once(|| unsafe { ffi::bw_init() });
        // SAFETY: creates a context that is never freed.
        let context = unsafe { ffi::bw_context() };
        ProgramLinker {
            context,
            library: Vec::new(),
            providers: FxHashMap::default(),
            replaced: FxHashMap::default(),
            user_definitions: FxHashSet::default(),
        }
    }

    pub(crate) fn parse(
        &self,
        name: &str,
        data: &'static [u8],
        lazy: bool,
    ) -> Result<LlvmModule, LinkError> {
        recognise(data).map_err(|message| error(name, message))?;
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: `read` never frees the data and appends a zero byte.
        let module = unsafe {
            let text = ffi::RawStr { data: data.as_ptr().cast(), len: data.len() };
            ffi::bw_parse(self.context, text, ffi::RawStr::lend(name), lazy, &mut message)
        };
        if module.is_null() {
            let why = take_message(message).unwrap_or_default();
            return Err(error(name, format_args!("cannot be read: {why}")));
        }
        let module = LlvmModule(module);
        check_target(module).map_err(|message| error(name, message))?;
        Ok(module)
    }

    fn add_archive(
        &mut self,
        origin: Origin,
        file: &str,
        data: &'static [u8],
    ) -> Result<(), LinkError> {
        for member in ar::members(data).map_err(|message| error(file, message))? {
            let name = format!("{file}({})", member.name);
            if !is_bitcode(member.data) {
                return Err(error(&name, "is not LLVM bitcode"));
            }
            self.add_library_module(origin, name, member.data)?;
        }
        Ok(())
    }

    /// Indexes the definitions of a library module. Modules of higher precedence must be
    /// added first; within one origin, a strong definition overrides a weak one.
    fn add_library_module(
        &mut self,
        origin: Origin,
        name: String,
        data: &'static [u8],
    ) -> Result<(), LinkError> {
        let module = self.parse(&name, data, true)?;
        let index = self.library.len();
        if origin != Origin::User {
            let names = definitions(module).map(|value| value.name());
            let replaced = names.filter_map(|n| Some((n.strip_prefix(REPLACES)?.to_owned(), None)));
            self.replaced.extend(replaced);
        }
        for value in definitions(module) {
            if is_local(value) {
                continue;
            }
            let (name, weak) = (value.name(), is_weak(value));
            let taken = self.providers.get(&name).is_some_and(|&(other, other_weak)| {
                let other = self.library[other].origin;
                let is_replaced = other == Origin::User && self.replaced.contains_key(&name);
                !is_replaced && (other != origin || !other_weak || weak)
            });
            if !taken {
                if let Some(replaced) = self.replaced.get_mut(&name) {
                    *replaced = Some(value.value_type());
                }
                self.providers.insert(name, (index, weak));
            }
        }
        self.library.push(LibraryModule {
            origin,
            name,
            data,
            parsed: Some(module),
            linked: false,
        });
        Ok(())
    }

    /// Directs calls in the user's modules to the functions that suit their headers.
    fn direct_calls(&mut self, modules: &[(String, LlvmModule)], compiled_here: &[PathBuf]) {
        let public = |module| definitions(module).filter(|v| !is_local(*v));
        let all = modules.iter().flat_map(|(_, module)| public(*module));
        self.user_definitions = all.map(|value| value.name()).collect();
        for (file, module) in modules {
            let compiled_here = compiled_here.iter().any(|p| p.display().to_string() == *file);
            self.direct_calls_of(*module, compiled_here);
        }
    }

    fn direct_calls_of(&self, module: LlvmModule, compiled_here: bool) {
        let provided = |name: &str, by_user: bool| {
            let provider = self.providers.get(name);
            provider.is_some_and(|&(i, _)| (self.library[i].origin == Origin::User) == by_user)
        };
        let in_library = |name: &str| provided(name, false);
        let in_program = |name: &str| self.user_definitions.contains(name) || provided(name, true);
        headers::direct_calls(module, compiled_here, &in_library, &in_program);
    }

    /// Links the user's modules into one.
    fn join_user_modules(
        &self,
        modules: Vec<(String, LlvmModule)>,
    ) -> Result<LlvmModule, LinkError> {
        let mut modules = modules.into_iter();
        let program = match modules.next() {
            Some((_, module)) => module,
            None => {
                // SAFETY: creates a module in our context.
                let module = unsafe {
                    LlvmModule(ffi::bw_empty_module(self.context, ffi::RawStr::lend("program")))
                };
                check_target(module).map_err(LinkError)?;
                module
            }
        };
        if modules.len() > 0 {
            let linker = LlvmLinker::new(program);
            modules.try_for_each(|(name, module)| linker.add(&name, module, false))?;
        }
        Ok(program)
    }

    /// Drops the functions that the runtime replaces. Local ones too, since a linker may have
    /// internalised them. A function of another type is unrelated and stays.
    fn drop_replaced(&self, module: LlvmModule) {
        let replaced: Vec<LlvmValue> = module
            .functions()
            .filter(|own| !own.is_declaration())
            .filter(|own| self.replaced.get(&own.name()) == Some(&Some(own.value_type())))
            .collect();
        for own in replaced {
            // SAFETY: no handles into the module exist; unused functions are deleted.
            unsafe {
                ffi::bw_undefine(module.0, ffi::RawStr::lend(&own.name()));
                if LLVMGetFirstUse(own.0).is_null() {
                    LLVMDeleteFunction(own.0);
                }
            }
        }
    }

    /// Links library modules until the library defines no symbol the program lacks.
    fn add_libraries(&mut self, program: LlvmModule) -> Result<(), LinkError> {
        self.declare_roots(program);
        let mut linker = None;
        let mut requested: FxHashSet<String> = FxHashSet::default();
        loop {
            libm::replace_intrinsics(program);
            let needed = self.needed_modules(program, &mut requested);
            if needed.is_empty() {
                return Ok(());
            }
            let linker = linker.get_or_insert_with(|| LlvmLinker::new(program));
            for index in needed {
                let module = self.prepare(index)?;
                let source = &self.library[index];
                linker.add(&source.name, module, source.origin != Origin::User)?;
            }
        }
    }

    /// Declares the entry functions that the library defines, so that they are linked.
    fn declare_roots(&self, program: LlvmModule) {
        for root in ["main", START] {
            if self.providers.contains_key(root) {
                // SAFETY: the type is of the program's context.
                unsafe {
                    let context = self.context;
                    let int = llvm_sys::core::LLVMInt32TypeInContext(context);
                    let ty = llvm_sys::core::LLVMFunctionType(int, std::ptr::null_mut(), 0, 0);
                    ffi::bw_declare(program.0, ffi::RawStr::lend(root), ty);
                }
            }
        }
    }

    /// The library modules that define missing symbols; each symbol is requested once.
    fn needed_modules(&self, program: LlvmModule, requested: &mut FxHashSet<String>) -> Vec<usize> {
        let mut needed: Vec<usize> = program
            .functions()
            .chain(program.globals())
            .filter(|v| v.is_declaration() || is_available_externally(*v))
            .filter_map(|value| {
                let name = value.name();
                let &(provider, _) = self.providers.get(&name)?;
                requested.insert(name).then_some(provider)
            })
            .collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Prepares a library module for linking, which may happen more than once per module.
    fn prepare(&mut self, index: usize) -> Result<LlvmModule, LinkError> {
        let source = &mut self.library[index];
        let first = !std::mem::replace(&mut source.linked, true);
        let parsed = source.parsed.take();
        let source = &self.library[index];
        let module = match parsed {
            Some(module) => module,
            None => self.parse(&source.name, source.data, true)?,
        };
        let overridden: Vec<String> = definitions(module)
            .filter(|v| !is_local(*v))
            .map(|v| v.name())
            .filter(|name| self.providers.get(name).is_some_and(|&(owner, _)| owner != index))
            .collect();
        let mark = origin_name(source.origin);
        let suffix = format!(".{mark}{index}");
        if source.origin == Origin::User {
            self.drop_replaced(module);
            self.direct_calls_of(module, false);
        }
        // SAFETY: this function owns the module until it is linked.
        unsafe {
            if source.origin != Origin::User {
                for name in overridden {
                    ffi::bw_undefine(module.0, ffi::RawStr::lend(&name));
                }
                ffi::bw_make_library(module.0, ffi::RawStr::lend(&suffix), first);
                ffi::bw_mark_origin(module.0, ffi::RawStr::lend(mark));
            }
        }
        Ok(module)
    }
}

/// LLVM's linker for one destination module. Creating one scans the whole destination, so
/// there is one per destination.
pub(crate) struct LlvmLinker(*mut c_void);

impl LlvmLinker {
    pub(crate) fn new(destination: LlvmModule) -> LlvmLinker {
        // SAFETY: the destination lives until the process ends.
        LlvmLinker(unsafe { ffi::bw_linker(destination.0) })
    }

    /// Links a module, which is consumed: all of it, or only the needed definitions.
    pub(crate) fn add(
        &self,
        name: &str,
        module: LlvmModule,
        only_needed: bool,
    ) -> Result<(), LinkError> {
        // SAFETY: the module is consumed; both are of one context.
        let message = unsafe {
            ffi::bw_drop_module_flags(module.0);
            ffi::bw_link(self.0, module.0, only_needed)
        };
        take_message(message).map_or(Ok(()), |why| Err(error(name, why)))
    }
}

impl Drop for LlvmLinker {
    fn drop(&mut self) {
        // SAFETY: created by `new` and not shared.
        unsafe { ffi::bw_drop_linker(self.0) };
    }
}

impl Drop for ProgramLinker {
    fn drop(&mut self) {
        for source in &mut self.library {
            if let Some(module) = source.parsed.take() {
                // SAFETY: the module was never linked, so nothing refers to it.
                unsafe { ffi::bw_drop_module(module.0) };
            }
        }
    }
}

/// The value of the origin attribute in LLVM's module.
fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::User => "user",
        Origin::Libc => "libc",
        Origin::Runtime => "runtime",
    }
}

/// The origin of a function or global of the linked module.
pub fn origin_of(value: LlvmValue) -> Origin {
    let mark = value.origin_mark();
    [Origin::Libc, Origin::Runtime]
        .into_iter()
        .find(|o| origin_name(*o) == mark)
        .unwrap_or(Origin::User)
}

/// The definitions of a module: functions, globals and aliases.
pub(crate) fn definitions(module: LlvmModule) -> impl Iterator<Item = LlvmValue> {
    let objects = module.functions().chain(module.globals());
    objects.filter(|v| !v.is_declaration() && !is_available_externally(*v)).chain(module.aliases())
}

pub(crate) fn is_local(value: LlvmValue) -> bool {
    matches!(value.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
        || value.linkage() == LLVMLinkage::LLVMAppendingLinkage
}

pub(crate) fn is_weak(value: LlvmValue) -> bool {
    use LLVMLinkage::*;
    matches!(
        value.linkage(),
        LLVMLinkOnceAnyLinkage
            | LLVMLinkOnceODRLinkage
            | LLVMWeakAnyLinkage
            | LLVMWeakODRLinkage
            | LLVMCommonLinkage
    )
}

fn is_available_externally(value: LlvmValue) -> bool {
    value.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage
}

/// Reads a file into memory that is never freed, followed by a zero byte.
pub(crate) fn read(path: &Path) -> Result<(String, &'static [u8]), LinkError> {
    let file = path.display().to_string();
    let mut data = std::fs::read(path).map_err(|e| error(&file, e))?;
    data.push(0);
    let data: &'static [u8] = data.leak();
    Ok((file, &data[..data.len() - 1]))
}

fn is_bitcode(data: &[u8]) -> bool {
    data.starts_with(b"BC\xc0\xde") || data.starts_with(b"\xde\xc0\x17\x0b")
}

/// Rejects files that cannot be LLVM IR, with a message on what they are.
fn recognise(data: &[u8]) -> Result<(), String> {
    if data.is_empty() {
        return Err("is empty".into());
    }
    if is_bitcode(data) {
        return Ok(());
    }
    if data.starts_with(b"\x7fELF") {
        return Err("is native code, not LLVM bitcode; compile it with clang -emit-llvm -c".into());
    }
    if data.contains(&0) {
        return Err("is neither LLVM bitcode nor textual LLVM IR".into());
    }
    Ok(())
}

/// Byway runs x86-64 programs; a module without a target triple counts as one.
fn check_target(module: LlvmModule) -> Result<(), String> {
    // SAFETY: both strings belong to the module.
    let (triple, layout) = unsafe {
        (CStr::from_ptr(LLVMGetTarget(module.0)), CStr::from_ptr(LLVMGetDataLayoutStr(module.0)))
    };
    let triple = triple.to_string_lossy();
    if !triple.is_empty() && !triple.starts_with("x86_64") && !triple.starts_with("amd64") {
        return Err(format!("was compiled for {triple}; only x86-64 programs can be run"));
    }
    if layout.is_empty() {
        // SAFETY: a valid layout string.
        unsafe { LLVMSetDataLayout(module.0, DATA_LAYOUT.as_ptr()) };
    }
    Ok(())
}

pub(crate) fn verify(file: &str, module: LlvmModule) -> Result<(), LinkError> {
    // SAFETY: the module is alive; we own the message, if any.
    let complaint = take_message(unsafe { ffi::bw_verify(module.0) });
    complaint.map_or(Ok(()), |why| Err(error(file, format_args!("is not valid LLVM IR: {why}"))))
}

fn take_message(message: *mut c_char) -> Option<String> {
    if message.is_null() {
        return None;
    }
    // SAFETY: the shim's messages are zero-terminated and freed with bw_free.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        ffi::bw_free(message);
        Some(text)
    }
}
