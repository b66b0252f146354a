//! Resources that the processes of a sandbox use together, as `/proc` reports them. Limits of
//! the kernel apply to single processes, and some processes are exempt from them.

use std::fs;

/// Resources used by a group of processes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// The number of processes.
    pub processes: u32,
    /// Their private memory in bytes.
    pub memory: u64,
}

/// The usage of all descendants of a process. Stops counting above `limit` processes; a
/// process that ends meanwhile does not count.
pub fn of_descendants(root: u32, limit: u32) -> Usage {
    let mut usage = Usage::default();
    let mut waiting = vec![root];
    while let Some(process) = waiting.pop() {
        for child in children(process) {
            usage.processes += 1;
            usage.memory += memory(child);
            if usage.processes > limit {
                return usage;
            }
            waiting.push(child);
        }
    }
    usage
}

fn children(process: u32) -> Vec<u32> {
    // Children of the main thread only; tests rarely fork from another one.
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    list.map_or(Vec::new(), |list| list.split_whitespace().flat_map(str::parse).collect())
}

/// Resident memory that is not backed by a file.
fn memory(process: u32) -> u64 {
    let Ok(line) = fs::read_to_string(format!("/proc/{process}/statm")) else { return 0 };
    let mut numbers = line.split_whitespace().flat_map(str::parse::<u64>).skip(1);
    let (resident, shared) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    resident.saturating_sub(shared) * PAGE
}

/// The size of a page on x86-64.
const PAGE: u64 = 4096;

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn counts_descendants_and_their_memory() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 30 & echo; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let mut byte = [0];
        std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut byte)
            .expect("the shell reports that it started a child");
        let usage = of_descendants(child.id(), 100);
        let sleeper = children(child.id())[0];
        // SAFETY: kill takes two numbers, and the process is the shell's child.
        unsafe { libc::kill(sleeper as i32, libc::SIGKILL) };
        child.wait().expect("the shell ends");
        assert_eq!(usage.processes, 1);
        assert!((1..100 << 20).contains(&usage.memory), "{usage:?}");
        assert_eq!(of_descendants(child.id(), 100), Usage::default());
    }
}
