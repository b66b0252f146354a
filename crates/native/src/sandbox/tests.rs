//! The isolation, tested from inside.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::snapshot;
use tempfile::TempDir;

/// A sandbox for an executable of the machine.
fn sandbox(program: &str) -> Sandbox {
    let program = fs::canonicalize(program).expect("the program is there");
    Sandbox::new(SandboxSpec {
        program,
        needs_libraries: true,
        visible: vec![],
        layout: SandboxLayout::Standard,
    })
    .expect("namespaces")
}

fn words(words: &[&str]) -> Vec<Vec<u8>> {
    words.iter().map(|word| word.as_bytes().to_vec()).collect()
}

fn limits() -> SandboxLimits {
    SandboxLimits { time: Duration::from_secs(20), ..SandboxLimits::default() }
}

fn run_with(sandbox: &mut Sandbox, args: &[&str], limits: SandboxLimits) -> SandboxRun {
    let (args, env) = (words(args), words(&["PATH=/usr/bin:/bin"]));
    let task = SandboxTask {
        args: &args,
        env: &env,
        stdin: b"",
        files: &[],
        control_files: &[],
        shared: None,
        limits,
    };
    sandbox.run(&task, &mut || true, &mut |_| Ok(())).expect("it runs")
}

fn shell(script: &str) -> SandboxRun {
    run_with(&mut sandbox("/bin/sh"), &["sh", "-c", script], limits())
}

