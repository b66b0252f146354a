//! The seccomp filter: all system calls but those that no test needs and that could bypass
//! the isolation. A second line of defence: the namespaces hold without it.
//!
//! A rejected call fails with `EPERM` or `ENOSYS`; it does not kill the program.

/// Calls that affect more than the process itself. They fail with `EPERM`, as for any user.
const FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_open_by_handle_at,
    libc::SYS_syslog,
];

/// Calls that use memory outside the limits, or that can replace any other call. They fail
/// with `ENOSYS`, as on an older kernel.
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// `AUDIT_ARCH_X86_64`.
const ARCHITECTURE: u32 = 0xc000_003e;
/// The first system call number of the x32 ABI.
const X32_NUMBERS: u32 = 0x4000_0000;
/// Offsets in the kernel's `struct seccomp_data`.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;

/// The filter as a BPF program.
pub fn filter() -> Vec<libc::sock_filter> {
    let load = |at| statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at);
    let answer = |value| statement(libc::BPF_RET | libc::BPF_K, value);
    let error = |errno: i32| answer(libc::SECCOMP_RET_ERRNO | errno as u32);
    let mut code = vec![
        load(ARCHITECTURE_AT),
        branch(libc::BPF_JEQ, ARCHITECTURE, 1, 0),
        error(libc::ENOSYS),
        load(NUMBER_AT),
        branch(libc::BPF_JGE, X32_NUMBERS, 0, 1),
        error(libc::ENOSYS),
    ];
    for (calls, errno) in [(FORBIDDEN, libc::EPERM), (UNKNOWN, libc::ENOSYS)] {
        for &number in calls {
            code.push(branch(libc::BPF_JEQ, number as u32, 0, 1));
            code.push(error(errno));
        }
    }
    code.push(answer(libc::SECCOMP_RET_ALLOW));
    code
}

fn statement(code: u32, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

fn branch(test: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    let code = (libc::BPF_JMP | test | libc::BPF_K) as u16;
    libc::sock_filter { code, jt, jf, k }
}
