//! Programs that try to escape or to exhaust resources. Each runs under `exec` and under `run`,
//! ends with an outcome that names the reason, and leaves the machine unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use crate::setup::{Run, TestDir, run};

/// What `byway` itself may take, which is the bound that tests of endless greed show:
/// beyond it, it dies.
const BYWAY_MAY_TAKE: u64 = 2 << 30;

/// Runs `byway` where memory is short.
fn confined(lab: &TestDir, words: &[&str]) -> Run {
    let mut command = lab.command(words);
    let limit = libc::rlimit { rlim_cur: BYWAY_MAY_TAKE, rlim_max: BYWAY_MAY_TAKE };
    // SAFETY: setrlimit may be called between fork and exec, with a structure of ours.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_AS, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    run(&mut command, "")
}

/// A program that chooses what to do by its first argument.
fn choices(lab: &TestDir, name: &str, head: &str, body: &str) {
    let main = "int main(int argc, char **argv) { (void)argc; switch (argv[1][0]) {";
    lab.file(name, format!("#define _GNU_SOURCE\n{head}\n{main}\n{body}\n}} return 0; }}\n"));
}

/// Both commands end the program's path and name the unsupported feature.
fn ends_by_name(lab: &TestDir, program: &str, argument: &str, name: &str) {
    lab.byway(&["exec", program, "--", argument]).code(3).says(&format!("unsupported: {name}"));
    let out = format!("out-{argument}");
    lab.byway(&["run", "--output-dir", &out, program, "--", argument])
        .code(3)
        .says(&format!("1 path ended at an unsupported feature: {name}"));
}

/// Both commands end the program with this code, and count the call that cannot be made.
fn fails_by_name(lab: &TestDir, program: &str, argument: &str, code: i32, name: &str) {
    lab.byway(&["exec", program, "--", argument])
        .code(code)
        .says(&format!("not modelled faithfully: {name} (once)"));
    let out = format!("out-{argument}");
    lab.byway(&["run", "--output-dir", &out, program, "--", argument])
        .code(0)
        .says(&format!("not modelled faithfully, once: {name}\n"));
    let out = format!("ended-{argument}");
    lab.byway(&["run", "--end-unmodelled", "--output-dir", &out, program, "--", argument])
        .code(3)
        .says(&format!("1 path ended at an unsupported feature: {name}"));
}

#[test]
fn no_process_and_no_thread_is_started() {
    let lab = TestDir::new();
    let head = "#include <errno.h>\n#include <pthread.h>\n#include <sched.h>\n#include <signal.h>\n\
                #include <spawn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/ptrace.h>\n\
                #include <sys/wait.h>\n#include <threads.h>\n#include <unistd.h>\n\
                static int work(void *p) { return !p; }\n\
                static void *run(void *p) { return p; }\n\
                static char stack[8192];\n";
    let body = r#"
case 'f': return fork() == -1 && wait(0) == -1 && errno == ECHILD ? 7 : 1;
case 'v': return vfork() == -1 ? errno : 1;
case 'c': return clone(work, stack + sizeof stack, SIGCHLD, 0) == -1 ? errno : 1;
case 'C': clone(work, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0); break;
case 's': return system("touch /tmp/byway-was-here") == -1 ? errno : 1;
case 'p': return popen("touch /tmp/byway-was-here", "w") ? 1 : errno;
case 'S': {
    pid_t child;
    char *words[] = { "touch", "/tmp/byway-was-here", 0 };
    return posix_spawn(&child, "/bin/touch", 0, 0, words, environ);
}
case 't': { pthread_t thread; pthread_create(&thread, 0, run, 0); break; }
case 'T': { thrd_t thread; thrd_create(&thread, work, 0); break; }
case 'd': return daemon(0, 0) == -1 ? errno : 1;
case 'P': return ptrace(PTRACE_ATTACH, 1, 0, 0) == -1 ? errno : 99;
case 'w': pause(); break;"#;
    choices(&lab, "others.c", head, body);
    let expected = [
        ("f", 7, "system call fork"),
        ("v", libc::EAGAIN, "system call fork"),
        ("c", libc::EAGAIN, "another process (clone)"),
        ("s", libc::EAGAIN, "another process (clone)"),
        ("p", libc::EAGAIN, "another process (clone)"),
        ("S", libc::EAGAIN, "another process (clone)"),
        ("d", libc::EAGAIN, "system call fork"),
        ("P", libc::EPERM, "system call ptrace"),
    ];
    for (argument, code, name) in expected {
        fails_by_name(&lab, "others.c", argument, code, name);
    }
    let expected = [
        ("C", "a second thread (clone)"),
        ("t", "a second thread (pthread_create)"),
        ("T", "a second thread (pthread_create)"),
        ("w", "system call pause"),
    ];
    for (argument, name) in expected {
        ends_by_name(&lab, "others.c", argument, name);
    }
    assert!(!Path::new("/tmp/byway-was-here").exists());
}

