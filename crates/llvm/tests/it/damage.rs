//! Damaged input gives a one-line message and exit code 2, and never a hang.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Scratch, archive, assemble, executable};

/// The exit code and the messages of the executable.
struct Ended {
    code: Option<i32>,
    stderr: String,
}

/// Far more time than any input here takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

fn run(input: &Path, out: &Path) -> Ended {
    let mut child = Command::new(executable())
        .arg("--out")
        .arg(out)
        .arg("--user")
        .arg(input)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway-llvm starts");
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            let mut stderr = String::new();
            let mut pipe = child.stderr.take().expect("piped");
            std::io::Read::read_to_string(&mut pipe, &mut stderr).expect("text");
            return Ended { code: status.code(), stderr };
        }
        if start.elapsed() > TIMEOUT {
            child.kill().expect("a running child");
            panic!("{} makes byway-llvm hang", input.display());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn rejects(contents: &[u8], expected: &str) {
    let scratch = Scratch::new();
    let input = scratch.file("input.bc", contents);
    let ended = run(&input, &scratch.path("out"));
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}

/// A program with many kinds of records, so that mutations reach most of the reader.
const PROGRAM: &str = r#"
target triple = "x86_64-pc-linux-gnu"
@s = private constant [6 x i8] c"hello\00"
@t = global { i32, ptr, <4 x i32> } { i32 1, ptr @s, <4 x i32> <i32 1, i32 2, i32 3, i32 4> }
@a = alias i32, ptr getelementptr (i8, ptr @t, i64 4)
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @main(i32 %n, ptr %v) !dbg !5 {
entry:
  %x = alloca i32, align 4
  %y = alloca [8 x i64], align 16
  store i32 %n, ptr %x, align 4
  br label %loop, !dbg !8
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add nsw i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %done, !dbg !8
done:
  %p = getelementptr inbounds [8 x i64], ptr %y, i64 0, i32 %j
  %w = load <2 x i64>, ptr %p, align 8
  %e = extractelement <2 x i64> %w, i32 1
  %q = call i32 (ptr, ...) @printf(ptr @s, i64 %e, double 0x3FF0000000000000)
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr @t, i64 32, i1 false)
  %r = cmpxchg ptr %x, i32 1, i32 2 seq_cst seq_cst
  %o = extractvalue { i32, i1 } %r, 0
  switch i32 %o, label %end [ i32 3, label %end
                              i32 4, label %loop.out ]
loop.out:
  indirectbr ptr blockaddress(@main, %end), [label %end]
end:
  %z = phi i32 [ 1, %done ], [ 1, %done ], [ %q, %loop.out ]
  ret i32 %z
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "main.c", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "main", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 2, column: 3, scope: !5)
"#;

#[test]
fn files_that_are_not_programs() {
    rejects(b"", "is empty");
    rejects(b"int main(void) { return 0; }", "cannot be read: line 1");
    rejects(b"\x7fELF\x02\x01\x01", "native code");
    rejects(&[0, 1, 2, 3], "neither LLVM bitcode nor textual");
    rejects(b"define void @f() { ret void }", "has no function main");
    rejects(b"define i32 @main() { ret i32 %x }", "cannot be read: line 1");
    rejects(b"target triple = \"aarch64-linux-gnu\"\n", "compiled for aarch64");
    rejects(b"!<thin>\n", "thin archive");
    rejects(b"!<arch>\ngarbage", "truncated archive");
    rejects(&archive(&[("a.o", b"\x7fELF".to_vec())]), "(a.o): is not LLVM bitcode");
    let invalid =
        "define i32 @main() {\n%p = load i32, ptr null, !range !0\nret i32 %p }\n!0 = !{}";
    rejects(invalid.as_bytes(), "is not valid LLVM IR");
}

#[test]
fn a_missing_file_and_wrong_options() {
    let scratch = Scratch::new();
    let ended = run(&scratch.path("missing.bc"), &scratch.path("out"));
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("missing.bc: "), "{}", ended.stderr);
    let status = Command::new(executable()).arg("--wrong").stderr(Stdio::null()).status();
    assert_eq!(status.expect("it starts").code(), Some(2));
}

#[test]
fn truncated_bitcode() {
    let whole = assemble(PROGRAM);
    let scratch = Scratch::new();
    let out = scratch.path("out");
    let input = scratch.file("whole.bc", &whole);
    assert_eq!(run(&input, &out).code, Some(0), "{}", run(&input, &out).stderr);
    for n in 1..24 {
        let input = scratch.file("cut.bc", &whole[..whole.len() * n / 24]);
        let ended = run(&input, &out);
        assert_eq!(ended.code, Some(2), "cut at {n}/24: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

/// A pseudo-random number generator (xorshift) with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn mutate(data: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(data.len());
        match random.below(5) {
            0 => data[at] ^= 1 << random.below(8),
            1 => data[at] = random.below(256) as u8,
            2 => {
                let from = random.below(data.len());
                let len = random.below(16).min(data.len() - at.max(from));
                data.copy_within(from..from + len, at);
            }
            3 => {
                let len = random.below(16).min(data.len() - at);
                data[at..at + len].fill(if random.below(2) == 0 { 0 } else { 0xff });
            }
            _ => {
                // The stream consists of words; removing one shifts all that follow.
                let at = at & !3;
                data.drain(at..(at + 4).min(data.len()));
            }
        }
        if data.is_empty() {
            data.push(0);
        }
    }
}

/// A damaged program is either loaded, and then valid, or rejected with a one-line
/// message. Never a crash, a panic or a hang.
#[test]
fn a_thousand_mutations() {
    let whole = assemble(PROGRAM);
    let scratch = Scratch::new();
    let out = scratch.path("out");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut rejected = 0;
    for n in 0..1200 {
        let mut data = whole.clone();
        mutate(&mut data, &mut random);
        let input = scratch.file("mutant.bc", &data);
        let ended = run(&input, &out);
        match ended.code {
            Some(0) => {
                let module = byway_ir::cache::read(&out).expect("a readable result");
                assert!(byway_ir::verify(&module).is_ok(), "mutant {n}");
            }
            Some(2) => {
                rejected += 1;
                let lines = ended.stderr.lines().count();
                assert_eq!(lines, 1, "mutant {n}: {}", ended.stderr);
            }
            code => panic!("mutant {n} ends with {code:?}: {}", ended.stderr),
        }
    }
    assert!(rejected > 200, "too little damage is detected: {rejected} mutants rejected");
}