fn stdout_of(ran: &SandboxRun) -> String {
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// A C program, compiled.
struct Compiled {
    dir: TempDir,
}

impl Compiled {
    fn new(source: &str) -> Self {
        let dir = TempDir::new().expect("a directory");
        fs::write(dir.path().join("a.c"), source).expect("a source");
        let mut compiler = Command::new("cc");
        compiler.args(["-w", "-o", "program", "a.c"]).current_dir(dir.path());
        let status = compiler.status().expect("cc starts");
        assert!(status.success());
        Compiled { dir }
    }

    fn run(&self, args: &[&str], limits: SandboxLimits) -> SandboxRun {
        let program = self.dir.path().join("program");
        let mut sandbox = sandbox(program.to_str().expect("a plain path"));
        run_with(&mut sandbox, &[&["program"], args].concat(), limits)
    }
}

#[test]
fn a_program_gets_its_arguments_environment_input_and_files() {
    let mut sandbox = sandbox("/bin/sh");
    let args = words(&["name", "-c", "echo $0 $1 $X; cat; cat A; ls; exit 7", "name", "one"]);
    let env = words(&["PATH=/usr/bin:/bin", "X=y"]);
    let files = [InputFile { name: "A".into(), bytes: b"a file\n".to_vec() }];
    let task = SandboxTask {
        args: &args,
        env: &env,
        stdin: b"input\n",
        files: &files,
        control_files: &[],
        shared: None,
        limits: limits(),
    };
    for _ in 0..2 {
        let ran = sandbox.run(&task, &mut || true, &mut |_| Ok(())).expect("it runs");
        assert_eq!(stdout_of(&ran), "name one y\ninput\na file\nA\n");
        assert_eq!(ran.ending, SandboxEnding::Exited(7));
    }
}

#[test]
fn large_input_and_output_are_transferred() {
    let mut sandbox = sandbox("/bin/cat");
    let input: Vec<u8> = (0..1 << 20).map(|n: u32| n as u8).collect();
    let args = words(&["cat"]);
    let task = SandboxTask {
        args: &args,
        env: &[],
        stdin: &input,
        files: &[],
        control_files: &[],
        shared: None,
        limits: SandboxLimits { output: 700_000, ..limits() },
    };
    let ran = sandbox.run(&task, &mut || true, &mut |_| Ok(())).expect("it runs");
    assert_eq!(ran.ending, SandboxEnding::Exited(0));
    assert_eq!(ran.stdout, input[..700_000]);
}

#[test]
fn the_file_system_is_that_of_the_model() {
    let ran = shell(
        "touch .. && pwd; id -u; id -g; id -un; echo $$ $PPID; uname -n; ls / | tr '\\n' ' '",
    );
    let text = stdout_of(&ran);
    let mut lines = text.lines();
    for expected in ["/home/user", "1000", "1000", "user", "1000 1", "byway"] {
        assert_eq!(lines.next(), Some(expected), "{text}");
    }
    let root: Vec<&str> = lines.next().expect("the root").split(' ').collect();
    for name in ["dev", "etc", "home", "tmp"] {
        assert!(root.contains(&name), "{text}");
    }
    assert!(!root.contains(&"root") && !root.contains(&"var"), "{text}");
}

#[test]
fn visible_paths_are_readable_and_not_writable() {
    let host = TempDir::with_prefix("byway-test-").expect("a directory");
    fs::write(host.path().join("seen"), "seen\n").expect("a file");
    let program = PathBuf::from("/bin/sh");
    let visible = vec![host.path().to_path_buf()];
    let mut sandbox = Sandbox::new(SandboxSpec {
        program,
        needs_libraries: true,
        visible,
        layout: SandboxLayout::Standard,
    })
    .expect("namespaces");
    let place = host.path().display();
    let script = format!("cd {place}; cat seen; echo x > seen; rm seen; echo x > new; ls; ls /tmp");
    let ran = run_with(&mut sandbox, &["sh", "-c", &script], limits());
    let own = host.path().file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(stdout_of(&ran), format!("seen\nseen\n{own}\n"), "{ran:?}");
    assert_eq!(fs::read_to_string(host.path().join("seen")).expect("still there"), "seen\n");
}

#[test]
fn the_control_directory_can_be_collected() {
    let mut sandbox = sandbox("/bin/sh");
    let kept = sandbox.control_dir();
    let script = format!("cat {0}/given; echo left > {0}/taken; kill -9 $$", kept.display());
    let args = words(&["sh", "-c", &script]);
    let env = words(&["PATH=/usr/bin:/bin"]);
    let given = [InputFile { name: "given".into(), bytes: b"given\n".to_vec() }];
    let task = SandboxTask {
        args: &args,
        env: &env,
        stdin: b"",
        files: &[],
        control_files: &given,
        shared: None,
        limits: limits(),
    };
    let mut taken = Vec::new();
    let mut collect = |left: LeftDirs| -> io::Result<()> {
        taken = left.control.read("taken".as_ref(), 100)?;
        Ok(())
    };
    let ran = sandbox.run(&task, &mut || true, &mut collect).expect("it runs");
    assert_eq!(
        (stdout_of(&ran).as_str(), ran.ending),
        ("given\n", SandboxEnding::Killed(libc::SIGKILL))
    );
    assert_eq!(taken, b"left\n");
}

#[test]
fn a_link_in_place_of_a_directory_is_not_followed() {
    let host = TempDir::with_prefix("byway-test-").expect("a directory");
    fs::write(host.path().join("secret"), "of this machine").expect("a file");
    let mut sandbox = sandbox("/bin/sh");
    let env = words(&["PATH=/usr/bin:/bin"]);
    let place = host.path().display();
    let mut looked = |script: &str| {
        let args = words(&["sh", "-c", script]);
        let task = SandboxTask {
            args: &args,
            env: &env,
            stdin: b"",
            files: &[],
            control_files: &[],
            shared: None,
            limits: limits(),
        };
        let mut seen = None;
        let mut collect = |left: LeftDirs| {
            seen = Some(snapshot::take(left.work));
            Ok(())
        };
        let ran = sandbox.run(&task, &mut || true, &mut collect).expect("it runs");
        assert_eq!(
            ran.ending,
            SandboxEnding::Exited(0),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        seen.expect("it was collected")
    };
    let empty = looked("true");
    assert_eq!(looked("cd /; mv /home/user /home/old; mkdir /home/user"), empty);
    let replaced = looked(&format!("cd /; mv /home/user /home/old; ln -s {place} /home/user"));
    assert_eq!(replaced, snapshot::take(None));
    assert_ne!(replaced, empty);
    // A link inside is not followed either; only its target path is recorded.
    let inside = looked(&format!("mkdir d; ln -s {place} d/l; ln -s {place}/secret s"));
    assert!(!String::from_utf8_lossy(&inside).contains("of this machine"));
}

#[test]
fn files_outside_are_neither_written_nor_removed() {
    let host = TempDir::with_prefix("byway-test-").expect("a directory");
    fs::set_permissions(host.path(), fs::Permissions::from_mode(0o777)).expect("it is ours");
    let victim = host.path().join("victim");
    fs::write(&victim, "whole").expect("a file");
    let attempts = Compiled::new(
        r#"#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int file = open(argv[i], O_WRONLY | O_TRUNC | O_CREAT, 0644);
        printf("%d%d%d%d ", file >= 0, unlink(argv[i]) == 0, rename(argv[i], "mine") == 0,
            chmod(argv[i], 0) == 0);
    }
    puts(creat("own", 0644) >= 0 && unlink("own") == 0 ? "own" : "none");
}
"#,
    );
    let home = std::env::home_dir().unwrap_or("/root".into());
    let beside = home.join(".byway-must-not-be-there").display().to_string();
    let victim_name = victim.display().to_string();
    let paths = [victim_name.as_str(), &beside, "/usr/new", "/etc/passwd", "/new", "/proc/new"];
    let ran = attempts.run(&paths, limits());
    assert_eq!(stdout_of(&ran), format!("{}own\n", "0000 ".repeat(paths.len())));
    assert_eq!(fs::read_to_string(&victim).expect("still there"), "whole");
    assert!(!Path::new(&beside).exists());
}