#[test]
fn no_socket_is_opened() {
    let lab = TestDir::new();
    let head =
        "#include <errno.h>\n#include <sys/socket.h>\n#include <netdb.h>\n#include <syslog.h>\n";
    let body = r#"
case 's': return socket(AF_INET, SOCK_STREAM, 0) == -1 ? errno : 1;
case 'u': return socket(AF_UNIX, SOCK_DGRAM, 0) == -1 ? errno : 1;
case 'p': { int ends[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == -1 ? errno : 1; }
case 'n': { struct addrinfo *list; return getaddrinfo("example.org", "80", 0, &list) ? 5 : 1; }
case 'l': syslog(LOG_ERR, "byway was here"); return 6;"#;
    choices(&lab, "sockets.c", head, body);
    let expected = [("s", libc::EAFNOSUPPORT), ("u", libc::EAFNOSUPPORT), ("n", 5), ("l", 6)];
    for (argument, code) in expected {
        fails_by_name(&lab, "sockets.c", argument, code, "system call socket");
    }
    fails_by_name(&lab, "sockets.c", "p", libc::EAFNOSUPPORT, "system call socketpair");
}

/// Whoever the program is, its signals go to itself, and where there is nothing, there
/// is an error.
#[test]
fn no_other_process_is_visible() {
    let lab = TestDir::new();
    let code = r#"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#define FAILS(call, error) do { errno = 0; if ((call) != -1 || errno != (error)) exit(__LINE__); } while (0)
int main(int argc, char **argv) {
    FAILS(kill(1, SIGKILL), ESRCH);
    FAILS(kill(getppid(), SIGKILL), ESRCH);
    FAILS(kill(atoi(argv[1]), SIGKILL), ESRCH);
    FAILS(killpg(1, SIGKILL), ESRCH);
    FAILS(connect(5, 0, 0), EBADF);
    FAILS(connect(0, 0, 0), ENOTSOCK);
    FAILS(send(1, "x", 1, 0), ENOTSOCK);
    FAILS(open("/dev/sda", O_RDONLY), ENOENT);
    FAILS(open("/dev/mem", O_RDWR), ENOENT);
    FAILS(open("/dev/kmsg", O_WRONLY), ENOENT);
    FAILS(open("/dev/tty", O_RDWR), ENXIO);
    FAILS(open("/proc/self/mem", O_RDWR), ENOENT);
    FAILS(open("/proc/self/fd/1", O_WRONLY), ENOENT);
    FAILS(open("/etc/shadow", O_RDONLY), ENOENT);
    FAILS(shm_open("/byway-was-here", O_CREAT | O_RDWR, 0600), ENOENT);
    FAILS(mknod("disk", S_IFBLK | 0600, makedev(8, 0)), EPERM);
    FAILS(setuid(0), EPERM);
    FAILS(chroot("/"), EPERM);
    return argc == 3 ? 0 : 99;
}
"#;
    lab.file("alone.c", code);
    let own = std::process::id().to_string();
    lab.byway(&["exec", "alone.c", "--", &own, "x"]).code(0).quiet();
    lab.byway(&["run", "--output-dir", "out", "alone.c", "--", &own, "x"]).code(0);
    assert_eq!(endings(&lab, "out"), ["exit 0"]);
    assert!(!Path::new("/dev/shm/byway-was-here").exists());
}

/// Everything that can be done to the files in a directory whose path is the argument.
const VANDAL: &str = r#"
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
static char base[4096];
static const char *at(const char *name) {
    static char paths[4][5000];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", base, name);
    return path;
}
static int put(const char *path, int flags) {
    int fd = open(path, O_WRONLY | flags, 0666);
    if (fd < 0) return 0;
    int done = write(fd, "vandal", 6) == 6;
    close(fd);
    return done;
}
int main(int argc, char **argv) {
    int done = 0;
    strcpy(base, argv[1]);
    done += put(at("file"), O_TRUNC);
    done += put(at("new"), O_CREAT);
    done += put(at("link"), O_APPEND);
    done += put(at("sub/../sub/inner"), 0);
    done += put(at("../beside"), O_CREAT);
    done += put(at("out"), O_CREAT);
    done += put("/tmp/byway-was-here", O_CREAT);
    done += put("/dev/shm/byway-was-here", O_CREAT);
    done += put("../../../../../../../../etc/byway-was-here", O_CREAT);
    done += !rename(at("victim"), at("moved"));
    done += !link(at("sub/inner"), at("hard"));
    done += !symlink("/", at("root"));
    done += put(at("root/tmp/byway-was-here-too"), O_CREAT);
    done += !unlink(at("sub/inner"));
    done += !rmdir(at("sub"));
    done += !mkdir(at("made"), 0777);
    done += !chmod(at("file"), 0777);
    done += !truncate(at("moved"), 0);
    done += !utimensat(AT_FDCWD, at("file"), 0, 0);
    done += !setxattr(at("file"), "user.byway", "x", 1, 0);
    int directory = open(argv[1], O_RDONLY | O_DIRECTORY);
    if (directory >= 0) done += !unlinkat(directory, "moved", 0);
    printf("%d\n", done);
    return argc == 2 ? done : 99;
}
"#;

type Contents = BTreeMap<PathBuf, (u32, i64, i64, u64, Vec<u8>)>;

/// All there is below a directory: modes, times, links and contents.
fn contents(directory: &Path) -> Contents {
    let mut all = Contents::new();
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        let about = fs::symlink_metadata(&path).expect("metadata");
        let bytes = if about.is_file() { fs::read(&path).expect("a file") } else { Vec::new() };
        if about.is_dir() {
            left.extend(fs::read_dir(&path).expect("names").map(|e| e.expect("a name").path()));
        }
        let (seconds, nanoseconds) = (about.mtime(), about.mtime_nsec());
        all.insert(path, (about.mode(), seconds, nanoseconds, about.nlink(), bytes));
    }
    all
}

