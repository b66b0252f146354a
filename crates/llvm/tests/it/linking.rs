//! Resolution of symbols: precedence, archives, origins.

use byway_ir::{Callee, Inst, Module, Origin};
use byway_llvm::link::LinkInputs;

use crate::support::{Scratch, archive, assemble, func, load, lower_text};

fn returned(module: &Module, name: &str) -> String {
    let function = &module.funcs[func(module, name)];
    let entry = function.entry().expect("a body");
    format!("{:?}", function.blocks[entry].term)
        + &format!("{:?}", function.consts.values().collect::<Vec<_>>())
}

fn called<'m>(module: &'m Module, name: &str) -> Vec<&'m str> {
    let function = &module.funcs[func(module, name)];
    let direct = |inst: &Inst| match inst {
        Inst::Call { callee: Callee::Direct(f), .. } => Some(module.funcs[*f].name.as_str()),
        _ => None,
    };
    function.insts.values().filter_map(direct).collect()
}

const USER: &str = "
    declare i32 @strlen(ptr)
    declare i32 @puts(ptr)
    define i32 @abs(i32 %x) { ret i32 11 }
    define i32 @main() {
      %a = call i32 @strlen(ptr null)
      %b = call i32 @puts(ptr null)
      %c = call i32 @abs(i32 %b)
      ret i32 %c
    }";

const RUNTIME: &str = "
    declare i32 @puts(ptr)
    declare i32 @exit_code()
    define i32 @__byway_start() {
      %a = call i32 @main()
      %b = call i32 @exit_code()
      ret i32 %a
    }
    declare i32 @main()
    define i32 @strlen(ptr %p) { ret i32 22 }
    define i32 @write() {
      %x = call i32 @bump()
      ret i32 %x
    }
    @counter = internal global i32 7
    define internal i32 @bump() {
      %x = load i32, ptr @counter
      ret i32 %x
    }
    define i32 @late() {
      %x = call i32 @bump()
      %p = call i32 @only_in_libc()
      ret i32 %x
    }
    declare i32 @only_in_libc()
    define i32 @unused() { ret i32 0 }";

const LIBC: &str = "
    @counter = internal global i32 8
    define i32 @strlen(ptr %p) { ret i32 33 }
    define i32 @abs(i32 %x) { ret i32 33 }
    define i32 @puts(ptr %p) {
      %n = call i32 @strlen(ptr %p)
      %m = call i32 @abs(i32 %n)
      %w = call i32 @write()
      %l = call i32 @helper()
      %z = call i32 @late()
      ret i32 %n
    }
    declare i32 @late()
    define internal i32 @helper() {
      %x = load i32, ptr @counter
      ret i32 %x
    }
    declare i32 @write()
    @exit_code = alias i32 (), ptr @helper
    define i32 @only_in_libc() {
      %x = call i32 @helper()
      ret i32 %x
    }
    define i32 @unused_too() { ret i32 0 }";

fn three_parts(as_archives: bool) -> Module {
    let scratch = Scratch::new();
    let user = scratch.file("user.ll", USER);
    let part = |name: &str, text: &str| {
        let data = assemble(text);
        let data = if as_archives { archive(&[("part.bc", data)]) } else { data };
        vec![scratch.file(name, data)]
    };
    load(&LinkInputs {
        user: vec![user],
        runtime: part("runtime", RUNTIME),
        libc: part("libc", LIBC),
        ..LinkInputs::default()
    })
    .expect("it links")
}

#[test]
fn precedence_origins_and_fixpoint() {
    for as_archives in [false, true] {
        let m = three_parts(as_archives);
        assert!(returned(&m, "abs").contains("11"), "the user's definition wins");
        assert!(returned(&m, "strlen").contains("22"), "the runtime's beats libc's");
        assert!(m.func_by_name("unused").is_none(), "only what is needed comes along");
        assert!(m.func_by_name("unused_too").is_none());
        // libc needs it from the runtime, which in turn needs libc.
        assert!(!m.funcs[func(&m, "late")].is_declaration());
        assert!(!m.funcs[func(&m, "only_in_libc")].is_declaration());

        let origin = |name: &str| m.funcs[func(&m, name)].origin;
        assert_eq!(origin("main"), Origin::User);
        assert_eq!(origin("abs"), Origin::User);
        assert_eq!(origin("strlen"), Origin::Runtime);
        assert_eq!(origin("__byway_start"), Origin::Runtime);
        assert_eq!(origin("puts"), Origin::Libc);
        let libc_calls = called(&m, "puts");
        assert_eq!(libc_calls[..3], ["strlen", "abs", "write"]);
    }
}

