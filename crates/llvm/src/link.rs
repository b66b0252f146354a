//! From files to one LLVM module: reading, checking, linking.
//!
//! The user's modules are linked whole. Everything else is a library of pieces
//! (modules, members of archives) of which only what is needed is taken, piece by
//! piece until nothing is missing that some piece could define. Where several
//! define a name, the user's definition wins, then the runtime's, then libc's; but for
//! the few names that the runtime replaces ([`REPLACES`]).

use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};

use byway_ir::Origin;
use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMDeleteFunction, LLVMGetDataLayoutStr, LLVMGetFirstUse, LLVMGetTarget, LLVMSetDataLayout,
};
use llvm_sys::prelude::LLVMContextRef;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{LlvmModule, LlvmType, LlvmValue};
use crate::{ar, ffi, libm};

/// What to link.
#[derive(Clone, Debug, Default)]
pub struct LinkInputs {
    /// The program.
    pub user: Vec<PathBuf>,
    /// The C library.
    pub libc: Vec<PathBuf>,
    /// Byway's runtime.
    pub runtime: Vec<PathBuf>,
    /// A program without `main` is fine.
    pub allow_missing_main: bool,
}

/// Why a program cannot be loaded: one line for the user.
#[derive(Debug)]
pub struct LinkError(String);

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LinkError {}

fn error(file: &str, message: impl std::fmt::Display) -> LinkError {
    LinkError(format!("{file}: {message}"))
}

/// Where the runtime takes over from the engine, before `main`.
const START: &str = "__byway_start";

/// What the runtime puts before a name to say that the program's definition of it is to
/// be dropped (`runtime/src/replaced.c` says why).
const REPLACES: &str = "__byway_replaces_";

/// The data layout of x86-64, for modules that do not say theirs.
const DATA_LAYOUT: &CStr =
    c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Reads and links everything; the module lives until the process ends. The end of
/// each phase is told by its name.
pub fn link(
    inputs: &LinkInputs,
    phase_done: &mut dyn FnMut(&str),
) -> Result<LlvmModule, LinkError> {
    let mut linking = ProgramLinker::new();
    let mut modules = Vec::new();
    for path in &inputs.user {
        let (file, data) = read(path)?;
        if ar::is_archive(data) {
            linking.add_archive(Origin::User, &file, data)?;
        } else {
            let module = linking.parse(&file, data, false)?;
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
                linking.add_archive(origin, &file, data)?;
            } else {
                linking.add_piece(origin, file, data)?;
            }
        }
    }
    phase_done("read libraries");
    let program = linking.join_user_modules(modules)?;
    linking.drop_replaced(program);
    // SAFETY: nothing else holds handles into the program yet.
    unsafe {
        ffi::bw_decide_constants(program.0);
        ffi::bw_promote_locals(program.0);
    }
    phase_done("promote locals");
    linking.add_libraries(program)?;
    phase_done("link");
    let has_main = program.functions().any(|f| !f.is_declaration() && f.name() == "main")
        || program.aliases().any(|a| a.name() == "main");
    if !has_main && !inputs.allow_missing_main {
        let what = inputs.user.first().map_or("the program".into(), |p| p.display().to_string());
        return Err(error(&what, "has no function main"));
    }
    Ok(program)
}

/// A part of a library, linked when something it defines is needed.
struct LibraryModule {
    origin: Origin,
    name: String,
    data: &'static [u8],
    /// Read already, to learn what it defines.
    parsed: Option<LlvmModule>,
    /// Linked at least once.
    linked: bool,
}

struct ProgramLinker {
    context: LLVMContextRef,
    pieces: Vec<LibraryModule>,
    /// Who defines a name, and whether only weakly.
    providers: FxHashMap<String, (usize, bool)>,
    /// Functions that the user's modules do not get to define, with the type of those that
    /// stand in for them.
    replaced: FxHashMap<String, Option<LlvmType>>,
}

impl ProgramLinker {
    fn new() -> ProgramLinker {
        static INIT: std::sync::Once = std::sync::Once::new();
        // SAFETY: the shim asks for one call per process before anything else.
        INIT.call_once(|| unsafe { ffi::bw_init() });
        // SAFETY: makes a context that is never freed.
        let context = unsafe { ffi::bw_context() };
        ProgramLinker {
            context,
            pieces: Vec::new(),
            providers: FxHashMap::default(),
            replaced: FxHashMap::default(),
        }
    }