#[test]
fn nothing_is_written_outside() {
    let lab = TestDir::new();
    lab.file("vandal.c", VANDAL).file("in/file", "first\n").file("in/sub/inner", "second\n");
    lab.file("in/victim", "third\n").file("beside", "fourth\n");
    symlink("file", lab.path("in/link")).expect("a link");
    symlink("../beside", lab.path("in/out")).expect("a link");
    fs::set_permissions(lab.path("in/file"), fs::Permissions::from_mode(0o644)).expect("a mode");
    let shown = lab.path("in");
    let target = shown.to_str().expect("a path");
    let before = (contents(&shown), fs::read(lab.path("beside")).expect("a file"));

    // What is shown can be changed, but in memory; beside it there is nothing. Only the
    // link that leads out, two places that do not exist, and attributes fail.
    let shown_and_done = "16";
    // Without the flag, only /tmp is there, which is the program's own.
    let hidden_and_done = "1";
    let ways = [(vec!["--host-files", "in"], shown_and_done), (vec![], hidden_and_done)];
    for (number, (flags, done)) in ways.iter().enumerate() {
        let words = [&["exec"], flags.as_slice(), &["vandal.c", "--", target]].concat();
        lab.byway(&words).code(done.parse().expect("a number")).stdout(&format!("{done}\n"));
        let out = format!("out-{number}");
        let words = [&["run", "--output-dir", &out], flags.as_slice(), &["vandal.c", "--", target]];
        lab.byway(&words.concat()).code(0).stdout("");
        assert_eq!(endings(&lab, &out), [format!("exit {done}")]);
    }
    assert_eq!((contents(&shown), fs::read(lab.path("beside")).expect("a file")), before);
    for path in ["/tmp/byway-was-here", "/dev/shm/byway-was-here", "/etc/byway-was-here"] {
        assert!(!Path::new(path).exists(), "{path}");
    }
}