/// A program that defines functions the runtime replaces: a global one, one that a linker
/// made local, and an unrelated one of the same name but another type.
const BRINGS: &str = "
    define i32 @seek(ptr %p) { ret i32 11 }
    define internal i32 @search(ptr %p) { ret i32 11 }
    define i32 @find(i64 %x) { ret i32 11 }
    define i32 @main() {
      %a = call i32 @seek(ptr null)
      %b = call i32 @search(ptr null)
      %c = call i32 @find(i64 0)
      ret i32 %c
    }";

const REPLACES: &str = "
    @__byway_replaces_seek = constant i8 1
    @__byway_replaces_search = constant i8 1
    @__byway_replaces_find = constant i8 1
    define i32 @seek(ptr %p) { ret i32 22 }
    define i32 @find(ptr %p) { ret i32 22 }";

#[test]
fn the_runtime_replaces_marked_functions() {
    for as_archive in [false, true] {
        let scratch = Scratch::new();
        let user = if as_archive {
            scratch.file("user.a", archive(&[("part.bc", assemble(BRINGS))]))
        } else {
            scratch.file("user.ll", BRINGS)
        };
        let m = load(&LinkInputs {
            user: vec![user],
            runtime: vec![scratch.file("runtime.ll", REPLACES)],
            libc: vec![scratch.file("libc.ll", "define i32 @search(ptr %p) { ret i32 33 }")],
            ..LinkInputs::default()
        })
        .expect("it links");
        assert_eq!(called(&m, "main"), ["seek", "search", "find"]);
        assert!(returned(&m, "seek").contains("22"));
        assert!(returned(&m, "search").contains("33"));
        assert!(returned(&m, "find").contains("11"), "of another type");
        assert!(!m.funcs.values().any(|f| f.name.contains("shadowed")));
    }
}

#[test]
fn local_symbols_exist_once_though_linked_twice() {
    let m = three_parts(false);
    // `write` and `late` are linked in two rounds and must share one counter.
    assert_eq!(called(&m, "write"), [called(&m, "late")[0]]);
    let counters: Vec<_> = m.globals.values().filter(|g| g.name.contains("counter")).collect();
    assert_eq!(counters.len(), 2, "one of the runtime, one of libc");
    let origins: Vec<Origin> = counters.iter().map(|g| g.origin).collect();
    assert!(origins.contains(&Origin::Runtime) && origins.contains(&Origin::Libc));
    // An alias resolves to its aliasee.
    assert_eq!(called(&m, "__byway_start")[1], called(&m, "only_in_libc")[0]);
}

#[test]
fn equal_local_names_of_user_modules_stay_separate() {
    let scratch = Scratch::new();
    let one = "
        @n = internal global i32 1
        define internal ptr @get() { ret ptr @n }
        define ptr @one() { %p = call ptr @get()
          ret ptr %p }
        declare ptr @two()
        define i32 @main() { %p = call ptr @two()
          ret i32 0 }";
    let two = "
        @n = internal global i32 2
        define internal ptr @get() { ret ptr @n }
        define ptr @two() { %p = call ptr @get()
          ret ptr %p }";
    let user = vec![scratch.file("one.ll", one), scratch.file("two.bc", assemble(two))];
    let m = load(&LinkInputs { user, ..LinkInputs::default() }).expect("it links");
    assert_ne!(called(&m, "one"), called(&m, "two"));
    assert_eq!(m.globals.len(), 2);
    assert!(m.funcs.values().all(|f| f.origin == Origin::User));
}

#[test]
fn user_archive_members_are_linked_on_demand() {
    let scratch = Scratch::new();
    let main = scratch.file(
        "main.ll",
        "declare i32 @f()\ndefine i32 @main() {\n %x = call i32 @f()\n ret i32 %x }",
    );
    let needed = "declare i32 @g()\ndefine i32 @f() {\n %x = call i32 @g()\n ret i32 %x }\ndefine void @with_f() { ret void }";
    let deeper = "define i32 @g() { ret i32 5 }";
    let other = "define i32 @h() { ret i32 6 }";
    let library = archive(&[
        ("other.bc", assemble(other)),
        ("deeper.bc", assemble(deeper)),
        ("needed.bc", assemble(needed)),
    ]);
    let library = scratch.file("lib.a", library);
    let m =
        load(&LinkInputs { user: vec![main, library], ..LinkInputs::default() }).expect("it links");
    assert!(!m.funcs[func(&m, "g")].is_declaration());
    assert!(m.func_by_name("with_f").is_some(), "a member comes as a whole");
    assert!(m.func_by_name("h").is_none());
    assert!(m.funcs.values().all(|f| f.origin == Origin::User));
}

