//! `byway extract`: writes the bitcode of a program that `byway cc` built, and reports what of the
//! program is not in it.

mod config;
mod flags;
mod report;

use std::fs;

pub use config::ExtractConfig;
pub use flags::{EXAMPLES, ExtractFlags};

use crate::console;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::load::native::{NativeProgram, Unpacking, bitcode_archive};
use crate::load::{self, FileKind, Install};

/// `byway extract`: writes a program's bitcode.
pub fn extract(config: &ExtractConfig) -> Result<u8> {
    let (path, output) = (&config.program, &config.output);
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    match load::kind_of(path)? {
        FileKind::Native => {
            let program = NativeProgram::read(path, &bytes)?;
            let reader = load::reader(&Install::find(None))?;
            let unpacking = Unpacking { reader: &reader, time_limit: config.load.time_limit };
            for warning in unpacking.merge(&program, output)? {
                console::say(&format!("byway: warning: {warning}"));
            }
            let module = load::load_and_warn(&config.load)?.module;
            console::print(&report::of_program(&program, output, &module))?;
        }
        FileKind::Archive => {
            let Some(archive) = bitcode_archive(path, &bytes)? else {
                return Err(nothing_to_extract(config));
            };
            fs::write(output, archive.bytes)
                .map_err(|error| Failure::io("write", output, &error))?;
            console::print(&report::of_archive(&archive.without, output))?;
        }
        _ => return Err(nothing_to_extract(config)),
    }
    Ok(exit::SUCCESS)
}

fn nothing_to_extract(config: &ExtractConfig) -> Failure {
    let shown = config.program.display();
    Failure::new(format!("'{shown}' is no native file"))
        .hint("'byway run' takes sources and bitcode as they are")
}
