//! Reads a compiler's command line: what it compiles, and the options that matter for bitcode.
//!
//! The native compiler gets the user's words unchanged. Only the compilation to bitcode needs to
//! know which words are sources, outputs and options.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a command line asks for, as far as bitcode is concerned.
#[derive(Debug, PartialEq, Eq)]
pub struct CompilerLine {
    pub stage: CompilerStage,
    pub sources: Vec<CompilerSource>,
    /// The argument of `-o`.
    pub output: Option<PathBuf>,
    /// The options that also hold for the compilation to bitcode.
    pub options: Vec<OsString>,
    /// Link-time optimisation is asked for.
    pub lto: bool,
    /// The code is for another processor than x86-64, for which Byway runs nothing.
    pub is_foreign: bool,
}

/// How far the compiler goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CompilerStage {
    /// It makes neither objects nor programs, or answers a question.
    Other,
    /// Objects (`-c`).
    Objects,
    /// A program or a shared library.
    Linked,
}

/// A file to compile.
#[derive(Debug, PartialEq, Eq)]
pub struct CompilerSource {
    /// The file as given; `-` is standard input.
    pub path: OsString,
    /// The argument of the `-x` before it.
    pub language: Option<OsString>,
    pub is_assembly: bool,
}

/// Options whose argument is the next word.
const WITH_ARGUMENT: &[&str] = &[
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-T",
    "-U",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "--param",
    "--sysroot",
    "-arch",
    "-cxx-isystem",
    "-e",
    "-framework",
    "-idirafter",
    "-iframework",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-mllvm",
    "-rpath",
    "-target",
    "-u",
    "-working-directory",
    "-z",
];

/// Options with an argument that say what to write, or concern the linker or the assembler.
const OUTPUT_WITH_ARGUMENT: &[&str] = &[
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "--serialize-diagnostics",
    "-serialize-diagnostics",
    "-Xassembler",
    "-Xlinker",
    "-L",
    "-T",
    "-e",
    "-l",
    "-rpath",
    "-u",
    "-z",
];

/// Options that say what to write or how to optimise, or that instrument the code. Bitcode for
/// exploration has its own.
const NOT_FOR_BITCODE: &[&str] = &[
    "-c",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MG",
    "-MP",
    "-MV",
    "-pg",
    "-p",
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fwhole-program-vtables",
    "-fsplit-lto-unit",
    "-H",
    "-v",
    "-mfentry",
    "-fstack-clash-protection",
];

/// The beginnings of such options.
const NOT_FOR_BITCODE_PREFIXES: &[&str] = &[
    "-O",
    "-flto",
    "-fno-lto",
    "-ffat-lto-objects",
    "-fprofile",
    "-fcs-profile",
    "-fcoverage",
    "-finstrument-function",
    "-fxray",
    "-gsplit-dwarf",
    "-save-temps",
    "--save-temps",
    "-fembed-bitcode",
    "-fcf-protection",
    "-fpatchable-function-entry",
    "-ftime-",
    "-Wl,",
    "-Wa,",
    "-fsanitize-coverage",
    "-fdump-",
    "-L",
    "-l",
];

/// Options after which nothing is compiled to an object.
const OTHER_STAGE: &[&str] = &[
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-###",
    "-cc1",
    "-cc1as",
    "-emit-llvm",
    "-emit-ast",
    "--analyze",
    "--precompile",
    "--version",
    "--help",
    "-dumpversion",
    "-dumpmachine",
    "-rewrite-objc",
];

