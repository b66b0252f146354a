//! Helpers that lower small textual programs in this process.

use std::path::{Path, PathBuf};

use byway_ir::{FuncId, Module};
use byway_llvm::link::{LinkInputs, link};
use byway_llvm::lower::lower;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMCreateMemoryBufferWithMemoryRangeCopy,
    LLVMDisposeMemoryBuffer, LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart,
};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use tempfile::TempDir;

/// A temporary directory, removed at the end of the test.
pub struct Scratch(TempDir);

impl Scratch {
    /// Creates an empty directory.
    pub fn new() -> Scratch {
        Scratch(TempDir::new().expect("a scratch directory"))
    }

    /// Writes a file into it.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("a scratch file");
        path
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Links and lowers files; the result has passed the verifier.
pub fn load(inputs: &LinkInputs) -> Result<Module, String> {
    let module = link(inputs, &mut |_| ()).map_err(|e| e.to_string())?;
    let lowered = lower(module, "test");
    assert!(lowered.warnings.is_empty(), "{:?}", lowered.warnings);
    if let Err(errors) = byway_ir::verify(&lowered.module) {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", all.join("\n"), byway_ir::text::print(&lowered.module));
    }
    Ok(lowered.module)
}

/// Lowers one textual module, which need not have a `main`.
pub fn lower_text(text: &str) -> Module {
    let scratch = Scratch::new();
    let user = vec![scratch.file("test.ll", text)];
    load(&LinkInputs { user, allow_missing_main: true, ..LinkInputs::default() })
        .expect("a valid module")
}

/// The function of that name.
pub fn func(module: &Module, name: &str) -> FuncId {
    module.func_by_name(name).unwrap_or_else(|| panic!("no function {name}"))
}

/// One function as textual IR, without debug locations.
pub fn print(module: &Module, name: &str) -> String {
    byway_ir::text::print_function(module, &module.funcs[func(module, name)])
}

/// The lines between the braces of a function, trimmed.
pub fn body(module: &Module, name: &str) -> Vec<String> {
    let text = print(module, name);
    let lines = text.lines().skip(1).map(|l| l.trim().to_string());
    lines.filter(|l| !l.is_empty() && l != "}").collect()
}

/// Textual IR as bitcode.
pub fn assemble(text: &str) -> Vec<u8> {
    // SAFETY: all objects are created and disposed of in this function.
    unsafe {
        let context = LLVMContextCreate();
        let source = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            text.as_ptr().cast(),
            text.len(),
            c"test.ll".as_ptr(),
        );
        let mut module = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        let failed = LLVMParseIRInContext2(context, source, &mut module, &mut message);
        LLVMDisposeMemoryBuffer(source);
        assert_eq!(failed, 0, "the test's IR does not parse");
        let buffer = LLVMWriteBitcodeToMemoryBuffer(module);
        let start = LLVMGetBufferStart(buffer).cast();
        let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
        LLVMDisposeMemoryBuffer(buffer);
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        bytes
    }
}

/// An `ar` archive of these members.
pub fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, body) in members {
        let name = format!("{name}/");
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, body.len());
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(body);
        if body.len() % 2 == 1 {
            out.push(b'\n');
        }
    }
    out
}

/// The executable under test.
pub fn executable() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_byway-llvm"))
}
