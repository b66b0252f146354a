//! Options for loading a program, shared by `run`, `exec` and `ir`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_base::quantity;
use clap::Args;

use crate::flags::ColorFlag;
use crate::load::alias::FunctionAlias;

/// Help on the environment variables that loading reads.
pub const VARIABLES: &str = "\
Environment variables:
  BYWAY_CLANG        C compiler (default: clang-22)
  BYWAY_LLVM         bitcode reader (default: byway-llvm next to byway)
  BYWAY_RUNTIME_DIR  C library as bitcode (default: byway-runtime next to byway)
  BYWAY_CACHE        cache of loaded programs (default: ~/.cache/byway)
  NO_COLOR           any non-empty value disables colour";

#[derive(Args, Debug)]
pub struct LoadFlags {
    /// The program: C sources, LLVM bitcode, executables built with 'byway cc', or a mixture
    #[arg(required = true, value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Search this directory for headers
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiling C")]
    pub include: Vec<OsString>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiling C")]
    pub define: Vec<OsString>,

    /// Optimisation level
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", help_heading = "Compiling C",
          value_parser = ["0", "1", "2"])]
    pub optimise: String,

    /// Further options for clang, such as '-std=c99 -Wall'; may be repeated
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, help_heading = "Compiling C")]
    pub cflags: Vec<String>,

    /// Call the function OTHER wherever NAME is called, such as main:test_main to start elsewhere;
    /// may be repeated
    #[arg(long, value_name = "NAME:OTHER", help_heading = "Loading",
          value_parser = FunctionAlias::parse)]
    pub alias: Vec<FunctionAlias>,

    /// Use the C library and headers in this directory
    #[arg(long, value_name = "DIR", help_heading = "Loading")]
    pub runtime: Option<PathBuf>,

    /// Neither read nor write the cache of loaded programs
    #[arg(long, help_heading = "Loading")]
    pub no_cache: bool,

    /// Time limit for compiling or loading
    #[arg(long, value_name = "TIME", default_value = "5m", help_heading = "Loading",
          value_parser = quantity::parse_time)]
    pub load_timeout: Duration,

    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