/// Programs that request a resource until the request fails, and then exit with 7.
const GREED: &[(&str, &str)] = &[
    (
        "malloc.c",
        "for (;;) { char *p = malloc(1 << 20); if (!p) return 7; memset(p, 1, 1 << 20); }",
    ),
    ("malloc-tiny.c", "for (;;) if (!malloc(1)) return 7;"),
    ("malloc-none.c", "for (;;) if (!malloc(0)) return 7;"),
    (
        "calloc.c",
        "for (size_t n = 1;; n *= 2) { char *p = calloc(n, 1); if (!p) return 7; p[n - 1] = 1; }",
    ),
    (
        "realloc.c",
        "char *p = 0; for (size_t n = 1;; n *= 2) { if (!(p = realloc(p, n))) return 7; p[n - 1] = 1; }",
    ),
    (
        "mmap.c",
        "for (;;) { char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); \
                if (p == MAP_FAILED) return errno == ENOMEM ? 7 : 8; p[1] = 1; }",
    ),
    ("sbrk.c", "for (;;) if (sbrk(4096) == (void *)-1) return errno == ENOMEM ? 7 : 8;"),
    (
        "file.c",
        "static char block[1 << 16]; int fd = open(\"f\", O_CREAT | O_WRONLY, 0600); \
                for (;;) if (write(fd, block, sizeof block) < 0) return errno == ENOSPC ? 7 : 8;",
    ),
    (
        "far.c",
        "int fd = open(\"f\", O_CREAT | O_WRONLY, 0600); if (!ftruncate(fd, 1L << 39)) return 1; \
               if (pwrite(fd, \"x\", 1, 1L << 38) >= 0) return 2; return errno == ENOSPC ? 7 : 8;",
    ),
    (
        "names.c",
        "char name[16]; for (int i = 0;; i++) { sprintf(name, \"f%d\", i); \
                 if (mknod(name, S_IFREG | 0600, 0)) return errno == ENOSPC ? 7 : 8; \
                 if (i % 64 == 63 && (mkdir(\"d\", 0700) || chdir(\"d\"))) return errno == ENOSPC ? 7 : 8; }",
    ),
    ("deep.c", "for (;;) if (mkdir(\"d\", 0700) || chdir(\"d\")) return errno == ENOSPC ? 7 : 8;"),
    ("pipes.c", "int ends[2]; for (;;) if (pipe(ends)) return errno == EMFILE ? 7 : 8;"),
    (
        "descriptors.c",
        "for (;;) if (dup(0) < 0) return errno == EMFILE && open(\"/dev/null\", O_RDONLY) < 0 ? 7 : 8;",
    ),
    (
        "environment.c",
        "char name[16]; for (int i = 0;; i++) { sprintf(name, \"v%d\", i); \
                       if (setenv(name, \"x\", 1)) return errno == ENOMEM ? 7 : 8; if (i > 300) return 7; }",
    ),
];

const HEADERS: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n\
    #include <sys/stat.h>\n#include <unistd.h>\n";

#[test]
fn allocations_beyond_the_limit_fail() {
    let lab = TestDir::new();
    for (name, code) in GREED {
        lab.file(name, format!("{HEADERS}int main(void) {{ {code} }}\n"));
        let done = confined(&lab, &["exec", "--max-memory", "16MiB", name]);
        assert_eq!(done.code, Some(7), "{name}: {done:#?}");
        let out = format!("out-{name}");
        let words = ["run", "--output-dir", &out, "--path-memory", "16MiB", name];
        confined(&lab, &words).code(0);
        assert_eq!(endings(&lab, &out), ["exit 7"], "{name}");
    }
}

#[test]
fn stacks_are_limited() {
    let lab = TestDir::new();
    let endless = [
        (
            "calls.c",
            "static int f(int n) { return f(n + 1) + n; }\nint main(void) { return f(0); }",
        ),
        (
            "frames.c",
            "static int f(int n) { volatile char b[5000]; b[n % 5000] = 1; return f(n + 1) + b[0]; }\n\
                      int main(void) { return f(0); }",
        ),
        (
            "alloca.c",
            "#include <alloca.h>\nint main(void) { for (;;) { volatile char *p = alloca(1 << 16); p[0] = 1; } }",
        ),
    ];
    for (name, code) in endless {
        lab.file(name, code);
        let words = ["exec", "--max-memory", "16MiB", "--cflags", "-Wno-infinite-recursion", name];
        confined(&lab, &words).code(1).says("error[stack-exhausted]");
        let out = format!("out-{name}");
        let words = ["run", "--output-dir", &out, "--path-memory", "16MiB", name];
        confined(&lab, &words).code(1).says("error[stack-exhausted]");
    }
}

