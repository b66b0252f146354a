//! Profiles, as `callgrind_annotate` reads them.

use std::process::Command;

use super::*;

fn position(line: u32) -> ProfilePosition {
    ProfilePosition { file: "main.c".into(), line, assembly_line: u64::from(line) * 10 }
}

fn executed(line: u32, instructions: u64) -> InstructionProfile {
    let costs = KleeCosts { instructions, covered_instructions: 1, ..KleeCosts::default() };
    InstructionProfile { position: position(line), costs, calls: vec![] }
}

fn profile() -> KleeProfile {
    let helper = FunctionProfile {
        name: "helper".into(),
        start: position(1),
        instructions: vec![executed(2, 700), executed(3, 700)],
    };
    let mut call = executed(7, 7);
    let costs = KleeCosts { instructions: 1400, ..KleeCosts::default() };
    call.calls.push(CallProfile { callee: 0, count: 7, costs });
    call.calls.push(CallProfile { callee: 9, count: 1, costs });
    let main = FunctionProfile {
        name: "main".into(),
        start: position(6),
        instructions: vec![call, executed(8, 1)],
    };
    KleeProfile {
        program: "main.bc".into(),
        object: "assembly.ll".into(),
        functions: vec![helper, main],
    }
}

#[test]
fn a_profile_has_klees_lines() {
    let text = profile().render();
    let body = text.split_once("ob=").expect("an object file").1;
    assert_eq!(
        body,
        "assembly.ll\nfl=main.c\nfn=helper\n\
         20 2 1 0 0 0 700 0 0 0 0 0 0 0 0\n30 3 1 0 0 0 700 0 0 0 0 0 0 0 0\n\
         fn=main\n70 7 1 0 0 0 7 0 0 0 0 0 0 0 0\n\
         cfn=helper\ncalls=7 10 1\n70 7 0 0 0 0 1400 0 0 0 0 0 0 0 0\n\
         80 8 1 0 0 0 1 0 0 0 0 0 0 0 0\n"
    );
    assert!(text.starts_with("version: 1\ncreator: byway\npid: "));
    assert!(text.contains("\nevent: Icov : CoveredInstructions\n"));
    assert!(text.contains("\nevents: Icov Forks Ireal Itime I UCdist Rtime States Iuncov Q "));
}

#[test]
fn names_cannot_break_the_format() {
    let function = FunctionProfile { name: "a\nfn=b".into(), ..FunctionProfile::default() };
    let profile = KleeProfile { functions: vec![function], ..KleeProfile::default() };
    assert!(profile.render().ends_with("\nfn=a?fn=b\n"));
}

#[test]
fn callgrind_annotate_reads_a_profile() {
    if Command::new("callgrind_annotate").arg("--version").output().is_err() {
        eprintln!("not checked: callgrind_annotate (of valgrind) is not installed");
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(FILE);
    profile().write(&path).expect("written");
    profile().write(&path).expect("replaced");
    assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 1);
    let output = Command::new("callgrind_annotate")
        .args(["--threshold=100", "--inclusive=yes", "--show=I"])
        .arg(&path)
        .output()
        .expect("started");
    let text = String::from_utf8_lossy(&output.stdout).replace(',', "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let line = |name: &str| text.lines().find(|line| line.contains(name)).expect(name).trim_start();
    assert!(line("main.c:main").starts_with("1408"), "{text}");
    assert!(line("main.c:helper").starts_with("1400"), "{text}");
}