impl CompilerLine {
    /// Reads the words behind the compiler's name.
    pub fn parse(words: &[OsString]) -> CompilerLine {
        let words = expand_response_files(words, 0);
        let mut line = CompilerLine {
            stage: CompilerStage::Linked,
            sources: Vec::new(),
            output: None,
            options: Vec::new(),
            lto: false,
            is_foreign: false,
        };
        let mut language: Option<OsString> = None;
        let mut only_files = false;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy().into_owned();
            if only_files || text == "-" || !text.starts_with('-') {
                line.add_file(word, language.clone());
            } else if text == "--" {
                only_files = true;
            } else if let Some(name) = text.strip_prefix("-x") {
                let name = if name.is_empty() { words.next() } else { Some(name.into()) };
                language = name.filter(|name| name != "none");
            } else if text == "-o" {
                line.output = words.next().map(PathBuf::from);
            } else if let Some(name) = text.strip_prefix("-o").filter(|_| !text.starts_with("-obj"))
            {
                line.output = Some(name.into());
            } else if WITH_ARGUMENT.contains(&&*text) || OUTPUT_WITH_ARGUMENT.contains(&&*text) {
                let argument = words.next();
                if text == "-target" {
                    let target = argument.as_ref().and_then(|it| it.to_str());
                    line.is_foreign = target.is_some_and(|it| !is_x86_64(it));
                }
                if !OUTPUT_WITH_ARGUMENT.contains(&&*text) {
                    line.options.push(word);
                    line.options.extend(argument);
                }
            } else {
                line.add_option(word, &text);
            }
        }
        line
    }

    fn add_option(&mut self, word: OsString, text: &str) {
        if OTHER_STAGE.contains(&text)
            || text.starts_with("-print-")
            || text.starts_with("--print-")
        {
            self.stage = CompilerStage::Other;
        } else if text == "-c" && self.stage == CompilerStage::Linked {
            self.stage = CompilerStage::Objects;
        }
        match text.strip_prefix("--target=") {
            Some(target) => self.is_foreign = !is_x86_64(target),
            None => self.is_foreign |= ["-m32", "-mx32", "-m16"].contains(&text),
        }
        self.lto = text != "-fno-lto" && (self.lto || text.starts_with("-flto"));
        let dropped = NOT_FOR_BITCODE.contains(&text)
            || NOT_FOR_BITCODE_PREFIXES.iter().any(|prefix| text.starts_with(prefix));
        if dropped {
            return;
        }
        match text.split_once('=') {
            Some(("-fsanitize", names)) => self.options.extend(checks_of_values(names)),
            _ => self.options.extend(for_preprocessor(word, text)),
        }
    }

    fn add_file(&mut self, path: OsString, language: Option<OsString>) {
        let name = match &language {
            Some(language) => language.to_string_lossy().into_owned(),
            None => match Path::new(&path).extension().and_then(OsStr::to_str) {
                Some(extension) => language_of(extension).to_string(),
                None => return,
            },
        };
        match name.as_str() {
            // An object or a library.
            "" => {}
            "assembler" | "assembler-with-cpp" => {
                self.sources.push(CompilerSource { path, language, is_assembly: true });
            }
            // Makes a precompiled header.
            header if header.ends_with("-header") => self.stage = CompilerStage::Other,
            _ => self.sources.push(CompilerSource { path, language, is_assembly: false }),
        }
    }

    /// The object that a source becomes with `-c`.
    pub fn object_of(&self, source: &CompilerSource) -> PathBuf {
        match &self.output {
            Some(output) => output.clone(),
            None => {
                let name = Path::new(&source.path).file_name().unwrap_or(&source.path);
                Path::new(name).with_extension("o")
            }
        }
    }

    /// Whether the sources are those by which a configuration script tries the compiler. Nobody
    /// explores them, and there are hundreds.
    pub fn is_configuration_test(&self, directory: &Path) -> bool {
        let of_configuration = |path: &Path| {
            let autoconf = path.file_stem().is_some_and(|stem| stem == "conftest");
            let has = |part: &str| path.components().any(|it| it.as_os_str() == part);
            let cmake = ["CMakeScratch", "CMakeTmp", "CompilerIdC", "CompilerIdCXX"];
            autoconf || cmake.iter().any(|part| has(part)) || has("meson-private")
        };
        self.sources.iter().any(|source| of_configuration(&directory.join(&source.path)))
    }
}

fn is_x86_64(target: &str) -> bool {
    target.starts_with("x86_64") || target.starts_with("amd64")
}

/// The language of a file by its extension, as `-x` names it; empty for a linker's input.
fn language_of(extension: &str) -> &'static str {
    match extension {
        "c" => "c",
        "i" => "cpp-output",
        "cc" | "cpp" | "cxx" | "c++" | "CPP" | "CC" | "cp" | "C" => "c++",
        "ii" => "c++-cpp-output",
        "m" | "mi" => "objective-c",
        "mm" | "M" | "mii" => "objective-c++",
        "ll" | "bc" => "ir",
        "s" | "asm" => "assembler",
        "S" | "sx" => "assembler-with-cpp",
        "h" | "H" | "hh" | "hpp" | "hxx" => "c-header",
        _ => "",
    }
}

/// Those of clang's checks that Byway can run. The others need a library of their own.
fn checks_of_values(names: &str) -> Option<OsString> {
    let needs_library = |name: &&str| {
        let libraries = [
            "address",
            "leak",
            "thread",
            "memory",
            "hwaddress",
            "kernel",
            "fuzzer",
            "dataflow",
            "safe-stack",
            "shadow-call-stack",
            "cfi",
            "type",
            "realtime",
            "memtag",
            "pointer-",
            "numerical",
            "vptr",
            "function",
        ];
        libraries.iter().any(|library| name.starts_with(library))
    };
    let kept: Vec<&str> = names.split(',').filter(|name| !needs_library(name)).collect();
    (!kept.is_empty()).then(|| format!("-fsanitize={}", kept.join(",")).into())
}