#[test]
fn removing_everything_harms_only_the_sandbox() {
    let host = TempDir::with_prefix("byway-test-").expect("a directory");
    fs::write(host.path().join("victim"), "whole").expect("a file");
    let place = host.path().display();
    let ran = shell(&format!("rm -rf --no-preserve-root {place} /home /tmp /etc / 2>/dev/null; :"));
    assert!(matches!(ran.ending, SandboxEnding::Exited(_)), "{ran:?}");
    assert!(host.path().join("victim").exists() && Path::new("/etc/passwd").exists());
}

#[test]
fn there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a listener");
    let port = listener.local_addr().expect("an address").port().to_string();
    let connect = Compiled::new(
        r#"#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int argc, char **argv) {
    struct sockaddr_in to = { AF_INET, htons(atoi(argv[1])), { htonl(INADDR_LOOPBACK) } };
    int stream = socket(AF_INET, SOCK_STREAM, 0), packets = socket(AF_INET, SOCK_DGRAM, 0);
    printf("%d %d\n", connect(stream, (void *)&to, sizeof to),
        (int)sendto(packets, "x", 1, 0, (void *)&to, sizeof to));
}
"#,
    );
    let ran = connect.run(&[&port], limits());
    assert_eq!(stdout_of(&ran), "-1 -1\n");
    let accepted = listener.accept().map(|_| ()).map_err(|error| error.kind());
    assert_eq!(accepted, Err(io::ErrorKind::WouldBlock));
}

/// The number of processes whose file under /proc has this text.
fn processes_with(file: &str, words: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let texts = entries.flat_map(|entry| fs::read_to_string(entry.path().join(file)));
    texts.filter(|text| text.replace('\0', " ").trim() == words).count()
}

/// The highest number of processes with this name while `action` runs.
fn most_processes<T>(name: &str, action: impl FnOnce() -> T) -> (usize, T) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let sampler = scope.spawn(|| {
            let mut most = 0;
            while !is_done.load(Ordering::Relaxed) {
                most = most.max(processes_with("comm", name));
                thread::sleep(Duration::from_millis(1));
            }
            most
        });
        let result = action();
        is_done.store(true, Ordering::Relaxed);
        (sampler.join().expect("the sampler ends"), result)
    })
}

