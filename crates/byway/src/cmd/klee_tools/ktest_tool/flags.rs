//! Options and help of `byway ktest-tool`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  ktest-tool klee-last/test000003.ktest
      Print a test as KLEE's ktest-tool does:
        ktest file : 'klee-last/test000003.ktest'
        args       : ['get_sign.bc']
        num objects: 1
        object 0: name: 'a'
        object 0: size: 4
        object 0: data: b'\\x00\\x00\\x00\\x80'
        object 0: hex : 0x00000080
        object 0: int : -2147483648
        object 0: uint: 2147483648
        object 0: text: ....
      int and uint are there for objects of 1, 2, 4 and 8 bytes, little-endian.
  ktest-tool --extract A-data klee-last/test000003.ktest
      Write the bytes of an object to klee-last/test000003.ktest.A-data.

'byway show' prints more: the command that runs the test, and how its path ended.

Exit codes:
  0    printed
  2    not a test, no such object, or a bad option";

#[derive(Args, Debug)]
pub struct KtestToolFlags {
    /// Leave out trailing zeros
    #[arg(long)]
    pub trim_zeros: bool,

    /// Print objects of four bytes as numbers, as KLEE's versions before 2.0 do
    #[arg(long)]
    pub write_ints: bool,

    /// Write the bytes of an object to a file, FILE.NAME, and print nothing. May be repeated
    #[arg(long, value_name = "NAME")]
    pub extract: Vec<OsString>,

    /// A test
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