/// Each of 256 paths fills sixty-four times a mebibyte with something of its own.
#[test]
fn many_paths_together_stay_within_the_memory_limit() {
    let lab = TestDir::new();
    lab.file(
        "paths.c",
        r#"
#include <byway.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned char b[8];
    int mark = 0;
    byway_make_symbolic(b, sizeof b, "b");
    for (int i = 0; i < 8; i++) if (b[i] > 100) mark |= 1 << i;
    for (int i = 0; i < 64; i++) {
        char *p = malloc(1 << 20);
        memset(p, mark, 1 << 20);
        if (b[i % 8] == 150 + i) mark++;
    }
    return 0;
}
"#,
    );
    let words = ["run", "--output-dir", "out", "--search", "bfs", "--max-memory", "256MiB"];
    let words = [&words[..], &["--max-work", "4M", "paths.c"]].concat();
    confined(&lab, &words).code(0).says("dropped");
}

#[test]
fn endless_loops_are_stopped_by_limits() {
    let lab = TestDir::new();
    lab.file("loop.c", "int main(void) { for (volatile int i = 0;; i++) ; }\n");
    lab.byway(&["exec", "--max-instructions", "1M", "loop.c"]).code(4);
    lab.byway(&["run", "--output-dir", "a", "--path-instructions", "1M", "loop.c"]).code(0);
    assert_eq!(endings(&lab, "a"), ["out-of-budget"]);
    lab.byway(&["run", "--output-dir", "b", "--max-work", "1M", "loop.c"]).code(0);
    lab.byway(&["run", "--output-dir", "c", "--max-time", "300ms", "loop.c"]).code(0);
    assert_eq!(endings(&lab, "c"), ["out-of-budget"]);
}

#[test]
fn endless_output_is_discarded() {
    let lab = TestDir::new();
    let code = "#include <stdio.h>\nint main(void) { for (;;) { puts(\"again\"); perror(\"once more\"); } }\n";
    lab.file("print.c", code);
    let done = lab.byway(&["run", "--output-dir", "out", "--max-work", "2M", "print.c"]);
    done.code(0).stdout("");
    assert!(!done.stderr.contains("once more"), "{done:#?}");
    let size: u64 = contents(&lab.path("out")).values().map(|file| file.4.len() as u64).sum();
    assert!(size < 1 << 16, "{size} bytes");
}

#[test]
fn explored_programs_see_files_of_the_host_on_demand() {
    let lab = TestDir::new();
    let code = r#"
#include <byway.h>
#include <stdio.h>
int main(int argc, char **argv) {
    unsigned char byte;
    byway_make_symbolic(&byte, 1, "byte");
    FILE *f = fopen(argv[1], "r+");
    if (!f) return 99;
    int c = getc(f);
    if (byte == c) { rewind(f); putc('!', f); fflush(f); rewind(f); return getc(f); }
    return c;
}
"#;
    lab.file("see.c", code).file("in/word", "a").file("in/other", "b");
    let path = lab.path("in/word");
    let words = ["run", "--output-dir", "out", "--host-files", "in", "see.c", "--"];
    lab.byway(&[&words[..], &[path.to_str().expect("a path")]].concat()).code(0).stdout("");
    assert_eq!(endings(&lab, "out"), ["exit 33", "exit 97"]);
    assert_eq!(fs::read(&path).expect("the file"), b"a");
    let manifest = fs::read_to_string(lab.path("out/manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["program"]["host_files"][0], lab.path("in").to_str().expect("a path"));
    let words = ["run", "--output-dir", "none", "see.c", "--", path.to_str().expect("a path")];
    lab.byway(&words).code(0);
    assert_eq!(endings(&lab, "none"), ["exit 99"]);
    lab.byway(&["run", "--host-files", "missing", "see.c"])
        .code(2)
        .says("cannot open the host directory 'missing'");
}

/// How the paths of a run ended, in order.
fn endings(lab: &TestDir, out: &str) -> Vec<String> {
    let text = fs::read_to_string(lab.path(out).join("paths.jsonl")).expect("paths");
    let ending = |line: &str| {
        let path: serde_json::Value = serde_json::from_str(line).expect("a path");
        let outcome = &path["outcome"];
        match (outcome["kind"].as_str().expect("a kind"), outcome["code"].as_i64()) {
            (kind, Some(code)) => format!("{kind} {code}"),
            (kind, None) => kind.to_owned(),
        }
    };
    let mut endings: Vec<_> = text.lines().map(ending).collect();
    endings.sort();
    endings
}
