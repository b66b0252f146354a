//! Links the bitcode of a native program into one module, as its linkers did, and writes it.
//!
//! The native linker has chosen the objects already, so each is linked whole. A definition that
//! occurs twice exists where a linker was told to accept that; the first one counts. A shared
//! library keeps what it does not export to itself, and where the program defines one of its
//! exports, the program's definition is used by both, as the dynamic linker does it.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;
use llvm_sys::core::{LLVMSetLinkage, LLVMSetVisibility};
use llvm_sys::{LLVMLinkage, LLVMVisibility};
use rustc_hash::FxHashSet;

use crate::ffi;
use crate::link::{
    LinkError, LlvmLinker, ProgramLinker, definitions, is_local, is_weak, read, verify,
};
use crate::llvm::LlvmModule;

/// The bitcode of an executable or of a shared library.
#[derive(Debug, Default)]
pub struct MergeUnit {
    /// Bitcode files, in the order of the native linker.
    pub files: Vec<PathBuf>,
    /// The names that a shared library exports; `None` for the program itself.
    pub exports: Option<FxHashSet<String>>,
}

/// Merges the units, the program first, and writes the module. Returns warnings.
pub fn merge(units: &[MergeUnit], out: &Path) -> Result<Vec<String>, LinkError> {
    let linker = ProgramLinker::new();
    let mut warnings = Vec::new();
    let mut program: Option<LlvmModule> = None;
    for unit in units {
        let Some(module) = merge_unit(&linker, unit, &mut warnings)? else { continue };
        match program {
            None => program = Some(module),
            Some(program) => {
                let mine = public_names(program);
                undefine(module, |name, _| mine.contains(name));
                LlvmLinker::new(program).add("a shared library", module, false)?;
            }
        }
    }
    let program = program.ok_or_else(|| LinkError::new("there is no bitcode to merge"))?;
    let shown = out.display();
    let path = CString::new(out.as_os_str().as_bytes())
        .map_err(|e| LinkError::new(format!("{shown}: {e}")))?;
    // SAFETY: the module and the zero-terminated path are alive.
    if unsafe { LLVMWriteBitcodeToFile(program.0, path.as_ptr()) } != 0 {
        return Err(LinkError::new(format!("{shown}: cannot be written")));
    }
    Ok(warnings)
}

fn merge_unit(
    linker: &ProgramLinker,
    unit: &MergeUnit,
    warnings: &mut Vec<String>,
) -> Result<Option<LlvmModule>, LinkError> {
    let mut merged: Option<(LlvmModule, LlvmLinker)> = None;
    let mut defined: FxHashSet<String> = FxHashSet::default();
    for path in &unit.files {
        let (file, data) = read(path)?;
        let module = linker.parse(&file, data, false)?;
        verify(&file, module)?;
        let repeated = undefine(module, |name, weak| !weak && defined.contains(name));
        warnings.extend(repeated.into_iter().map(|name| {
            format!("{file}: defines '{name}', which another file defines; the first one counts")
        }));
        let strong = definitions(module).filter(|value| !is_local(*value) && !is_weak(*value));
        defined.extend(strong.map(|value| value.name()));
        match &merged {
            None => merged = Some((module, LlvmLinker::new(module))),
            Some((_, into)) => into.add(&file, module, false)?,
        }
    }
    let merged = merged.map(|(module, _)| module);
    if let (Some(module), Some(exports)) = (merged, &unit.exports) {
        keep_private(module, exports);
    }
    Ok(merged)
}

fn public_names(module: LlvmModule) -> FxHashSet<String> {
    let public = definitions(module).filter(|value| !is_local(*value));
    public.map(|value| value.name()).collect()
}

/// Turns public definitions into declarations, by name and weakness; returns their names.
fn undefine(module: LlvmModule, which: impl Fn(&str, bool) -> bool) -> Vec<String> {
    let public = definitions(module).filter(|value| !is_local(*value));
    let names: Vec<String> = public
        .map(|v| (v.name(), is_weak(v)))
        .filter(|(n, w)| which(n, *w))
        .map(|(n, _)| n)
        .collect();
    for name in &names {
        // SAFETY: no handle into the module is kept.
        unsafe { ffi::bw_undefine(module.0, ffi::RawStr::lend(name)) };
    }
    names
}

/// Makes local what a shared library defines and does not export.
fn keep_private(module: LlvmModule, exports: &FxHashSet<String>) {
    let hidden: Vec<_> = definitions(module)
        .filter(|value| !is_local(*value) && !exports.contains(&value.name()))
        .collect();
    for value in hidden {
        // SAFETY: the value belongs to the module, which is alive. A local value has the default
        // visibility.
        unsafe {
            LLVMSetVisibility(value.0, LLVMVisibility::LLVMDefaultVisibility);
            LLVMSetLinkage(value.0, LLVMLinkage::LLVMInternalLinkage);
        }
    }
}
