//! The program's output, on the terminal.

use std::io::{self, Write};

use byway_engine::OutputReceiver;

/// Passes on what the program writes, as it writes it.
pub struct TerminalOutput;

impl OutputReceiver for TerminalOutput {
    fn receive(&self, fd: i32, bytes: &[u8]) {
        // A closed stream is not the program's error.
        let _ = match fd {
            1 => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            _ => io::stderr().lock().write_all(bytes),
        };
    }
}