#[test]
fn a_fork_bomb_stays_small_and_is_killed() {
    let bomb = Compiled::new(
        "#include <sys/prctl.h>\n#include <unistd.h>\n\
         int main(void) { prctl(PR_SET_NAME, \"byway-bomb\"); for (;;) if (fork() == 0) setsid(); }",
    );
    let program = bomb.dir.path().join("program");
    let mut sandbox = sandbox(program.to_str().expect("a plain path"));
    let args = words(&["program"]);
    let task = SandboxTask {
        args: &args,
        env: &[],
        stdin: b"",
        files: &[],
        control_files: &[],
        shared: None,
        limits: SandboxLimits { processes: 20, ..limits() },
    };
    let start = Instant::now();
    let is_limited_by_kernel = process_ids::limit(20).is_some();
    let mut watch = || {
        if is_limited_by_kernel {
            // As on a busy machine, where the supervisor does not run for a while.
            thread::sleep(Duration::from_millis(500));
        }
        true
    };
    let (most, ran) =
        most_processes("byway-bomb", || sandbox.run(&task, &mut watch, &mut |_| Ok(())));
    let ending = ran.expect("it runs").ending;
    assert_eq!(ending, SandboxEnding::UsedTooMuch(Resource::Processes));
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(processes_with("comm", "byway-bomb"), 0);
    assert!(!is_limited_by_kernel || (21..=330).contains(&most), "{most} processes");
}

#[test]
fn the_limit_on_process_ids_counts_living_processes_only() {
    let script = "i=0; while [ $i -lt 500 ]; do (:) || exit 1; i=$((i+1)); done; echo $i";
    let few = SandboxLimits { processes: 5, ..limits() };
    let ran = run_with(&mut sandbox("/bin/sh"), &["sh", "-c", script], few);
    assert_eq!((stdout_of(&ran).as_str(), ran.ending), ("500\n", SandboxEnding::Exited(0)));
}

#[test]
fn background_processes_are_killed() {
    let ran = shell(
        "(trap '' TERM HUP INT; exec setsid sh -c 'trap \"\" TERM; exec sleep 7654') >/dev/null 2>&1 &
         sleep 0.2; grep -lx sleep /proc/[0-9]*/comm | wc -l",
    );
    assert_eq!((stdout_of(&ran).as_str(), ran.ending), ("1\n", SandboxEnding::Exited(0)));
    assert_eq!(processes_with("cmdline", "sleep 7654"), 0);
}

#[test]
fn the_disk_cannot_be_filled() {
    let small = SandboxLimits { disk: 4 << 20, file: 3 << 20, ..limits() };
    let script = "dd if=/dev/zero of=a bs=64k count=32 2>/dev/null; echo $?
                  for i in 1 2 3 4; do cp a copy$i 2>/dev/null; done; echo $?
                  i=0; while [ $i -lt 20000 ]; do true > /tmp/$i || break; i=$((i+1)); done; echo $i";
    let ran = run_with(&mut sandbox("/bin/sh"), &["sh", "-c", script], small);
    let text = stdout_of(&ran);
    let numbers: Vec<u32> = text.split_whitespace().flat_map(str::parse).collect();
    assert!(matches!(numbers[..], [0, 1, made] if made < 20_000), "{ran:?}");
    let ran = run_with(
        &mut sandbox("/bin/dd"),
        &["dd", "if=/dev/zero", "of=large", "bs=64k", "count=64"],
        small,
    );
    assert_eq!(ran.ending, SandboxEnding::Killed(libc::SIGXFSZ), "{ran:?}");
}