#[test]
fn a_strong_definition_overrides_a_weak_one_of_the_same_library() {
    let scratch = Scratch::new();
    let main = scratch.file(
        "main.ll",
        "declare i32 @exit()\ndefine i32 @main() {\n %x = call i32 @exit()\n ret i32 %x }",
    );
    let weak = "
        define internal i32 @dummy() { ret i32 0 }
        @flush = weak alias i32 (), ptr @dummy
        define i32 @exit() {
          %x = call i32 @flush()
          ret i32 %x
        }";
    let strong = "define i32 @flush() { ret i32 44 }";
    let library = archive(&[("a.bc", assemble(weak)), ("b.bc", assemble(strong))]);
    let libc = vec![scratch.file("libc.a", library)];
    let m =
        load(&LinkInputs { user: vec![main], libc, ..LinkInputs::default() }).expect("it links");
    assert_eq!(called(&m, "exit"), ["flush"]);
    assert!(returned(&m, "flush").contains("44"));
}

#[test]
fn undefined_symbols_are_accepted_and_weak_ones_are_null() {
    let m = lower_text(
        "declare extern_weak void @perhaps()
         declare extern_weak ptr @malloc(i64)
         @data = extern_weak global i32
         declare i32 @missing()
         define i1 @f() {
           %a = icmp eq ptr @perhaps, null
           %b = icmp eq ptr @data, null
           %m = icmp eq ptr @malloc, null
           %x = call i32 @missing()
           ret i1 %a
         }",
    );
    assert!(m.func_by_name("perhaps").is_none());
    assert!(m.global_by_name("data").is_none());
    assert!(m.func_by_name("malloc").is_some(), "the engine supplies it");
    assert!(m.funcs[func(&m, "missing")].is_declaration());
}

#[test]
fn library_functions_of_intrinsics_are_linked() {
    let scratch = Scratch::new();
    let user = scratch.file(
        "user.ll",
        "declare double @llvm.sin.f64(double)
         declare <2 x double> @llvm.pow.v2f64(<2 x double>, <2 x double>)
         declare { float, float } @llvm.sincos.f32(float)
         define double @main(double %x, <2 x double> %v, float %y) {
           %a = call double @llvm.sin.f64(double %x)
           %b = call <2 x double> @llvm.pow.v2f64(<2 x double> %v, <2 x double> %v)
           %c = call { float, float } @llvm.sincos.f32(float %y)
           ret double %a
         }",
    );
    let libc = "
        define double @sin(double %x) { ret double %x }
        define double @pow(double %x, double %y) { ret double %x }
        define float @sinf(float %x) { ret float %x }
        define float @cosf(float %x) { ret float %x }";
    let libc = vec![scratch.file("libc.bc", assemble(libc))];
    let m =
        load(&LinkInputs { user: vec![user], libc, ..LinkInputs::default() }).expect("it links");
    assert_eq!(called(&m, "main"), ["sin", "pow", "pow", "sinf", "cosf"]);
    assert!(m.funcs.values().all(|f| !f.is_declaration()));
}

#[test]
fn constructors_by_priority() {
    let m = lower_text(
        "@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [
           { i32, ptr, ptr } { i32 65535, ptr @late, ptr null },
           { i32, ptr, ptr } { i32 101, ptr @early, ptr null },
           { i32, ptr, ptr } { i32 65535, ptr @later, ptr null } ]
         @llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [
           { i32, ptr, ptr } { i32 65535, ptr @late, ptr null },
           { i32, ptr, ptr } { i32 101, ptr @early, ptr null } ]
         define void @late() { ret void }
         define void @early() { ret void }
         define void @later() { ret void }",
    );
    let names = |list: &[byway_ir::Ctor]| -> Vec<String> {
        list.iter().map(|c| m.funcs[c.func].name.clone()).collect()
    };
    assert_eq!(names(&m.ctors), ["early", "late", "later"]);
    assert_eq!(names(&m.dtors), ["late", "early"]);
    assert!(m.globals.is_empty());
}
