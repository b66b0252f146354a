//! What the program starts with: name, arguments, environment, visible files.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use byway_engine::Invocation;
use clap::Args;

use crate::failure::{Failure, Result};

#[derive(Args, Debug)]
pub struct InvocationFlags {
    /// The program's name, its argument 0 (default: its first file)
    #[arg(long, value_name = "NAME", help_heading = "Program")]
    pub argv0: Option<OsString>,

    /// Set an environment variable; NAME alone passes on its current value. May be repeated
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Program")]
    pub env: Vec<OsString>,

    /// Make the files in this directory readable to the program; its writes stay in
    /// memory. May be repeated
    #[arg(long, value_name = "DIR", help_heading = "Program")]
    pub host_files: Vec<PathBuf>,
}

impl InvocationFlags {
    /// The invocation of the program made of these files, with these arguments.
    pub fn resolve(&self, program: &[PathBuf], args: &[OsString]) -> Result<Invocation> {
        let first = program.first().map_or(OsStr::new(""), |path| path.as_os_str());
        let name = self.argv0.as_deref().unwrap_or(first);
        let args = [name].into_iter().chain(args.iter().map(OsString::as_os_str));
        let env = self.env.iter().filter_map(|entry| variable(entry).transpose());
        Ok(Invocation {
            args: args.map(|arg| arg.as_bytes().to_vec()).collect(),
            env: env.collect::<Result<_>>()?,
            options: Vec::new(),
        })
    }
}

/// `NAME=VALUE` as given; `NAME` with the value from Byway's own environment, if set.
fn variable(entry: &OsStr) -> Result<Option<Vec<u8>>> {
    let bytes = entry.as_bytes();
    match bytes.iter().position(|&b| b == b'=') {
        Some(0) => Err(Failure::new(format!("'--env {}' names no variable", entry.display()))
            .hint("write --env NAME=VALUE")),
        Some(_) => Ok(Some(bytes.to_vec())),
        None if bytes.is_empty() => {
            Err(Failure::new("'--env' names no variable").hint("write --env NAME=VALUE"))
        }
        None => {
            Ok(env::var_os(entry).map(|value| [bytes, b"=".as_slice(), value.as_bytes()].concat()))
        }
    }
}
