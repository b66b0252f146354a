//! Calls of functions that differ between glibc and musl, by the headers of the caller.

use std::path::PathBuf;

use byway_ir::{Callee, Inst, Module};
use byway_llvm::link::LinkInputs;

use crate::support::{Scratch, archive, assemble, func, load};

const RUNTIME: &str = "
    define i32 @__byway_glibc_match(ptr %p) { ret i32 1 }
    define i32 @__byway_any_lock(ptr %p) { ret i32 2 }";

const LIBC: &str = "
    define i32 @match(ptr %p) { ret i32 3 }
    define i32 @lock(ptr %p) { ret i32 4 }
    define i32 @usage(ptr %p) { ret i32 5 }
    @stdout = constant ptr null";

const CALLS: &str = "
    declare i32 @match(ptr)
    declare i32 @lock(ptr)
    define i32 @main() {
      %p = alloca i64
      %a = call i32 @match(ptr %p)
      %b = call i32 @lock(ptr %p)
      ret i32 0
    }";

fn linked(scratch: &Scratch, user: Vec<PathBuf>, compiled_here: Vec<PathBuf>) -> Module {
    load(&LinkInputs {
        user,
        compiled_here,
        runtime: vec![scratch.file("runtime.ll", RUNTIME)],
        libc: vec![scratch.file("libc.ll", LIBC)],
        allow_missing_main: false,
    })
    .expect("it links")
}

fn called_by_main(module: &Module) -> [String; 2] {
    let function = &module.funcs[func(module, "main")];
    let direct = |inst: &Inst| match inst {
        Inst::Call { callee: Callee::Direct(f), .. } => Some(module.funcs[*f].name.clone()),
        _ => None,
    };
    let names: Vec<String> = function.insts.values().filter_map(direct).collect();
    names.try_into().expect("two calls")
}

/// What `main` calls in a module with these further lines.
fn called_with(lines: &str) -> [String; 2] {
    let scratch = Scratch::new();
    let text = format!("{lines}\n{CALLS}");
    let alone = linked(&scratch, vec![scratch.file("user.ll", &text)], vec![]);
    let member = scratch.file("user.a", archive(&[("part.bc", assemble(&text))]));
    let of_archive = linked(&scratch, vec![member], vec![]);
    assert_eq!(called_by_main(&alone), called_by_main(&of_archive), "{lines}");
    called_by_main(&alone)
}

#[test]
fn modules_with_glibcs_headers_call_the_variants() {
    let glibc = ["__byway_glibc_match", "__byway_any_lock"];
    for lines in [
        "@stdout = external global ptr
         define ptr @out() { %p = load ptr, ptr @stdout
           ret ptr %p }",
        "declare i32 @__isoc99_sscanf(ptr, ptr, ...)",
        "declare i32 @usage(ptr) nounwind",
        "%struct.regmatch_t = type { i32, i32 }
         @found = global %struct.regmatch_t zeroinitializer",
        "%struct.re_pattern_buffer = type { ptr, i64 }
         define void @f() { %p = alloca %struct.re_pattern_buffer
           ret void }",
    ] {
        assert_eq!(called_with(lines), glibc, "{lines}");
    }
}

#[test]
fn modules_with_musls_headers_call_musl() {
    for lines in [
        "@stdout = external constant ptr
         define ptr @out() { %p = load ptr, ptr @stdout
           ret ptr %p }",
        "%struct.regmatch_t = type { i64, i64 }
         @found = global %struct.regmatch_t zeroinitializer",
    ] {
        assert_eq!(called_with(lines), ["match", "__byway_any_lock"], "{lines}");
    }
    let scratch = Scratch::new();
    let user = scratch.file("user.ll", CALLS);
    let compiled = linked(&scratch, vec![user.clone()], vec![user]);
    assert_eq!(called_by_main(&compiled), ["match", "__byway_any_lock"]);
}

#[test]
fn a_module_that_shows_neither_headers_calls_nothing_wrong() {
    for lines in [
        "",
        // Not a function of the C library, and one for which LLVM adds the attribute itself.
        "declare i32 @of_another_library(ptr) nounwind
         declare i64 @strlen(ptr) nounwind",
        "%struct.regmatch_t = type { i64, i64 }
         @found = global %struct.regmatch_t zeroinitializer
         declare i32 @__isoc99_sscanf(ptr, ptr, ...)",
    ] {
        let [differing, common] = called_with(lines);
        assert!(differing.starts_with("match (compiled against"), "{differing}");
        assert_eq!(common, "__byway_any_lock");
    }
}

#[test]
fn a_function_of_the_program_is_its_own() {
    let scratch = Scratch::new();
    let own = "define i32 @match(ptr %p) { ret i32 6 }
        define i32 @lock(ptr %p) { ret i32 7 }";
    let user = || scratch.file("user.ll", CALLS);
    let object = vec![user(), scratch.file("own.ll", own)];
    assert_eq!(called_by_main(&linked(&scratch, object, vec![])), ["match", "lock"]);
    let archive = scratch.file("own.a", archive(&[("own.bc", assemble(own))]));
    let module = linked(&scratch, vec![user(), archive], vec![]);
    assert_eq!(called_by_main(&module), ["match", "lock"]);
}
