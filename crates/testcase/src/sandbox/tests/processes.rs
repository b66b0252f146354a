//! The processes of a sandbox share byway's memory: nobody else sees it, and none of them
//! outlives its use.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use super::*;

/// The processes that this thread has started, oldest first.
fn children() -> Vec<libc::pid_t> {
    let list = fs::read_to_string("/proc/thread-self/children").expect("/proc");
    list.split_whitespace().flat_map(str::parse).collect()
}

/// Whether a process uses this one's memory.
fn shares_memory(pid: libc::pid_t) -> bool {
    const MEMORY: libc::c_int = 1;
    let own = std::process::id();
    // SAFETY: the call takes numbers.
    unsafe { libc::syscall(libc::SYS_kcmp, own, pid, MEMORY, 0, 0) == 0 }
}

fn task<'a>(args: &'a [Vec<u8>], files: &'a [File]) -> Task<'a> {
    Task { args, env: &[], stdin: b"", files, kept: &[], limits: limits() }
}

#[test]
fn no_memory_is_copied() {
    let mut sandbox = sandbox("/bin/sleep");
    let args = words(&["sleep", "60"]);
    let mut seen = Vec::new();
    let mut watch = || {
        seen = children();
        assert!(seen.iter().all(|&pid| shares_memory(pid)), "{seen:?}");
        false
    };
    let ran = sandbox.run(&task(&args, &[]), &mut watch, &mut |_| Ok(())).expect("it runs");
    assert_eq!((ran.ending, seen.len()), (Ending::Stopped, 2));
    assert!(!shares_memory(1));
}

#[test]
fn nothing_of_byways_is_seen_through_the_first_process() {
    let script = "for what in mem maps environ auxv syscall; do
                      cat /proc/1/$what >/dev/null 2>&1 && echo $what
                  done
                  readlink /proc/1/fd/* /proc/1/root /proc/1/cwd /proc/1/exe
                  ls /proc/self/fd/ | wc -w; ls /proc | grep -cx '[0-9]*'";
    // Its own standard streams and the listed directory; the first process, the shell, and two
    // in the pipe.
    assert_eq!(said(&shell(script)), "4\n4\n");
    // SAFETY: the call takes numbers. Debuggers may still look at us.
    assert_eq!(unsafe { libc::prctl(libc::PR_GET_DUMPABLE) }, 1);
}

#[test]
fn whoever_watches_may_fail() {
    let mut sandbox = sandbox("/bin/sh");
    let args = words(&["sh", "-c", "while :; do :; done"]);
    let before = children();
    let failed = catch_unwind(AssertUnwindSafe(|| {
        sandbox.run(&task(&args, &[]), &mut || panic!("on purpose"), &mut |_| Ok(()))
    }));
    assert!(failed.is_err());
    assert_eq!(children(), before);
    assert_eq!(said(&run_with(&mut sandbox, &["sh", "-c", "echo on"], limits())), "on\n");
}

#[test]
fn signals_are_taken_as_before() {
    let mask = || {
        // SAFETY: the set lives, and zero is a valid value for it.
        unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &mut set);
            (1..=64).map(|signal| libc::sigismember(&set, signal)).collect::<Vec<_>>()
        }
    };
    let before = mask();
    let script = "sed -nE '/Sig(Blk|Ign|Cgt)/p' /proc/self/status | tr -d '\\n\\t'";
    let none = "0".repeat(16);
    let expected = format!("SigBlk:{none}SigIgn:{none}SigCgt:{none}");
    assert_eq!(said(&shell(script)), expected);
    assert_eq!(mask(), before);
}

#[test]
fn a_holder_that_died_is_told() {
    let mut sandbox = sandbox("/bin/true");
    let holder = children()[0];
    // SAFETY: the process is the sandbox's; it stays a zombie. Zero is a valid value for what
    // is told of it.
    unsafe {
        libc::kill(holder, libc::SIGKILL);
        let (mut about, ended) = (std::mem::zeroed(), libc::WEXITED | libc::WNOWAIT);
        libc::waitid(libc::P_PID, holder.unsigned_abs(), &mut about, ended);
    }
    let args = words(&["true"]);
    let error = sandbox
        .run(&task(&args, &[]), &mut || true, &mut |_| Ok(()))
        .expect_err("its world is gone");
    assert!(error.to_string().starts_with("its name spaces cannot be entered: "), "{error}");
    drop(sandbox);
    assert_eq!(children(), []);
}

#[test]
fn the_step_that_failed_is_told() {
    let twice = ["A", "A"].map(|name| File { name: name.into(), bytes: vec![] });
    let args = words(&["true"]);
    let mut sandbox = sandbox("/bin/true");
    let error = sandbox
        .run(&task(&args, &twice), &mut || true, &mut |_| Ok(()))
        .expect_err("there can be but one");
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert!(error.to_string().starts_with("File(\"/home/user/A\""), "{error}");
    assert_eq!(children().len(), 1);
}

const ALONE: &str = "BYWAY_TEST_RUNS_FOR_EVER";

#[test]
fn nothing_outlives_who_is_killed() {
    if std::env::var_os(ALONE).is_some() {
        run_with(&mut sandbox("/bin/sleep"), &["sleep", "8642"], limits());
        return;
    }
    let mut other = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "sandbox::tests::processes::nothing_outlives_who_is_killed"])
        .env(ALONE, "1")
        .spawn()
        .expect("it starts");
    let wait = |count: usize| {
        let until = Instant::now() + Duration::from_secs(15);
        while processes_that_say("cmdline", "sleep 8642") != count && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        processes_that_say("cmdline", "sleep 8642")
    };
    let began = wait(1);
    other.kill().expect("it is ours");
    other.wait().expect("it ends");
    assert_eq!((began, wait(0)), (1, 0));
    let name = std::env::current_exe().expect("this program").display().to_string();
    let left = format!("{name} --exact sandbox::tests::processes::nothing_outlives_who_is_killed");
    let until = Instant::now() + Duration::from_secs(15);
    while processes_that_say("cmdline", &left) > 0 {
        assert!(Instant::now() < until, "the holder or another process is left");
        thread::sleep(Duration::from_millis(5));
    }
}
