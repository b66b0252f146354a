//! The kernel, called directly, and processes that share this one's memory.
//!
//! A copy of byway's memory for each process of a task would take the kernel longer than most
//! programs run. So they run in it, as threads would, each on a stack of its own, until
//! they are another program. But they are no threads: `errno`, the allocator and locks belong to
//! those of byway. So they call nothing of the C library, whose every function may write to
//! `errno`, and do not panic.

use std::arch::asm;
use std::io;
use std::ptr;

/// Calls the kernel; the error is the number it gives.
///
/// # Safety
///
/// As the call says.
pub unsafe fn call<const N: usize>(number: libc::c_long, with: [usize; N]) -> Result<usize, i32> {
    let argument = |index: usize| with.get(index).copied().unwrap_or(0);
    let result: isize;
    // SAFETY: the kernel changes no other registers; of memory, what the caller answers for.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") argument(0),
            in("rsi") argument(1),
            in("rdx") argument(2),
            in("r10") argument(3),
            in("r8") argument(4),
            in("r9") argument(5),
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    told(result)
}

fn told(result: isize) -> Result<usize, i32> {
    usize::try_from(result).map_err(|_| result.unsigned_abs() as i32)
}

/// What a new process runs on. What lies below is not to be touched, so that too deep a call
/// ends that process and changes nothing of byway's.
pub struct Stack {
    lowest: *mut libc::c_void,
}

// SAFETY: it owns its memory, of which only the kernel is told.
unsafe impl Send for Stack {}
// SAFETY: as above.
unsafe impl Sync for Stack {}

impl Stack {
    const SIZE: usize = 256 << 10;
    const GUARD: usize = 4 << 10;

    pub fn new() -> io::Result<Stack> {
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the memory is new, and the guard is part of it.
        unsafe {
            let lowest = libc::mmap(ptr::null_mut(), Self::SIZE, rights, kind, -1, 0);
            if lowest == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let stack = Stack { lowest };
            match libc::mprotect(lowest, Self::GUARD, libc::PROT_NONE) {
                0 => Ok(stack),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the memory is ours; whoever started a process on it has seen its end.
        unsafe { libc::munmap(self.lowest, Self::SIZE) };
    }
}

/// What `clone3` is told, as far as it is used here; the kernel's `struct clone_args`.
#[repr(C)]
#[derive(Default)]
struct CloneArguments {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
}

/// Makes a process in this memory that does this, with this number if one is told; its number.
///
/// # Safety
///
/// The stack and what it is given must stay as they are until it has ended or is another
/// program. It may only use [`call`] and what needs neither the C library nor a thread.
pub unsafe fn start<T>(
    flags: libc::c_int,
    number: Option<libc::pid_t>,
    stack: &Stack,
    act: extern "C" fn(&T) -> !,
    with: &T,
) -> Result<libc::pid_t, i32> {
    // One that is not our child has our own signal, and is to be told no other.
    let is_child = flags & libc::CLONE_PARENT == 0;
    let arguments = CloneArguments {
        flags: (flags | libc::CLONE_VM) as u64,
        exit_signal: if is_child { libc::SIGCHLD as u64 } else { 0 },
        stack: stack.lowest as u64,
        stack_size: Stack::SIZE as u64,
        set_tid: number.as_ref().map_or(0, |number| ptr::from_ref(number) as u64),
        set_tid_size: number.iter().len() as u64,
        ..CloneArguments::default()
    };
    let result: isize;
    // SAFETY: the arguments live, and their size is told. This process goes on behind; the new
    // one never comes there, and finds its stack aligned as a call needs it.
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 as isize => result,
            in("rdi") &raw const arguments,
            in("rsi") size_of::<CloneArguments>(),
            in("r12") ptr::from_ref(with),
            in("r13") act,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    told(result).map(|pid| pid as libc::pid_t)
}