    fn parse(&self, name: &str, data: &'static [u8], lazy: bool) -> Result<LlvmModule, LinkError> {
        recognise(data).map_err(|message| error(name, message))?;
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: `read` keeps the data for ever and puts a zero byte behind it.
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
            self.add_piece(origin, name, member.data)?;
        }
        Ok(())
    }

    /// Notes what a piece defines. Pieces of higher precedence must come first;
    /// among equals, a strong definition beats a weak one.
    fn add_piece(
        &mut self,
        origin: Origin,
        name: String,
        data: &'static [u8],
    ) -> Result<(), LinkError> {
        let module = self.parse(&name, data, true)?;
        let index = self.pieces.len();
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
                let other = self.pieces[other].origin;
                let gives_way = other == Origin::User && self.replaced.contains_key(&name);
                !gives_way && (other != origin || !other_weak || weak)
            });
            if !taken {
                if let Some(replaced) = self.replaced.get_mut(&name) {
                    *replaced = Some(value.value_type());
                }
                self.providers.insert(name, (index, weak));
            }
        }
        self.pieces.push(LibraryModule { origin, name, data, parsed: Some(module), linked: false });
        Ok(())
    }

    /// The user's own modules as one.
    fn join_user_modules(
        &self,
        modules: Vec<(String, LlvmModule)>,
    ) -> Result<LlvmModule, LinkError> {
        let mut modules = modules.into_iter();
        let program = match modules.next() {
            Some((_, module)) => module,
            None => {
                // SAFETY: a fresh module in our context.
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

    /// Takes the functions away that the runtime replaces; also local ones, since a linker
    /// may have made them so. One of another type only has the name in common.
    fn drop_replaced(&self, module: LlvmModule) {
        let replaced: Vec<LlvmValue> = module
            .functions()
            .filter(|own| !own.is_declaration())
            .filter(|own| self.replaced.get(&own.name()) == Some(&Some(own.value_type())))
            .collect();
        for own in replaced {
            // SAFETY: nobody holds handles into the module; what has no use goes.
            unsafe {
                ffi::bw_undefine(module.0, ffi::RawStr::lend(&own.name()));
                if LLVMGetFirstUse(own.0).is_null() {
                    LLVMDeleteFunction(own.0);
                }
            }
        }
    }

    /// Takes from the libraries what the program needs, and what that needs.
    fn add_libraries(&mut self, program: LlvmModule) -> Result<(), LinkError> {
        self.declare_roots(program);
        let mut linker = None;
        let mut asked: FxHashSet<String> = FxHashSet::default();
        loop {
            libm::replace_intrinsics(program);
            let needed = self.needed_pieces(program, &mut asked);
            if needed.is_empty() {
                return Ok(());
            }
            let linker = linker.get_or_insert_with(|| LlvmLinker::new(program));
            for index in needed {
                let module = self.ready(index)?;
                let piece = &self.pieces[index];
                linker.add(&piece.name, module, piece.origin != Origin::User)?;
            }
        }
    }

    /// Makes the program need what a run starts with, as far as it exists.
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

    /// The pieces that define what the program lacks, each name asked for once.
    fn needed_pieces(&self, program: LlvmModule, asked: &mut FxHashSet<String>) -> Vec<usize> {
        let mut needed: Vec<usize> = program
            .functions()
            .chain(program.globals())
            .filter(|v| v.is_declaration() || is_available_externally(*v))
            .filter_map(|value| {
                let name = value.name();
                let &(piece, _) = self.providers.get(&name)?;
                asked.insert(name).then_some(piece)
            })
            .collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// A piece as a module that can be linked now, perhaps not for the first time.
    fn ready(&mut self, index: usize) -> Result<LlvmModule, LinkError> {
        let piece = &mut self.pieces[index];
        let first = !std::mem::replace(&mut piece.linked, true);
        let parsed = piece.parsed.take();
        let piece = &self.pieces[index];
        let module = match parsed {
            Some(module) => module,
            None => self.parse(&piece.name, piece.data, true)?,
        };
        let others: Vec<String> = definitions(module)
            .filter(|v| !is_local(*v))
            .map(|v| v.name())
            .filter(|name| self.providers.get(name).is_some_and(|&(owner, _)| owner != index))
            .collect();
        let mark = origin_name(piece.origin);
        let suffix = format!(".{mark}{index}");
        if piece.origin == Origin::User {
            self.drop_replaced(module);
        }
        // SAFETY: the module is ours until it is linked.
        unsafe {
            if piece.origin != Origin::User {
                for name in others {
                    ffi::bw_undefine(module.0, ffi::RawStr::lend(&name));
                }
                ffi::bw_make_library(module.0, ffi::RawStr::lend(&suffix), first);
                ffi::bw_mark_origin(module.0, ffi::RawStr::lend(mark));
            }
        }
        Ok(module)
    }
}

/// LLVM's linker for one destination. Made once per destination, since it looks
/// through all of it at first.
struct LlvmLinker(*mut c_void);

impl LlvmLinker {
    fn new(destination: LlvmModule) -> LlvmLinker {
        // SAFETY: the destination lives until the process ends.
        LlvmLinker(unsafe { ffi::bw_linker(destination.0) })
    }

    /// Adds a module, which is used up: all of it or only what is needed.
    fn add(&self, name: &str, module: LlvmModule, only_needed: bool) -> Result<(), LinkError> {
        // SAFETY: the module is given up; both are of one context.
        let message = unsafe {
            ffi::bw_drop_module_flags(module.0);
            ffi::bw_link(self.0, module.0, only_needed)
        };
        take_message(message).map_or(Ok(()), |why| Err(error(name, why)))
    }
}

impl Drop for LlvmLinker {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and no one else has it.
        unsafe { ffi::bw_drop_linker(self.0) };
    }
}

impl Drop for ProgramLinker {
    fn drop(&mut self) {
        for piece in &mut self.pieces {
            if let Some(module) = piece.parsed.take() {
                // SAFETY: never linked, so no one else knows of it.
                unsafe { ffi::bw_drop_module(module.0) };
            }
        }
    }
}

/// How the origin is marked in LLVM's module.
fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::User => "user",
        Origin::Libc => "libc",
        Origin::Runtime => "runtime",
    }
}

