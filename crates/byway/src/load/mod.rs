//! From the files the user names to a program in Byway's IR.
//!
//! ```text
//! .c ──clang──→ bitcode ─┐
//! .bc .ll .o .a ─────────┼─ byway-llvm ──→ module     (a child process)
//! runtime: libc ─────────┘       │
//!                      cache, keyed by content
//! .bwir ──parse, verify────────────────→ module
//! ```
//!
//! LLVM runs in a process of its own, so that bitcode it chokes on cannot take
//! us down, and so that a program that was loaded before starts without LLVM; of C
//! sources clang's preprocessor tells whether they are as they were.

mod compile;
mod config;
mod flags;
mod inputs;
mod install;
mod lower;
mod manifest;
mod store;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use byway_ir::{Module, cache, text, verify};

use crate::console::{self, Style};
use crate::failure::{Failure, Result};
use crate::hash::{Digest, Fingerprint};
use compile::Compilation;
use inputs::Input;
use install::Installed;
use lower::LowerJob;
use store::Store;
use tempfile::TempDir;

pub use config::{Compiler, Install, LoadConfig, cache_dir};
pub use flags::{LoadFlags, VARIABLES};
pub use inputs::{Kind, kind_of};
pub use install::{build, find_llvm as reader};

/// A program that was loaded.
pub struct Loaded {
    /// The program.
    pub module: Module,
    /// Stands for all that decides what the program is.
    pub digest: Digest,
    /// Whether it came from the cache.
    pub cached: bool,
    /// How long it took.
    pub time: Duration,
    /// What the user should know although it went well.
    pub warnings: Vec<String>,
}

/// Loads a program that has a beginning.
pub fn load_to_run(config: &LoadConfig) -> Result<Loaded> {
    let loaded = load_and_warn(config)?;
    check_entry(&loaded.module)?;
    Ok(loaded)
}

/// A program must begin somewhere: the runtime calls `main`, by whatever name the
/// linker knows it; a `.bwir` file may do without the runtime.
fn check_entry(module: &Module) -> Result<()> {
    let has_body =
        |name: &str| module.func_by_name(name).map(|f| !module.funcs[f].is_declaration());
    match (has_body("main"), has_body("__byway_start")) {
        (Some(true), _) | (None, Some(true)) => Ok(()),
        _ => Err(Failure::new("the program has no function 'main'")
            .hint("link it with the file that defines main")),
    }
}

/// Loads a program, and says what the user should know of it.
pub fn load_and_warn(config: &LoadConfig) -> Result<Loaded> {
    let loaded = load(config)?;
    let head = Style::new(config.color).warning("byway: warning");
    loaded.warnings.iter().for_each(|warning| console::say(&format!("{head}: {warning}")));
    Ok(loaded)
}

/// Loads the program.
pub fn load(config: &LoadConfig) -> Result<Loaded> {
    let start = Instant::now();
    let inputs = inputs::read(&config.program)?;
    let mut warnings = Vec::new();
    let (module, digest, cached) = match whole_program(&inputs)? {
        Some((module, digest)) => (module, digest, false),
        None => {
            let (mut module, digest, cached) = load_linked(config, &inputs, &mut warnings)?;
            // As the user calls it, not as our temporary file was called.
            module.name =
                config.program.first().map_or_else(String::new, |p| p.display().to_string());
            (module, digest, cached)
        }
    };
    Ok(Loaded { module, digest, cached, time: start.elapsed(), warnings })
}

/// How C sources become bitcode, as clang is told, and where the headers are that they
/// then include.
pub fn c_options(config: &LoadConfig) -> Result<(Vec<OsString>, PathBuf)> {
    let installed = install::find(&config.install)?;
    let compilation = Compilation::new(config, &installed)?;
    Ok((compilation.arguments().to_vec(), installed.headers))
}

/// The files that the C sources of a program include, but for the C library's.
pub fn included(config: &LoadConfig) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let sources: Vec<&PathBuf> =
        config.program.iter().filter(|path| kind_of(path).is_ok_and(|it| it == Kind::C)).collect();
    if sources.is_empty() {
        return Ok(files);
    }
    let installed = install::find(&config.install)?;
    let compilation = Compilation::new(config, &installed)?;
    let temp = TempDir::with_prefix("byway-").map_err(no_directory)?;
    for source in sources {
        files.extend(compilation.included(source, temp.path())?);
    }
    Ok(files)
}

fn no_directory(error: io::Error) -> Failure {
    Failure::io("make a directory in", &std::env::temp_dir(), &error)
        .hint("set TMPDIR to a directory for temporary files")
}