#[test]
fn memory_is_limited() {
    let hungry = Compiled::new(
        "#include <stdlib.h>\n#include <string.h>\n\
         int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 3;
         memset(p, 1, 1 << 20); } }",
    );
    let small = SandboxLimits { memory: 64 << 20, ..limits() };
    let ran = hungry.run(&[], small);
    assert_eq!(ran.ending, SandboxEnding::UsedTooMuch(Resource::Memory));
    let ran =
        hungry.run(&[], SandboxLimits { addresses: Some(64 << 20), stack: 8 << 20, ..limits() });
    assert_eq!(ran.ending, SandboxEnding::Exited(3));
}

#[test]
fn the_time_limit_holds_if_signals_are_ignored() {
    let start = Instant::now();
    let short = SandboxLimits { time: Duration::from_millis(300), ..limits() };
    let script = "trap '' TERM INT HUP QUIT ALRM XCPU; while :; do :; done";
    let ran = run_with(&mut sandbox("/bin/sh"), &["sh", "-c", script], short);
    assert_eq!(ran.ending, SandboxEnding::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn endless_output_does_not_delay_a_stop() {
    let mut asked = 0;
    let args = words(&["yes"]);
    let task = SandboxTask {
        args: &args,
        env: &[],
        stdin: b"",
        files: &[],
        control_files: &[],
        shared: None,
        limits: limits(),
    };
    let mut watch = || {
        asked += 1;
        // On a busy machine, it takes a while to write a megabyte.
        asked < 100
    };
    let ran = sandbox("/usr/bin/yes").run(&task, &mut watch, &mut |_| Ok(())).expect("it runs");
    assert_eq!(ran.ending, SandboxEnding::Stopped);
    assert_eq!(ran.stdout.len(), limits().output);
}

#[test]
fn signals_do_not_reach_other_processes() {
    let mut other = Command::new("sleep").arg("60").spawn().expect("sleep starts");
    let ran = shell(&format!("kill -9 {} 2>/dev/null; echo $?; kill -9 -1; echo gone", other.id()));
    assert_eq!(stdout_of(&ran), "1\ngone\n", "{ran:?}");
    assert!(other.try_wait().expect("a status").is_none(), "it was killed");
    other.kill().expect("it is ours");
    other.wait().expect("it ends");
    for signal in [libc::SIGABRT, libc::SIGTERM, libc::SIGSEGV, libc::SIGKILL] {
        assert_eq!(shell(&format!("kill -{signal} $$")).ending, SandboxEnding::Killed(signal));
    }
}

#[test]
fn the_first_process_cannot_be_killed() {
    extern "C" fn ignore(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = ignore;
    // SAFETY: the handler does nothing; no other test uses the signal.
    let old = unsafe { libc::signal(libc::SIGUSR2, handler as libc::sighandler_t) };
    let ran =
        shell("for s in USR2 TERM INT HUP KILL STOP; do kill -$s 1; kill -$s 1; done; echo on");
    // SAFETY: as above.
    unsafe { libc::signal(libc::SIGUSR2, old) };
    assert_eq!((stdout_of(&ran).as_str(), ran.ending), ("on\n", SandboxEnding::Exited(0)));
}

#[test]
fn no_privileges_can_be_gained() {
    let script = "grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status | tr '\\n\\t' '  '
                  mount -t tmpfs none /tmp 2>/dev/null; echo $?; unshare -U true 2>/dev/null; echo $?";
    let text = stdout_of(&shell(script));
    assert!(text.starts_with("CapEff: 0000000000000000 NoNewPrivs: 1 Seccomp: 2 "), "{text}");
    let codes: Vec<i32> =
        text.split(' ').next_back().unwrap_or("").lines().flat_map(str::parse).collect();
    assert!(codes.len() == 2 && codes.iter().all(|&code| code != 0), "{text}");
}

#[test]
fn concurrent_sandboxes_are_independent() {
    thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || {
                let mut sandbox = sandbox("/bin/sh");
                for round in 0..10 {
                    let script = format!("cat; echo {number} > me; ls; cat me; exit {round}");
                    let ran = run_with(&mut sandbox, &["sh", "-c", &script], limits());
                    assert_eq!(stdout_of(&ran), format!("me\n{number}\n"));
                    assert_eq!(ran.ending, SandboxEnding::Exited(round));
                }
            });
        }
    });
}

