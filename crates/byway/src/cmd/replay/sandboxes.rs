//! The sandboxes that one thread uses.

use std::path::PathBuf;

use byway_native::Executable;
use byway_native::sandbox::{Sandbox, SandboxLayout};

use crate::failure::Result;
use crate::native_run;

/// Sandboxes for one test at a time.
pub struct TestSandboxes {
    /// For the exact comparison, if there is one: standard and varied layout.
    pub exact: Option<(Sandbox, Sandbox)>,
    /// For the program with sanitizers, or the user's executable.
    pub other: Sandbox,
    /// For the program with MemorySanitizer, if there is one.
    pub memory: Option<Sandbox>,
}

/// Creates `count` sets of sandboxes in which the programs may read the `visible` paths.
pub fn create(
    exact: Option<&Executable>,
    other: &Executable,
    memory: Option<&Executable>,
    visible: &[PathBuf],
    sandboxed: bool,
    count: usize,
) -> Result<Vec<TestSandboxes>> {
    let sandboxes = |program: &Executable, layout| {
        native_run::sandboxes(&program.sandbox_spec(visible, layout), sandboxed, count)
    };
    let exact: Vec<Option<(Sandbox, Sandbox)>> = match exact {
        None => (0..count).map(|_| None).collect(),
        Some(program) => {
            let standard = sandboxes(program, SandboxLayout::Standard)?;
            standard.into_iter().zip(sandboxes(program, SandboxLayout::Varied)?).map(Some).collect()
        }
    };
    let others = sandboxes(other, SandboxLayout::Standard)?;
    let memory: Vec<Option<Sandbox>> = match memory {
        None => (0..count).map(|_| None).collect(),
        Some(program) => {
            sandboxes(program, SandboxLayout::Standard)?.into_iter().map(Some).collect()
        }
    };
    let programs = exact.into_iter().zip(others).zip(memory);
    Ok(programs.map(|((exact, other), memory)| TestSandboxes { exact, other, memory }).collect())
}
