//! How much the processes of a sandbox use together, as the kernel tells it under
//! `/proc`. For what limits on single processes do not hold, and for who is exempt from
//! them.

use std::fs;

/// What processes use together.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// How many they are.
    pub processes: u32,
    /// Bytes of memory of their own.
    pub memory: u64,
}

/// What all processes below this one use. Looks no further once there are more than so
/// many; one that ends meanwhile counts for nothing.
pub fn below(root: u32, most: u32) -> Usage {
    let mut usage = Usage::default();
    let mut waiting = vec![root];
    while let Some(process) = waiting.pop() {
        for child in children(process) {
            usage.processes += 1;
            usage.memory += memory(child);
            if usage.processes > most {
                return usage;
            }
            waiting.push(child);
        }
    }
    usage
}

fn children(process: u32) -> Vec<u32> {
    // A thread's children are its own; tests rarely fork from another thread.
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    list.map_or(Vec::new(), |list| list.split_whitespace().flat_map(str::parse).collect())
}

/// Resident pages that no file stands behind.
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
    fn counts_children_and_their_memory() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 30 & echo; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let mut byte = [0];
        std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut byte)
            .expect("the shell says that it has started another");
        let usage = below(child.id(), 100);
        let sleeper = children(child.id())[0];
        // SAFETY: kill takes two numbers, and the process is the shell's own.
        unsafe { libc::kill(sleeper as i32, libc::SIGKILL) };
        child.wait().expect("the shell ends");
        assert_eq!(usage.processes, 1);
        assert!((1..100 << 20).contains(&usage.memory), "{usage:?}");
        assert_eq!(below(child.id(), 100), Usage::default());
    }
}