/// Who wrote a function or global of a linked module.
pub fn origin_of(value: LlvmValue) -> Origin {
    let mark = value.origin_mark();
    [Origin::Libc, Origin::Runtime]
        .into_iter()
        .find(|o| origin_name(*o) == mark)
        .unwrap_or(Origin::User)
}

/// What a module defines: functions, globals, aliases.
fn definitions(module: LlvmModule) -> impl Iterator<Item = LlvmValue> {
    let objects = module.functions().chain(module.globals());
    objects.filter(|v| !v.is_declaration() && !is_available_externally(*v)).chain(module.aliases())
}

fn is_local(value: LlvmValue) -> bool {
    matches!(value.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
        || value.linkage() == LLVMLinkage::LLVMAppendingLinkage
}

fn is_weak(value: LlvmValue) -> bool {
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

/// Reads a file for the rest of the process, with a zero byte behind it.
fn read(path: &Path) -> Result<(String, &'static [u8]), LinkError> {
    let file = path.display().to_string();
    let mut data = std::fs::read(path).map_err(|e| error(&file, e))?;
    data.push(0);
    let data: &'static [u8] = data.leak();
    Ok((file, &data[..data.len() - 1]))
}

fn is_bitcode(data: &[u8]) -> bool {
    data.starts_with(b"BC\xc0\xde") || data.starts_with(b"\xde\xc0\x17\x0b")
}

/// Tells files that cannot be a program apart, with a word on what they are.
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

/// Byway runs x86-64 programs; a module that does not say what it is is taken for one.
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

fn verify(file: &str, module: LlvmModule) -> Result<(), LinkError> {
    // SAFETY: the module is alive; the message, if any, is ours.
    let complaint = take_message(unsafe { ffi::bw_verify(module.0) });
    complaint.map_or(Ok(()), |why| Err(error(file, format_args!("is not valid LLVM IR: {why}"))))
}

fn take_message(message: *mut c_char) -> Option<String> {
    if message.is_null() {
        return None;
    }
    // SAFETY: the shim's messages are terminated and freed with bw_free.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        ffi::bw_free(message);
        Some(text)
    }
}
