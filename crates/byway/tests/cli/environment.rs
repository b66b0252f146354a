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

#[test]
fn other_processes_and_the_network_end_the_path_by_name() {
    let lab = TestDir::new();
    let calls = [
        ("fork()", "fork"),
        ("execl(\"/bin/sh\", \"sh\", (char *)0)", "execve"),
        ("socket(AF_INET, SOCK_STREAM, 0)", "socket"),
    ];
    for (call, name) in calls {
        let head = "#include <sys/socket.h>\n#include <unistd.h>\n";
        lab.file("a.c", format!("{head}int main(void) {{ for (;;) {call}; }}\n"));
        lab.byway(&["exec", "a.c"]).code(3).says(&format!("system call {name}"));
    }
}
