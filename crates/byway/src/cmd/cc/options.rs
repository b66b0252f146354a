//! Which of clang's options take an argument, stop before objects, or are not for bitcode.

use std::ffi::OsString;

/// Options whose argument is the next word.
pub const WITH_ARGUMENT: &[&str] = &[
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
pub const OUTPUT_WITH_ARGUMENT: &[&str] = &[
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
pub const NOT_FOR_BITCODE: &[&str] = &[
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
pub const NOT_FOR_BITCODE_PREFIXES: &[&str] = &[
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
pub const OTHER_STAGE: &[&str] = &[
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

/// The language of a file by its extension, as `-x` names it; empty for a linker's input.
pub fn language_of(extension: &str) -> &'static str {
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
pub fn checks_of_values(names: &str) -> Option<OsString> {
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
pub fn for_preprocessor(word: OsString, text: &str) -> Option<OsString> {
    let Some(list) = text.strip_prefix("-Wp,") else { return Some(word) };
    let dropped =
        |option: &str| option.starts_with("-M") || option.starts_with("-D_FORTIFY_SOURCE");
    (!list.split(',').any(dropped)).then_some(word)
}
