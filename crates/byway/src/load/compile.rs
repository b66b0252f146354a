//! C to bitcode, by clang.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use byway_base::quantity;

use crate::console;
use crate::failure::{Failure, Result, reason};
use crate::hash::{Digest, Fingerprint};
use crate::load::config::{Compiler, LoadConfig};
use crate::load::inputs::ProgramInputFile;
use crate::load::install::Installed;
use crate::load::manifest::{self, Manifest};
use crate::process::{self, Ended};

/// Steps that take longer are announced.
pub const ANNOUNCE_AFTER: Duration = Duration::from_secs(2);

/// The options by which a source becomes bitcode for exploration. Vectorised code would be no faster
/// here and harder to explore; contraction of floating-point operations would change results.
const OPTIONS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-g",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
];

/// The options for sources that Byway compiles against the C library's own headers.
const OWN_HEADERS: &[&str] = &["-nostdlibinc", "-Wno-unused-command-line-argument"];

/// Without optimisation, clang marks every function as never to be optimised, and variables could
/// not be promoted to registers.
const PROMOTABLE: &[&str] = &["-Xclang", "-disable-O0-optnone"];

/// Marks where variables come into scope and go out of it, as optimised code has it.
const SCOPES: &[&str] = &["-Xclang", "-fsanitize-address-use-after-scope"];

/// Keeps the calls of the heap's functions in optimised code. Else an allocation that is only
/// written and freed is removed, defects included.
const HEAP_IS_NO_BUILTIN: &[&str] = &[
    "-fno-builtin-malloc",
    "-fno-builtin-calloc",
    "-fno-builtin-realloc",
    "-fno-builtin-free",
    "-fno-builtin-strdup",
    "-fno-builtin-strndup",
];

/// Clang's code for the first optimisation level, before its first pass. Unlike code without
/// optimisation, it has the bodies of C99's inline functions: a native build may have inlined
/// them all, so that its linker needed no object that defines them. Headers must not see that level:
/// what they do if the build optimises is added by [`OF_OPTIMISED_BUILD`].
const BEFORE_OPTIMISATION: &[&str] = &["-O1", "-U__OPTIMIZE__", "-Xclang", "-disable-llvm-passes"];

/// The options for a source of a project that has its own build, and headers of the system.
pub fn exploration_options() -> impl Iterator<Item = &'static str> {
    [OPTIONS, BEFORE_OPTIMISATION, HEAP_IS_NO_BUILTIN].into_iter().flatten().copied()
}

/// Further options where the build optimises. Sources may differ then (gnulib compares short strings
/// without a function), and the linker chose the archive members that the native code needs. The
/// value 0 keeps glibc's headers from fortified functions, which gnulib asks for, and the last macro
/// from functions that access a stream's members, which are others in Byway's libc.
pub const OF_OPTIMISED_BUILD: &[&str] = &["-D__OPTIMIZE__=0", "-D__NO_INLINE__"];

/// How the C sources of this run are compiled.
pub struct Compilation<'a> {
    config: &'a LoadConfig,
    clang: PathBuf,
    arguments: Vec<OsString>,
    /// Identifies the compiler, its options and its working directory.
    identity: Digest,
    start: Instant,
}

/// A source that was compiled.
pub struct Compiled {
    /// The bitcode file.
    pub path: PathBuf,
    pub digest: Digest,
    /// The record for the cache; `None` if a file may have changed meanwhile.
    pub manifest: Option<Manifest>,
}

impl<'a> Compilation<'a> {
    /// Finds clang and determines its options.
    pub fn new(config: &'a LoadConfig, installed: &Installed) -> Result<Self> {
        let clang = find_clang(&config.compiler.clang)?;
        let mut arguments: Vec<OsString> =
            OPTIONS.iter().chain(OWN_HEADERS).map(OsString::from).collect();
        arguments.extend(["-isystem".into(), installed.headers.clone().into_os_string()]);
        arguments.push(format!("-O{}", config.compiler.optimise).into());
        let further = match config.compiler.optimise.as_str() {
            "0" => [PROMOTABLE, SCOPES].concat(),
            _ => HEAP_IS_NO_BUILTIN.to_vec(),
        };
        arguments.extend(further.into_iter().map(OsString::from));
        let colour = if config.color { "-fcolor-diagnostics" } else { "-fno-color-diagnostics" };
        arguments.push(colour.into());
        arguments.extend(sanitizer_options(&config.compiler));
        arguments.extend(config.compiler.options.iter().cloned());
        let identity = identity(&clang, &arguments);
        Ok(Compilation { config, clang, arguments, identity, start: Instant::now() })
    }

    /// The arguments of clang, without file names.
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// The cache key of a source's record.
    pub fn key(&self, input: &ProgramInputFile) -> Digest {
        let mut key = Fingerprint::new();
        key.bytes(b"source");
        key.digest(self.identity);
        key.bytes(input.path.as_os_str().as_encoded_bytes());
        key.finish()
    }