/// The program of a `.bwir` file, if that is what was given.
fn whole_program(inputs: &[Input]) -> Result<Option<(Module, Digest)>> {
    let Some(input) = inputs.iter().find(|input| input.kind == Kind::Bwir) else {
        return Ok(None);
    };
    let path = input.path.display();
    if inputs.len() > 1 {
        return Err(Failure::new(format!("'{path}' cannot be linked with other files"))
            .hint("a .bwir file is a whole program; give it alone"));
    }
    let source = std::str::from_utf8(&input.bytes)
        .map_err(|_| Failure::new(format!("'{path}' is not text (its bytes are not UTF-8)")))?;
    let module = text::parse(source)
        .map_err(|error| Failure::new(format!("'{path}' is not valid IR: {error}")))?;
    verify(&module).map_err(|errors| {
        let detail: Vec<String> = errors.iter().take(10).map(|error| error.to_string()).collect();
        Failure::new(format!("'{path}' is not a valid program")).detail(detail.join("\n"))
    })?;
    Ok(Some((module, Digest::of(&input.bytes))))
}

/// Compiles, links and lowers, or finds in the cache what that came to before.
fn load_linked(
    config: &LoadConfig,
    inputs: &[Input],
    warnings: &mut Vec<String>,
) -> Result<(Module, Digest, bool)> {
    let installed = install::find(&config.install)?;
    let store = Store::new(config.cache.clone());
    let compilation = if inputs.iter().any(|input| input.kind == Kind::C) {
        Some(Compilation::new(config, &installed)?)
    } else {
        None
    };

    let temp = TempDir::with_prefix("byway-").map_err(no_directory)?;
    let known = known_key(inputs, &installed, &store, compilation.as_ref(), temp.path());
    if let Some((key, diagnostics)) = known
        && let Some(module) = cached_module(&store, key)
    {
        diagnostics.iter().for_each(|text| console::say_raw(text));
        return Ok((module, key, true));
    }

    let mut files = Vec::new();
    let mut digests = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        match (input.kind, &compilation) {
            (Kind::C, Some(compilation)) => {
                let compiled = compilation.compile(input, index, inputs.len(), temp.path())?;
                if let Some(manifest) = &compiled.manifest {
                    let bytes = manifest.encode();
                    warnings.extend(store.put(store::COMPILATIONS, compilation.key(input), &bytes));
                }
                digests.push(compiled.digest);
                files.push(compiled.path);
            }
            _ => {
                digests.push(Digest::of(&input.bytes));
                files.push(input.path.clone());
            }
        }
    }
    let key = module_key(inputs, &digests, &installed);
    // Sources that changed in nothing but a header nobody looks at, say.
    if let Some(module) = cached_module(&store, key) {
        return Ok((module, key, true));
    }
    let job = LowerJob { installed: &installed, files: &files, inputs, config };
    let lowered = job.run(&temp.path().join("module"))?;
    warnings.extend(lowered.warnings);
    warnings.extend(store.put(store::MODULES, key, &lowered.bytes));
    warnings.dedup();
    Ok((lowered.module, key, false))
}

/// The key of the program and what clang said when it was compiled, if the cache
/// knows what every C source compiles to.
fn known_key(
    inputs: &[Input],
    installed: &Installed,
    store: &Store,
    compilation: Option<&Compilation>,
    scratch: &Path,
) -> Option<(Digest, Vec<String>)> {
    let mut diagnostics = Vec::new();
    let mut digests = Vec::new();
    for input in inputs {
        match (input.kind, compilation) {
            (Kind::C, Some(compilation)) => {
                let bytes = store.get(store::COMPILATIONS, compilation.key(input))?;
                let manifest = manifest::Manifest::decode(&bytes)?;
                if !manifest.still_true(|| compilation.preprocessed(input, scratch)) {
                    return None;
                }
                digests.push(manifest.bitcode);
                diagnostics.push(manifest.diagnostics);
            }
            _ => digests.push(Digest::of(&input.bytes)),
        }
    }
    Some((module_key(inputs, &digests, installed), diagnostics))
}

/// The name of a linked program in the cache: whatever decides its contents.
fn module_key(inputs: &[Input], digests: &[Digest], installed: &Installed) -> Digest {
    let mut key = Fingerprint::new();
    key.bytes(b"module");
    key.bytes(&cache::VERSION.to_le_bytes());
    key.digest(installed.identity);
    for (input, &digest) in inputs.iter().zip(digests) {
        // The name's ending says how to read it, and warnings may speak of it.
        key.bytes(input.path.as_os_str().as_encoded_bytes());
        key.digest(digest);
    }
    key.finish()
}

/// A module from the cache; a damaged one is as good as none.
fn cached_module(store: &Store, key: Digest) -> Option<Module> {
    cache::decode(&store.get(store::MODULES, key)?).ok()
}