/// `-Wp,` passes options to the preprocessor: those for dependency files and for fortified
/// functions are not for bitcode.
fn for_preprocessor(word: OsString, text: &str) -> Option<OsString> {
    let Some(list) = text.strip_prefix("-Wp,") else { return Some(word) };
    let dropped =
        |option: &str| option.starts_with("-M") || option.starts_with("-D_FORTIFY_SOURCE");
    (!list.split(',').any(dropped)).then_some(word)
}

/// Replaces `@FILE` by the words in the file. Where that fails, the word stays, as the native
/// compiler has it.
fn expand_response_files(words: &[OsString], depth: usize) -> Vec<OsString> {
    let mut expanded = Vec::new();
    for word in words {
        let file = word.to_str().and_then(|text| text.strip_prefix('@'));
        let text = file.filter(|_| depth < 10).and_then(|file| std::fs::read_to_string(file).ok());
        match text {
            Some(text) => expanded.extend(expand_response_files(&split(&text), depth + 1)),
            None => expanded.push(word.clone()),
        }
    }
    expanded
}

/// The words of a response file: separated by white space, quoted by `'`, `"` and `\`.
fn split(text: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> CompilerLine {
        CompilerLine::parse(&split(line))
    }

    fn options(line: &str) -> String {
        let words: Vec<String> =
            parse(line).options.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        words.join(" ")
    }

    #[test]
    fn options_that_bitcode_has_too_are_kept() {
        let line = "-c -O2 -g0 -I inc -Iother -DX=1 -include pre.h -MD -MF a.d -MT a.o a.c -o a.o";
        assert_eq!(options(line), "-g0 -I inc -Iother -DX=1 -include pre.h");
        assert_eq!(options("-flto=thin -fPIC -pg -L dir -ldl -Wl,-s -Xlinker -z"), "-fPIC");
        assert_eq!(options("-Wp,-MD,a.d -Wp,-D_FORTIFY_SOURCE=2 -Wp,-DA"), "-Wp,-DA");
        assert_eq!(options("-fsanitize=address,undefined a.c"), "-fsanitize=undefined");
        assert_eq!(options("-fsanitize=thread a.c"), "");
    }

    #[test]
    fn the_stage_decides_what_is_made() {
        use CompilerStage::*;
        for (line, stage) in [
            ("a.c", Linked),
            ("-c a.c", Objects),
            ("-c -E a.c", Other),
            ("-E -c a.c", Other),
            ("-M a.c", Other),
            ("-MD a.c", Linked),
            ("-S a.c", Other),
            ("-print-prog-name=ld", Other),
            ("--version", Other),
            ("-x c-header a.h", Other),
            ("a.h", Other),
        ] {
            assert_eq!(parse(line).stage, stage, "{line}");
        }
    }

    #[test]
    fn sources_have_languages() {
        let line = parse("a.c b.o -x assembler c.c -x none d.S -xc - -- -e.c");
        let got: Vec<(String, bool)> = line
            .sources
            .iter()
            .map(|it| (it.path.to_string_lossy().into_owned(), it.is_assembly))
            .collect();
        let files = [("a.c", false), ("c.c", true), ("d.S", true), ("-", false), ("-e.c", false)];
        assert_eq!(got, files.map(|(name, assembly)| (name.to_string(), assembly)));
        assert_eq!(line.sources[3].language, Some("c".into()));
    }

    #[test]
    fn the_object_has_the_name_that_the_compiler_gives_it() {
        let line = parse("-c dir/a.c");
        assert_eq!(line.object_of(&line.sources[0]), Path::new("a.o"));
        let line = parse("-c dir/a.c -ob.obj");
        assert_eq!(line.object_of(&line.sources[0]), Path::new("b.obj"));
    }

    #[test]
    fn other_processors_are_recognised() {
        for line in ["-m32 a.c", "--target=aarch64-linux-gnu a.c", "-target i686-linux a.c"] {
            assert!(parse(line).is_foreign, "{line}");
        }
        for line in ["a.c", "-m64 a.c", "--target=x86_64-linux-gnu a.c", "-target amd64-x a.c"] {
            assert!(!parse(line).is_foreign, "{line}");
        }
    }

    #[test]
    fn sources_of_configuration_scripts_are_recognised() {
        let is = |line: &str, dir: &str| parse(line).is_configuration_test(Path::new(dir));
        assert!(is("-c conftest.c", "/b"));
        assert!(is("-c /b/CMakeFiles/CMakeScratch/TryCompile-x/src.c", "/b"));
        assert!(!is("-c src.c", "/b"));
    }

    #[test]
    fn response_files_have_quotes() {
        assert_eq!(split(r#"-DA="b c" 'd\'e f\ g "" "#), ["-DA=b c", "d'e f g ", ""]);
        assert_eq!(split(r#"a\ b 'c d' """#), ["a b", "c d", ""]);
    }
}
