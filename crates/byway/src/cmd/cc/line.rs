//! Reads a compiler's command line: what it compiles, and the options that matter for bitcode.
//!
//! The native compiler gets the user's words unchanged. Only the compilation to bitcode needs to
//! know which words are sources, outputs and options.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::options::{
    NOT_FOR_BITCODE, NOT_FOR_BITCODE_PREFIXES, OTHER_STAGE, OUTPUT_WITH_ARGUMENT, WITH_ARGUMENT,
    checks_of_values, for_preprocessor, language_of,
};
use super::response_file;

/// What a command line asks for, as far as bitcode is concerned.
#[derive(Debug, PartialEq, Eq)]
pub struct CompilerLine {
    pub stage: CompilerStage,
    pub sources: Vec<CompilerSource>,
    /// The argument of `-o`.
    pub output: Option<PathBuf>,
    /// The options that also hold for the compilation to bitcode.
    pub options: Vec<OsString>,
    /// The native code is optimised.
    pub optimises: bool,
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

impl CompilerLine {
    /// Reads the words behind the compiler's name.
    pub fn parse(words: &[OsString]) -> CompilerLine {
        let words = response_file::expand(words);
        let mut line = CompilerLine {
            stage: CompilerStage::Linked,
            sources: Vec::new(),
            output: None,
            options: Vec::new(),
            optimises: false,
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
        if text.starts_with("-O") {
            self.optimises = text != "-O0";
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

#[cfg(test)]
mod tests {
    use super::*;
    use response_file::split;

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
    fn the_last_level_of_optimisation_holds() {
        for (line, optimises) in
            [("a.c", false), ("-O a.c", true), ("-O2 -O0", false), ("-O0 -Os", true)]
        {
            assert_eq!(parse(line).optimises, optimises, "{line}");
        }
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
}