    /// Compiles the source that is number `index` of the `total` files given.
    pub fn compile(
        &self,
        input: &ProgramInputFile,
        index: usize,
        total: usize,
        dir: &Path,
    ) -> Result<Compiled> {
        let path = dir.join(format!("{index}.bc"));
        let rule = dir.join(format!("{index}.d"));
        let began = SystemTime::now();
        // Before clang reads the files: a header that appears in between is noticed next time.
        let text = self.config.cache.as_ref().and_then(|_| self.preprocessed(input, dir));
        let mut announced = false;
        let mut command = Command::new(&self.clang);
        command.args(&self.arguments);
        command.args([OsStr::new("-MD"), OsStr::new("-MF"), rule.as_os_str()]);
        command.args([OsStr::new("-o"), path.as_os_str(), OsStr::new("--")]);
        command.arg(&input.path);
        let diagnostics = self.clang(command, &input.path, || {
            if self.config.progress && !announced && self.start.elapsed() > ANNOUNCE_AFTER {
                announced = true;
                let shown = input.path.display();
                console::say(&format!("byway: compiling {shown} ({} of {total})", index + 1));
            }
        })?;
        let bitcode = fs::read(&path).map_err(|error| {
            let shown = input.path.display();
            Failure::new(format!("clang wrote no bitcode for '{shown}': {}", reason(&error)))
                .hint("an option in --cflags may prevent it")
        })?;
        let digest = Digest::of(&bitcode);
        let manifest = text
            .zip(fs::read_to_string(rule).ok())
            .and_then(|(text, rule)| Manifest::record(&rule, text, digest, diagnostics, began));
        Ok(Compiled { path, digest, manifest })
    }

    /// The digest of the preprocessed source, macro definitions included; `None` if
    /// preprocessing fails, which compilation then reports.
    pub fn preprocessed(&self, input: &ProgramInputFile, dir: &Path) -> Option<Digest> {
        let (text, rule) = (dir.join("preprocessed.i"), dir.join("preprocessed.d"));
        let mut command = Command::new(&self.clang);
        command.args(&self.arguments).args(["-E", "-dD"]);
        // The user's options may request a list of headers; it goes to the scratch directory.
        command.args([OsStr::new("-MD"), OsStr::new("-MF"), rule.as_os_str()]);
        command.args([OsStr::new("-o"), text.as_os_str(), OsStr::new("--")]);
        command.arg(&input.path);
        match process::run(&mut command, self.config.time_limit, |_| ()) {
            Ok(Ended::Exited(status, _)) if status.success() => Digest::of_file(&text).ok(),
            _ => None,
        }
    }

    /// The files that a source includes, except those of the C library.
    pub fn included(&self, source: &Path, dir: &Path) -> Result<Vec<PathBuf>> {
        let rule = dir.join("included.d");
        let mut command = Command::new(&self.clang);
        command.args(&self.arguments);
        command.args([OsStr::new("-MM"), OsStr::new("-MF"), rule.as_os_str(), OsStr::new("--")]);
        command.arg(source);
        self.clang(command, source, || {})?;
        let text = fs::read(&rule).map_err(|error| Failure::io("read", &rule, &error))?;
        let files = manifest::prerequisites(&String::from_utf8_lossy(&text));
        Ok(files.into_iter().map(PathBuf::from).filter(|file| file != source).collect())
    }

    /// Calls clang on a source; prints and returns its diagnostics.
    fn clang(
        &self,
        mut command: Command,
        source: &Path,
        mut meanwhile: impl FnMut(),
    ) -> Result<String> {
        let shown = source.display();
        let ended = process::run(&mut command, self.config.time_limit, |_| meanwhile())
            .map_err(|error| Failure::io("run", &self.clang, &error))?;
        let (status, diagnostics) = match ended {
            Ended::Exited(status, words) => (status, words),
            Ended::Interrupted => return Err(Failure::interrupted_while("compiling")),
            Ended::TimedOut => {
                let limit = quantity::time(self.config.time_limit);
                return Err(Failure::new(format!("compiling '{shown}' took over {limit}"))
                    .hint("raise --load-timeout"));
            }
        };
        console::say_raw(&diagnostics);
        match status.code() {
            Some(0) => Ok(diagnostics),
            Some(_) => Err(Failure::new(format!("'{shown}' does not compile"))),
            None => {
                let how = process::describe(status);
                Err(Failure::new(format!("clang crashed with {how} on '{shown}'")))
            }
        }
    }
}

/// The options that insert checks. A path ends where one fails, so that clang need not compile
/// how the program would go on.
fn sanitizer_options(compiler: &Compiler) -> Vec<OsString> {
    let useless = |name: &str| match name {
        // clang warns that this one has no effect without optimisation.
        "object-size" => compiler.optimise == "0",
        "signed-integer-overflow" => compiler.wraps_signed(),
        _ => false,
    };
    let names: Vec<&str> =
        compiler.sanitizers.iter().copied().filter(|name| !useless(name)).collect();
    match names.is_empty() {
        true => Vec::new(),
        false => vec![
            format!("-fsanitize={}", names.join(",")).into(),
            "-fno-sanitize-recover=all".into(),
        ],
    }
}

/// The path of the compiler; a bare name is searched in `PATH`.
pub fn find_clang(name: &OsStr) -> Result<PathBuf> {
    let path = Path::new(name);
    let found = if path.components().count() > 1 {
        path.is_file().then(|| path.to_path_buf())
    } else {
        let dirs = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&dirs).map(|dir| dir.join(path)).find(|file| file.is_file())
    };
    found.ok_or_else(|| {
        Failure::new(format!("cannot find the C compiler '{}'", path.display()))
            .hint("install clang-22, or set BYWAY_CLANG to a clang of the same version")
    })
}

/// Changes with the compiler, its options and its working directory, which relative paths depend
/// on and which the bitcode contains.
fn identity(clang: &Path, arguments: &[OsString]) -> Digest {
    let mut key = Fingerprint::new();
    if let Ok(stamp) = Digest::of_stamp(clang) {
        key.digest(stamp);
    }
    for argument in arguments {
        key.bytes(argument.as_encoded_bytes());
    }
    // clang reads more include directories from the environment.
    for name in ["CPATH", "C_INCLUDE_PATH"] {
        key.bytes(env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    let here = env::current_dir().unwrap_or_default();
    key.bytes(here.as_os_str().as_encoded_bytes());
    key.finish()
}
