//! Options and help of `byway cc` and `byway c++`.

use std::ffi::OsString;

use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  CC='byway cc' ./configure && make
      A project with a configure script; nothing else changes.
  make CC='byway cc' CXX='byway c++'
      A project with a Makefile.
  cmake -DCMAKE_C_COMPILER=byway-cc -DCMAKE_CXX_COMPILER=byway-c++ .
      CMake wants one word: byway-cc and byway-c++ are links to byway, beside it.
  byway run --sym-args 1 2 4 ./program
      Explore what was built. 'byway extract' writes its bitcode to a file.

The objects are clang's, made with the options given. Each also holds the source's bitcode,
compiled for exploration (-g, not optimised), in the section .byway.bitcode. Linkers,
archives, 'ld -r' and GNU strip keep the section, and it takes no memory when a program runs.
Where a source cannot become bitcode, the build goes on, and 'byway extract' names the source.
Link-time optimisation (-flto) is off. The sources of configuration scripts get no bitcode.

Environment variables:
  BYWAY_BITCODE_FLAGS  further options for the bitcode alone, such as '-DNDEBUG';
                       the word 'none': make no bitcode
  BYWAY_CLANG          the compiler (default: clang-22)

Exit codes: the compiler's; 2 if there is no compiler.";

#[derive(Args, Debug)]
pub struct CcFlags {
    /// Options and files, as clang has them
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}
