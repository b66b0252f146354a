//! Loads a program: from the user's files to Byway's IR.
//!
//! ```text
//! .c ──clang──→ bitcode ─┐
//! .bc .ll .o .a ─────────┼─ byway-llvm ──→ module     (a child process)
//! native files ──unpack──┤       │
//! runtime: libc ─────────┘       │
//!                      cache, keyed by content
//! .bwir ──parse, verify────────────────→ module
//! ```
//!
//! LLVM runs in a child process: invalid bitcode cannot crash Byway, and a cached program
//! starts without LLVM. Cached C sources are keyed by their preprocessed text.

mod alias;
mod compile;
mod config;
mod flags;
mod inputs;
mod install;
mod lower;
mod manifest;
pub mod native;
mod store;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use byway_base::ubsan::HandlerName;
use byway_ir::{Module, Origin, cache, text, verify};
use byway_native::inputs::LoweringTools;

use crate::checks;
use crate::console::{self, Style};
use crate::failure::{Failure, Result};
use crate::hash::{Digest, Fingerprint};
use compile::Compilation;
use inputs::ProgramInputFile;
use install::Installed;
use lower::LowerJob;
use store::Store;
use tempfile::TempDir;

pub use alias::FunctionAlias;
pub use compile::{OF_OPTIMISED_BUILD, exploration_options, find_clang};
pub use config::{Compiler, Install, LoadConfig, cache_dir, compiler_name};
pub use flags::{LoadFlags, VARIABLES};
pub use inputs::{FileKind, kind_of};
pub use install::{build, find_llvm as reader};

/// A program that was loaded.
pub struct Loaded {
    /// The program.
    pub module: Module,
    /// Identifies the program: equal for equal sources, options and runtime.
    pub digest: Digest,
    /// The cache had the program.
    pub cached: bool,
    /// The time that loading took.
    pub time: Duration,
    pub warnings: Vec<String>,
}

/// Loads a program that has an entry point.
pub fn load_to_run(config: &LoadConfig) -> Result<Loaded> {
    let loaded = load_and_warn(config)?;
    check_entry(&loaded.module)?;
    Ok(loaded)
}

/// The runtime calls `main`; a `.bwir` file may define `__byway_start` instead.
fn check_entry(module: &Module) -> Result<()> {
    let has_body =
        |name: &str| module.func_by_name(name).map(|f| !module.funcs[f].is_declaration());
    match (has_body("main"), has_body("__byway_start")) {
        (Some(true), _) | (None, Some(true)) => Ok(()),
        _ => Err(Failure::new("the program has no function 'main'")
            .hint("link it with the file that defines main")),
    }
}

/// Loads a program and prints warnings.
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
    let (mut module, mut digest, cached) = match whole_program(&inputs)? {
        Some((module, digest)) => (module, digest, false),
        None => {
            let (mut module, digest, cached) = load_linked(config, &inputs, &mut warnings)?;
            // The name that the user gave, instead of the temporary file's.
            module.name =
                config.program.first().map_or_else(String::new, |p| p.display().to_string());
            (module, digest, cached)
        }
    };
    if !config.aliases.is_empty() {
        alias::apply(&config.aliases, &mut module)?;
        digest = alias::digest(&config.aliases, digest);
    }
    warnings.extend(unapplied_checks(config, &inputs, &module));
    Ok(Loaded { module, digest, cached, time: start.elapsed(), warnings })
}

/// What to tell about checks that clang inserts into C sources, if files of the program are
/// compiled already. Bitcode that calls the sanitizer's handlers has been compiled with some.
fn unapplied_checks(
    config: &LoadConfig,
    inputs: &[ProgramInputFile],
    module: &Module,
) -> Option<String> {
    let optimised =
        module.funcs.values().any(|function| function.optimised && function.origin == Origin::User);
    let unapplied = |name: &&&str| optimised || !checks::engine_has(name);
    let sanitizers: Vec<&str> =
        config.compiler.sanitizers.iter().filter(unapplied).copied().collect();
    let (sources, compiled): (Vec<_>, Vec<_>) =
        inputs.iter().partition(|input| input.kind == FileKind::C);
    let mut functions = module.funcs.values();
    let has_own = sources.is_empty()
        && functions.any(|function| HandlerName::parse(&function.name).is_some());
    let first = compiled.first().filter(|_| !sanitizers.is_empty() && !has_own)?;
    let names: Vec<&str> = sanitizers.iter().map(|name| checks::name_of_sanitizer(name)).collect();
    let (subject, options) = match names.as_slice() {
        [name] => (format!("the check {name} needs"), sanitizers.join(",")),
        names if names.len() <= 3 => {
            (format!("the checks {} need", names.join(", ")), sanitizers.join(","))
        }
        [one, two, rest @ ..] => {
            (format!("the checks {one}, {two} and {} others need", rest.len()), "undefined".into())
        }
        [] => return None,
    };
    let shown = first.path.display();
    let others = match compiled.len() {
        1 => String::new(),
        count => format!(" and {} others", count - 1),
    };
    let how = match first.kind {
        FileKind::Native => format!("build it with BYWAY_BITCODE_FLAGS=-fsanitize={options}"),
        _ => format!("compile it with -fsanitize={options}"),
    };
    Some(format!("{subject} source code: '{shown}'{others} is compiled already; {how}"))
}

