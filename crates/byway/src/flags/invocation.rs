//! What a program is started with.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use byway_engine::Invocation;

use crate::failure::{Failure, Result};

/// What a program is called if nobody says otherwise.
pub fn first_file(program: &[PathBuf]) -> &OsStr {
    program.first().map_or(OsStr::new(""), |path| path.as_os_str())
}

/// What the program is started with.
pub fn invocation(name: &OsStr, args: &[OsString], env: &[OsString]) -> Result<Invocation> {
    let args = [name].into_iter().chain(args.iter().map(OsString::as_os_str));
    let env = env.iter().filter_map(|entry| variable(entry).transpose());
    Ok(Invocation {
        args: args.map(|arg| arg.as_bytes().to_vec()).collect(),
        env: env.collect::<Result<_>>()?,
        options: Vec::new(),
    })
}

/// `NAME=VALUE` as given; `NAME` with the value it has here, nothing if it has none.
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
