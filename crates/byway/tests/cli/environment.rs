//! The world of programs under test: files of the host where they are shown, and
//! nothing of the host where they are not.

use std::fs;
use std::os::unix::fs::symlink;

use crate::setup::TestDir;

/// Prints files, appends to the first and prints it again.
const FILES: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <string.h>
static void show(const char *path) {
    FILE *f = fopen(path, "r");
    int c;
    printf("%s: ", path);
    if (!f) { puts(strerror(errno)); return; }
    while ((c = getc(f)) != EOF) putchar(c);
    fclose(f);
}
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) show(argv[i]);
    FILE *f = fopen(argv[1], "a");
    if (f) { fputs("more\n", f); fclose(f); }
    remove(argv[2]);
    show(argv[1]);
    show(argv[2]);
}
"#;

#[test]
fn files_are_shown_on_demand_and_never_changed() {
    let lab = TestDir::new();
    lab.file("files.c", FILES).file("in/a", "first\n").file("in/b", "second\n");
    lab.file("beside", "secret\n");
    symlink("a", lab.path("in/link")).expect("a link");
    symlink("../beside", lab.path("in/out")).expect("a link");
    // The working directory is not shown, so a path has to be whole.
    let base = fs::canonicalize(lab.path(".")).expect("a directory");
    let whole = |name: &str| base.join(name).display().to_string();
    let paths = ["in/a", "in/b", "in/link", "in/out", "beside"].map(whole);
    let mut words = vec!["exec", "--host-files", "in", "files.c", "--"];
    words.extend(paths.iter().map(String::as_str));
    let [a, b, link, out, beside] = &paths;
    let missing = "No such file or directory";
    lab.byway(&words).code(0).stdout(&format!(
        "{a}: first\n{b}: second\n{link}: first\n{out}: {missing}\n{beside}: {missing}\n\
         {a}: first\nmore\n{b}: {missing}\n"
    ));
    assert_eq!(fs::read_to_string(lab.path("in/a")).expect("a"), "first\n");
    assert_eq!(fs::read_to_string(lab.path("in/b")).expect("b"), "second\n");
}

#[test]
fn the_working_directory_is_the_hosts_where_it_is_shown() {
    let lab = TestDir::new();
    lab.file("files.c", FILES).file("a", "first\n").file("sub/b", "second\n");
    lab.byway(&["exec", "--host-files", ".", "files.c", "--", "a", "sub/../sub/b"]).code(0).stdout(
        "a: first\nsub/../sub/b: second\na: first\nmore\nsub/../sub/b: No such file or directory\n",
    );
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let lab = TestDir::new();
    lab.file("files.c", FILES);
    lab.byway(&["exec", "--host-files", "missing", "files.c"])
        .code(2)
        .says("cannot open the host directory 'missing'");
    lab.byway(&["exec", "--host-files", "files.c", "files.c"]).code(2).says("not a directory");
}

#[test]
fn without_the_flag_there_is_nothing_of_the_host() {
    let lab = TestDir::new();
    lab.file("files.c", FILES).file("a", "first\n");
    let words = ["exec", "files.c", "--", "a", "/etc/hostname"];
    let missing = "No such file or directory";
    lab.byway(&words).code(0).stdout(&format!(
        "a: {missing}\n/etc/hostname: {missing}\na: more\n/etc/hostname: {missing}\n"
    ));
    assert_eq!(fs::read_to_string(lab.path("a")).expect("a"), "first\n");
}

#[test]
fn files_fill_the_programs_memory_and_no_more() {
    let lab = TestDir::new();
    lab.file(
        "fill.c",
        r#"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    static char block[1 << 16];
    int fd = open("big", O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 100000; i++)
        if (write(fd, block, sizeof block) < 0) return errno == ENOSPC ? 7 : 8;
    return 9;
}
"#,
    );
    lab.byway(&["exec", "--max-memory", "64MiB", "fill.c"]).code(7).quiet();
}

/// A program that hands over to another one, and to a child, and goes on without them.
const WITHOUT_OTHERS: &str = r#"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void exec(const char *path) {
    execl(path, path, (char *)0);
    printf("%s: %s\n", path, strerror(errno));
}
int main(int argc, char **argv) {
    int fd = open("text", O_CREAT | O_WRONLY, 0644);
    exec("text");
    if (write(fd, "text", 4) != 4 || chmod("text", 0755) || symlink("text", "link")) return 99;
    close(fd);
    exec("text");
    exec("link");
    exec("/tmp");
    exec("missing");
    exec("text/below");
    execlp("ls", "ls", (char *)0);
    printf("ls: %s\n", strerror(errno));
    if (argc == 2 && argv[1][0] == 'f') {
        int child = fork();
        if (!child) _exit(0);
        puts(child > 0 ? "with a child" : "without a child");
    }
    return 3;
}
"#;

#[test]
fn a_program_goes_on_without_other_programs() {
    let lab = TestDir::new();
    lab.file("a.c", WITHOUT_OTHERS);
    let errors = "text: Permission denied\ntext: Exec format error\nlink: Exec format error\n\
                  /tmp: Permission denied\nmissing: No such file or directory\n\
                  text/below: Not a directory\nls: No such file or directory\n";
    // These errors are exact: nothing is lost.
    lab.byway(&["exec", "a.c"]).code(3).quiet().stdout(errors);
    lab.byway(&["exec", "a.c", "--", "f"])
        .code(3)
        .stdout(&format!("{errors}without a child\n"))
        .says("not modelled faithfully: system call fork (once)");

    // The path with a child is a loss, and its test cannot be compared where a child runs.
    let run = lab.byway(&["run", "--sym-arg", "1", "--output-dir", "out", "a.c"]);
    run.code(0).says("exit").says("not modelled faithfully, once: system call fork");
    let replay = lab.byway(&["replay", "out"]).code(0).stdout.clone();
    assert!(replay.contains("agree              1"), "{replay}");
    assert!(replay.contains("not modelled faithfully: system call fork"), "{replay}");
}

/// A program that may run is there, but cannot run.
#[test]
fn a_program_of_the_host_is_not_run() {
    let lab = TestDir::new();
    let code = "#include <errno.h>\n#include <unistd.h>\nint main(int argc, char **argv)\
                { (void)argc; execv(argv[1], argv + 1); return errno; }\n";
    lab.file("a.c", code).script("in/tool", "echo byway was here");
    let tool = fs::canonicalize(lab.path("in/tool")).expect("a file").display().to_string();
    lab.byway(&["exec", "--host-files", "in", "a.c", "--", &tool])
        .code(libc::EACCES)
        .stdout("")
        .says("not modelled faithfully: another program (execve)");
}