#[test]
fn the_varied_layout_has_the_same_files_with_other_inodes_and_another_root() {
    let listed = |layout: SandboxLayout, command: &str| {
        let program = PathBuf::from("/bin/sh");
        let spec = SandboxSpec { program, needs_libraries: true, visible: vec![], layout };
        let mut sandbox = Sandbox::new(spec).expect("namespaces");
        let (args, env) = (words(&["sh", "-c", command]), words(&["PATH=/usr/bin:/bin"]));
        let files = ["A", "B"].map(|name| InputFile { name: name.into(), bytes: name.into() });
        let task = SandboxTask {
            args: &args,
            env: &env,
            stdin: b"x",
            files: &files,
            control_files: &[],
            shared: None,
            limits: limits(),
        };
        stdout_of(&sandbox.run(&task, &mut || true, &mut |_| Ok(())).expect("it runs"))
    };
    let same = |command: &str| {
        let usual = listed(SandboxLayout::Standard, command);
        assert!(!usual.is_empty(), "{command}");
        usual == listed(SandboxLayout::Varied, command)
    };
    assert!(same("pwd; ls -a; cat A B /dev/stdin; ls -a /home /tmp"));
    assert!(!same("ls -i"));
    assert!(!same("ls -U"));
    assert!(!same("ls /"));
    assert!(!same("ls -a /"));
}

#[test]
fn a_file_that_is_no_program_is_reported() {
    let dir = TempDir::new().expect("a directory");
    let program = dir.path().join("program");
    fs::write(&program, "no program").expect("a file");
    let spec = SandboxSpec {
        program,
        needs_libraries: true,
        visible: vec![],
        layout: SandboxLayout::Standard,
    };
    for mut sandbox in [
        Sandbox::new(spec.clone()).expect("namespaces"),
        Sandbox::unconfined(spec).expect("a directory"),
    ] {
        let args = words(&["program"]);
        let task = SandboxTask {
            args: &args,
            env: &[],
            stdin: b"",
            files: &[],
            control_files: &[],
            shared: None,
            limits: limits(),
        };
        let error = sandbox.run(&task, &mut || true, &mut |_| Ok(())).expect_err("it cannot run");
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}");
    }
}

#[test]
fn an_unconfined_sandbox_behaves_the_same() {
    let program = PathBuf::from("/bin/sh");
    let spec = SandboxSpec {
        program,
        needs_libraries: true,
        visible: vec![],
        layout: SandboxLayout::Standard,
    };
    let mut sandbox = Sandbox::unconfined(spec).expect("a directory");
    assert_eq!(sandbox.containment(), Containment::None);
    let script = format!("cat; cat A; cat {}/given; exit 3", sandbox.control_dir().display());
    let args = words(&["sh", "-c", &script]);
    let env = words(&["PATH=/usr/bin:/bin"]);
    let file =
        |name: &str| InputFile { name: name.into(), bytes: format!("{name}\n").into_bytes() };
    let (files, kept) = ([file("A")], [file("given")]);
    let task = SandboxTask {
        args: &args,
        env: &env,
        stdin: b"in\n",
        files: &files,
        control_files: &kept,
        shared: None,
        limits: limits(),
    };
    for _ in 0..2 {
        let mut seen = false;
        let mut collect = |left: LeftDirs| {
            seen = left.control.read("given".as_ref(), 9).is_ok() && left.work.is_some();
            Ok(())
        };
        let ran = sandbox.run(&task, &mut || true, &mut collect).expect("it runs");
        assert_eq!(
            (stdout_of(&ran).as_str(), ran.ending),
            ("in\nA\ngiven\n", SandboxEnding::Exited(3))
        );
        assert!(seen);
    }
}