/// The arguments of clang for C sources, and the directory of the C library's headers.
pub fn c_options(config: &LoadConfig) -> Result<(Vec<OsString>, PathBuf)> {
    let installed = install::find(&config.install)?;
    let compilation = Compilation::new(config, &installed)?;
    Ok((compilation.arguments().to_vec(), installed.headers))
}

/// What makes of bitcode the program that is explored.
pub fn lowering_tools(config: &LoadConfig) -> Result<LoweringTools> {
    let Installed { llvm, libc, runtime, .. } = install::find(&config.install)?;
    Ok(LoweringTools { lowering: llvm, libc, runtime })
}

/// The files that the C sources of a program include, except the C library's.
pub fn included(config: &LoadConfig) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let sources: Vec<&PathBuf> = config
        .program
        .iter()
        .filter(|path| kind_of(path).is_ok_and(|it| it == FileKind::C))
        .collect();
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

/// The failure to make a temporary directory.
pub fn no_directory(error: io::Error) -> Failure {
    Failure::io("make a directory in", &std::env::temp_dir(), &error)
        .hint("set TMPDIR to a directory for temporary files")
}

/// The program of a `.bwir` file, if one is given.
fn whole_program(inputs: &[ProgramInputFile]) -> Result<Option<(Module, Digest)>> {
    let Some(input) = inputs.iter().find(|input| input.kind == FileKind::Bwir) else {
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

/// Compiles, links and lowers, or takes the result from the cache.
fn load_linked(
    config: &LoadConfig,
    inputs: &[ProgramInputFile],
    warnings: &mut Vec<String>,
) -> Result<(Module, Digest, bool)> {
    let installed = install::find(&config.install)?;
    let store = Store::new(config.cache.clone());
    let compilation = if inputs.iter().any(|input| input.kind == FileKind::C) {
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
            (FileKind::C, Some(compilation)) => {
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
                let unpacking =
                    native::Unpacking { reader: &installed.llvm, time_limit: config.time_limit };
                let (path, more) = unpacking.unpack(input, index, temp.path())?;
                warnings.extend(more);
                files.push(path);
            }
        }
    }
    let key = module_key(inputs, &digests, &installed);
    // The bitcode may be unchanged although a source changed.
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

/// The key of the program and clang's diagnostics, if the cache has a current record of every C
/// source.
fn known_key(
    inputs: &[ProgramInputFile],
    installed: &Installed,
    store: &Store,
    compilation: Option<&Compilation>,
    scratch: &Path,
) -> Option<(Digest, Vec<String>)> {
    let mut diagnostics = Vec::new();
    let mut digests = Vec::new();
    for input in inputs {
        match (input.kind, compilation) {
            (FileKind::C, Some(compilation)) => {
                let bytes = store.get(store::COMPILATIONS, compilation.key(input))?;
                let manifest = manifest::Manifest::decode(&bytes)?;
                if !manifest.is_current(|| compilation.preprocessed(input, scratch)) {
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

/// The cache key of a linked program: a digest of everything that its contents depend on.
fn module_key(inputs: &[ProgramInputFile], digests: &[Digest], installed: &Installed) -> Digest {
    let mut key = Fingerprint::new();
    key.bytes(b"module");
    key.bytes(&cache::VERSION.to_le_bytes());
    key.digest(installed.identity);
    for (input, &digest) in inputs.iter().zip(digests) {
        // The extension decides how a file is read, and warnings quote the name.
        key.bytes(input.path.as_os_str().as_encoded_bytes());
        key.digest(digest);
    }
    key.finish()
}

/// A module from the cache; `None` also if it is damaged.
fn cached_module(store: &Store, key: Digest) -> Option<Module> {
    cache::decode(&store.get(store::MODULES, key)?).ok()
}
