//! The lowering of each kind of LLVM instruction.

use byway_ir::{Inst, Terminator};

use crate::support::{body, func, lower_text};

/// Lowers `text` and compares the body of `@f` line by line.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let module = lower_text(text);
    let got = body(&module, "f");
    assert_eq!(got, expected, "\n{}", got.join("\n"));
}

#[test]
fn arithmetic_and_flags() {
    check(
        "define i33 @f(i33 %a, i33 %b) {
           %x = add nsw i33 %a, %b
           %y = mul i33 %x, -1
           %z = ashr exact i33 %y, 2
           %d = sdiv i33 %z, %b
           ret i33 %d
         }",
        &[
            "b0:",
            "v2:i33 = add nsw v0, v1",
            "v3:i33 = mul v2, -1:i33",
            "v4:i33 = ashr v3, 2:i33",
            "v5:i33 = sdiv v4, v1",
            "ret v5",
        ],
    );
}

#[test]
fn vectors_are_decomposed_into_lanes() {
    check(
        "define <2 x i32> @f(<2 x i32> %a, <2 x i32> %b) {
           %c = icmp ult <2 x i32> %a, %b
           %s = select <2 x i1> %c, <2 x i32> %a, <2 x i32> %b
           %t = shufflevector <2 x i32> %s, <2 x i32> %a, <2 x i32> <i32 3, i32 0>
           ret <2 x i32> %t
         }",
        &[
            "b0:",
            "v4:i1 = icmp ult v0, v2",
            "v5:i1 = icmp ult v1, v3",
            "v6:i32 = select v4, v0, v2",
            "v7:i32 = select v5, v1, v3",
            "ret v1, v6",
        ],
    );
}

#[test]
fn variable_lanes_are_selected() {
    check(
        "define i32 @f(<3 x i32> %v, i32 %n) {
           %w = insertelement <3 x i32> %v, i32 7, i32 1
           %e = extractelement <3 x i32> %w, i32 %n
           ret i32 %e
         }",
        &[
            "b0:",
            "v4:i1 = icmp eq v3, 1:i32",
            "v5:i32 = select v4, 7:i32, v0",
            "v6:i1 = icmp eq v3, 2:i32",
            "v7:i32 = select v6, v2, v5",
            "ret v7",
        ],
    );
}

#[test]
fn aggregates_are_decomposed_into_leaves() {
    check(
        "define { i8, [2 x i32] } @f(ptr %p, i32 %x) {
           %a = load { i8, [2 x i32] }, ptr %p, align 4
           %b = insertvalue { i8, [2 x i32] } %a, i32 %x, 1, 0
           store { i8, [2 x i32] } %b, ptr %p, align 4
           ret { i8, [2 x i32] } %b
         }",
        &[
            "b0:",
            "v2:i8 = load v0, align 4",
            "v3:ptr = ptradd inbounds v0, 4",
            "v4:i32 = load v3, align 4",
            "v5:ptr = ptradd inbounds v0, 8",
            "v6:i32 = load v5, align 4",
            "store v0, v2, align 4",
            "v7:ptr = ptradd inbounds v0, 4",
            "store v7, v1, align 4",
            "v8:ptr = ptradd inbounds v0, 8",
            "store v8, v6, align 4",
            "ret v2, v1, v6",
        ],
    );
}

#[test]
fn vectors_of_bits_are_packed_in_memory() {
    let module = lower_text(
        "define void @f(ptr %p, <4 x i1> %v) {
           store <4 x i1> %v, ptr %p, align 1
           ret void
         }",
    );
    let lines = body(&module, "f");
    let stores: Vec<_> = lines.iter().filter(|l| l.starts_with("store")).collect();
    assert_eq!(stores.len(), 1, "{lines:?}");
    let f = &module.funcs[func(&module, "f")];
    let store = f.insts.values().find_map(|i| match i {
        Inst::Store { value, .. } => Some(f.operand_ty(*value)),
        _ => None,
    });
    assert_eq!(store, Some(byway_ir::Ty::Int(4)));
}

#[test]
fn geps_are_folded() {
    check(
        "%s = type { i32, [10 x i16], i8 }
         define ptr @f(ptr %p, i64 %i, i32 %j) {
           %a = getelementptr inbounds %s, ptr %p, i64 3, i32 1, i64 2
           %b = getelementptr inbounds %s, ptr %a, i64 %i, i32 1, i32 %j
           %c = getelementptr i8, ptr %b, i64 0
           ret ptr %c
         }",
        &[
            "b0:",
            "v3:ptr = ptradd inbounds v0, 92",
            "v4:ptr = ptradd inbounds v3, 4, v1 * 28",
            "v5:ptr = ptradd inbounds v4, 0, v2 * 2",
            "ret v5",
        ],
    );
}

#[test]
fn phis_become_block_parameters() {
    check(
        "@g = global i32 0
         define i64 @f(i1 %c) {
           br i1 %c, label %a, label %b
         a:
           br label %join
         b:
           switch i32 5, label %join [ i32 1, label %join
                                       i32 -1, label %join ]
         join:
           %x = phi i64 [ ptrtoint (ptr @g to i64), %a ], [ undef, %b ], [ undef, %b ], [ undef, %b ]
           ret i64 %x
         }",
        &[
            "b0:",
            "br v0, b1, b2",
            "b1:",
            "v2:i64 = ptrtoint @g",
            "jump b3(v2)",
            "b2:",
            "v3:i64 = undefined \"\"",
            "v4:i64 = undefined \"\"",
            "v5:i64 = undefined \"\"",
            "switch 5:i32 [",
            "1: b3(v3),",
            "4294967295: b3(v4),",
            "] else b3(v5)",
            "b3(v1:i64):",
            "ret v1",
        ],
    );
}

#[test]
fn constant_expressions_are_constants_or_computed_where_used() {
    check(
        "@g = global [4 x i32] zeroinitializer
         define i64 @f(ptr %p) {
           store ptr getelementptr (i8, ptr @g, i64 4), ptr %p
           store <2 x ptr> getelementptr (i8, <2 x ptr> <ptr @g, ptr null>, i64 1), ptr %p
           ret i64 sub (i64 0, i64 ptrtoint (ptr @g to i64))
         }",
        &[
            "b0:",
            "store v0, @g+4, align 8",
            "store v0, @g+1, align 16",
            "v1:ptr = ptradd inbounds v0, 8",
            "store v1, 0x1:ptr, align 8",
            "v2:i64 = ptrtoint @g",
            "v3:i64 = sub 0:i64, v2",
            "ret v3",
        ],
    );
}

#[test]
fn calls_with_variadic_and_by_value_arguments() {
    check(
        "%big = type { [3 x i64] }
         declare i32 @printf(ptr, ...)
         define void @f(ptr byval(%big) align 8 %b, x86_fp80 %l, <4 x float> %v) {
           %r = call i32 (ptr, ...) @printf(ptr null, i32 1, ptr byval(%big) align 16 %b,
                                            x86_fp80 %l, <4 x float> %v, double 1.0)
           ret void
         }",
        &[
            "b0:",
            "v6:i32 = call @printf(0x0:ptr, 1:i32, v0, v1, v2, v3, v4, v5, 0x3ff0000000000000:f64) \
             ...[at 8, at 192 byval 24, at 224, at 48 x 4, at 64]  ; 1.0",
            "ret",
        ],
    );
}

#[test]
fn objects_passed_by_value_are_copied_for_the_call() {
    check(
        "%big = type { [3 x i64] }
         declare i32 @g(ptr byval(%big) align 8, i32)
         define i32 @f(ptr byval(%big) align 8 %b, i32 %n) {
           %r = call i32 @g(ptr byval(%big) align 8 %b, i32 %n)
           ret i32 %r
         }",
        &[
            "b0:",
            "v2:ptr = stacksave",
            "v3:ptr = alloca 24 x 1:i64, align 8",
            "memcpy v3, v0, 24:i64",
            "v4:i32 = call @g(v3, v1)",
            "stackrestore v2",
            "ret v4",
        ],
    );
}

#[test]
fn tail_calls_reuse_the_objects_they_were_passed() {
    check(
        "%big = type { [3 x i64] }
         declare i32 @g(ptr byval(%big) align 8, ptr byval(%big) align 8)
         define i32 @f(ptr byval(%big) align 8 %a, ptr byval(%big) align 8 %b) {
           %c = load i64, ptr %a, align 8
           %e = icmp eq i64 %c, 0
           br i1 %e, label %same, label %swapped
         same:
           %r = musttail call i32 @g(ptr byval(%big) align 8 %a, ptr byval(%big) align 8 %b)
           ret i32 %r
         swapped:
           %s = musttail call i32 @g(ptr byval(%big) align 8 %b, ptr byval(%big) align 8 %a)
           ret i32 %s
         }",
        &[
            "b0:",
            "v2:i64 = load v0, align 8",
            "v3:i1 = icmp eq v2, 0:i64",
            "br v3, b1, b2",
            "b1:",
            "v4:i32 = call tail @g(v0, v1)",
            "ret v4",
            "b2:",
            "v5:ptr = alloca 24 x 1:i64, align 8",
            "memcpy v5, v1, 24:i64",
            "v6:ptr = alloca 24 x 1:i64, align 8",
            "memcpy v6, v0, 24:i64",
            "memcpy v0, v5, 24:i64",
            "memcpy v1, v6, 24:i64",
            "v7:i32 = call tail @g(v0, v1)",
            "ret v7",
        ],
    );
}

#[test]
fn integers_of_several_limbs() {
    check(
        "define i64 @f(ptr %p, i1 %c, i200 %x) {
           %w = load i200, ptr %p, align 8
           %v = xor i200 %w, 18446744073709551617
           %s = select i1 %c, i200 %v, i200 %x
           store i200 %s, ptr %p, align 4
           %t = trunc i200 %x to i64
           ret i64 %t
         }",
        &[
            "b0:",
            "v6:i64 = load v0, align 8",
            "v7:ptr = ptradd inbounds v0, 8",
            "v8:i64 = load v7, align 8",
            "v9:ptr = ptradd inbounds v0, 16",
            "v10:i64 = load v9, align 8",
            "v11:ptr = ptradd inbounds v0, 24",
            "v12:i8 = load v11, align 8",
            "v13:i64 = xor v6, 1:i64",
            "v14:i64 = xor v8, 1:i64",
            "v15:i64 = xor v10, 0:i64",
            "v16:i8 = xor v12, 0:i8",
            "v17:i64 = select v1, v13, v2",
            "v18:i64 = select v1, v14, v3",
            "v19:i64 = select v1, v15, v4",
            "v20:i8 = select v1, v16, v5",
            "store v0, v17, align 4",
            "v21:ptr = ptradd inbounds v0, 8",
            "store v21, v18, align 4",
            "v22:ptr = ptradd inbounds v0, 16",
            "store v22, v19, align 4",
            "v23:ptr = ptradd inbounds v0, 24",
            "store v23, v20, align 4",
            "ret v2",
        ],
    );
}

#[test]
fn wide_integers_in_vectors_constants_and_switches() {
    let module = lower_text(
        "@g = global i32 0
         define i256 @f(<2 x i256> %x, i32 %n, i256 %y) {
           %s = shl <2 x i256> %x, <i256 128, i256 64>
           %i = insertelement <2 x i256> %s, i256 %y, i32 %n
           %h = shufflevector <2 x i256> %i, <2 x i256> poison, <2 x i32> <i32 1, i32 poison>
           %c = icmp ult <2 x i256> %h, %x
           %t = select <2 x i1> %c, <2 x i256> %h, <2 x i256> %i
           %e = extractelement <2 x i256> %t, i32 %n
           switch i256 %e, label %other [ i256 7, label %seven
                                          i256 18446744073709551616, label %large ]
         seven:
           ret i256 ptrtoint (ptr @g to i256)
         large:
           %m = call { i256, i1 } @llvm.smul.with.overflow.i256(i256 %e, i256 %y)
           %r = extractvalue { i256, i1 } %m, 0
           ret i256 %r
         other:
           %k = phi i256 [ %e, %0 ]
           %u = call i256 @llvm.umin.i256(i256 %k, i256 -1)
           ret i256 %u
         }
         declare { i256, i1 } @llvm.smul.with.overflow.i256(i256, i256)
         declare i256 @llvm.umin.i256(i256, i256)",
    );
    let f = &module.funcs[func(&module, "f")];
    assert!(!f.insts.values().any(|i| matches!(i, Inst::Unsupported { .. })));
    let rets: Vec<usize> = f
        .blocks
        .values()
        .filter_map(|b| match &b.term {
            Terminator::Return(values) => Some(values.len()),
            _ => None,
        })
        .collect();
    assert_eq!(rets, [4, 4, 4]);
    let tests = f.blocks.values().filter(|b| matches!(b.term, Terminator::Branch { .. }));
    assert_eq!(tests.count(), 2);
}

#[test]
fn vectors_of_bits_in_aggregates_and_constants() {
    let module = lower_text(
        "@bits = global { i8, <9 x i1> } { i8 1, <9 x i1> <i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 1> }
         @number = global i8 bitcast (<8 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 1> to i8)
         define i8 @f(ptr %p, { <4 x i32>, <4 x i1> } %x, <200 x i1> %y) {
           store { <4 x i32>, <4 x i1> } %x, ptr %p
           %l = load { <4 x i32>, <4 x i1> }, ptr %p
           store { <4 x i32>, <4 x i1> } %l, ptr %p
           store <200 x i1> %y, ptr %p
           ret i8 bitcast (<2 x i4> <i4 3, i4 -1> to i8)
         }",
    );
    let f = &module.funcs[func(&module, "f")];
    let stored: Vec<u32> = f
        .insts
        .values()
        .filter_map(|i| match i {
            Inst::Store { value, .. } => Some(f.operand_ty(*value).bits()),
            _ => None,
        })
        .collect();
    assert_eq!(stored, [32, 32, 32, 32, 4, 32, 32, 32, 32, 4, 64, 64, 64, 8]);
    assert_eq!(body(&module, "f").last().map(String::as_str), Some("ret -13:i8"));
    let init = |name: &str| {
        let global = module.globals.values().find(|g| g.name == name).expect("a global");
        global.init.clone().expect("an initialiser").bytes
    };
    assert_eq!(init("bits"), [1, 0, 0b0000_1001, 1]);
    assert_eq!(init("number"), [0b1000_0101]);
}

#[test]
fn atomics_are_plain_accesses() {
    check(
        "define i32 @f(ptr %p, i32 %x) {
           fence seq_cst
           %old = atomicrmw nand ptr %p, i32 %x seq_cst
           %r = cmpxchg weak ptr %p, i32 %old, i32 %x acquire monotonic
           %v = extractvalue { i32, i1 } %r, 0
           store atomic i32 %v, ptr %p release, align 4
           ret i32 %v
         }",
        &[
            "b0:",
            "v2:i32 = load v0, align 4",
            "v3:i32 = and v2, v1",
            "v4:i32 = xor v3, -1:i32",
            "store v0, v4, align 4",
            "v5:i32 = load v0, align 4",
            "v6:i1 = icmp eq v5, v2",
            "v7:i32 = select v6, v1, v5",
            "store v0, v7, align 4",
            "store v0, v5, align 4",
            "ret v5",
        ],
    );
}

#[test]
fn memory_intrinsics_and_va_lists() {
    check(
        "declare void @llvm.va_start.p0(ptr)
         declare void @llvm.va_copy.p0(ptr, ptr)
         declare void @llvm.va_end.p0(ptr)
         declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
         declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
         declare ptr @llvm.stacksave.p0()
         declare void @llvm.stackrestore.p0(ptr)
         define void @f(ptr %p, ptr %q, ...) {
           %s = call ptr @llvm.stacksave.p0()
           call void @llvm.va_start.p0(ptr %p)
           call void @llvm.va_copy.p0(ptr %q, ptr %p)
           call void @llvm.va_end.p0(ptr %p)
           call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 9, i1 false)
           call void @llvm.memset.p0.i32(ptr %p, i8 1, i32 4, i1 false)
           call void @llvm.stackrestore.p0(ptr %s)
           ret void
         }",
        &[
            "b0:",
            "v2:ptr = stacksave",
            "vastart v0, general 2, vector 0, stack 0",
            "memcpy v1, v0, 24:i64",
            "memmove v0, v1, 9:i64",
            "memset v0, 1:i8, 4:i32",
            "stackrestore v2",
            "ret",
        ],
    );
}

#[test]
fn inline_assembly_that_computes_nothing() {
    check(
        "define i64 @f(i64 %x, ptr %p) {
           call void asm sideeffect \"\", \"~{memory}\"()
           %y = call i64 asm \"\", \"=r,0,~{flags}\"(i64 %x)
           %z = call { i64, i64 } asm sideeffect \"# nothing\", \"=r,=r,=*m,1,0,*m\"(ptr elementtype(i8) %p, i64 %y, i64 3, ptr elementtype(i8) %p)
           %r = extractvalue { i64, i64 } %z, 1
           %u = call i64 asm \"rdtsc\", \"=A\"()
           ret i64 %r
         }",
        &["b0:", "v2:i64 = unsupported \"inline assembly \\22rdtsc\\22\"", "ret v0"],
    );
}

#[test]
fn labels_have_addresses() {
    let module = lower_text(
        "@labels = internal constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
         @distance = constant i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@f, %b) to i64),
                                                  i64 ptrtoint (ptr @labels to i64)) to i32)
         define i32 @f(i64 %i) {
           %p = getelementptr [2 x ptr], ptr @labels, i64 0, i64 %i
           %l = load ptr, ptr %p
           indirectbr ptr %l, [label %a, label %b, label %a]
         a:
           ret i32 1
         b:
           ret i32 2
         }",
    );
    let f = func(&module, "f");
    let function = &module.funcs[f];
    let entry = &function.blocks[function.entry().unwrap()];
    let Terminator::IndirectJump { targets, .. } = &entry.term else { panic!("no indirect jump") };
    let targets: Vec<_> = targets.iter().map(|e| e.block).collect();
    assert_eq!(targets.len(), 2, "no target twice");
    let labels = &module.globals[module.global_by_name("labels").unwrap()];
    let relocs = &labels.init.as_ref().unwrap().relocs;
    let symbols: Vec<_> = relocs.iter().map(|r| r.plus).collect();
    assert_eq!(symbols, targets.iter().map(|&b| byway_ir::Symbol::Block(f, b)).collect::<Vec<_>>());
    let distance = &module.globals[module.global_by_name("distance").unwrap()];
    let reloc = &distance.init.as_ref().unwrap().relocs[0];
    assert_eq!((reloc.width, reloc.minus.is_some()), (4, true));
}

#[test]
fn initialisers_are_bytes_and_addresses() {
    let module = lower_text(
        "%s = type { i8, i32, x86_fp80, [2 x i16], ptr, i24, <8 x i1> }
         @t = global i32 5
         @alias = alias i32, getelementptr (i32, ptr @t, i64 1)
         @g = global %s { i8 1, i32 -2, x86_fp80 0xK3FFF8000000000000000, [2 x i16] [i16 3, i16 4],
              ptr getelementptr (i8, ptr @alias, i64 -1), i24 -3,
              <8 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 1> }
         @zero = global [1000000 x i32] zeroinitializer
         @undefined = global [3 x i8] [i8 9, i8 undef, i8 poison]",
    );
    let global = |name: &str| &module.globals[module.global_by_name(name).unwrap()];
    let init = global("g").init.as_ref().unwrap();
    let mut expected = vec![1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff];
    expected.resize(16, 0);
    expected.extend([0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]);
    expected.resize(32, 0);
    expected.extend([3, 0, 4, 0]);
    expected.resize(48, 0);
    expected.extend([0xfd, 0xff, 0xff, 0, 0x85]);
    assert_eq!(init.bytes, expected);
    assert_eq!((init.relocs[0].offset, init.relocs[0].addend), (40, 3));
    assert_eq!(global("zero").size, 4_000_000);
    assert!(global("zero").init.as_ref().unwrap().bytes.is_empty());
    assert_eq!(global("undefined").init.as_ref().unwrap().bytes, [9]);
}

#[test]
fn locals_are_promoted_unless_the_function_returns_twice() {
    let text = |attribute: &str| {
        format!(
            "declare i32 @setjmp(ptr) {attribute}
             define i32 @f(i32 %x) noinline optnone {{
               %p = alloca i32
               store i32 %x, ptr %p
               %r = call i32 @setjmp(ptr null) {attribute}
               %y = load i32, ptr %p
               ret i32 %y
             }}"
        )
    };
    let allocas = |text: &str| {
        let module = lower_text(text);
        let f = &module.funcs[func(&module, "f")];
        f.insts.values().filter(|i| matches!(i, Inst::Alloca { .. })).count()
    };
    assert_eq!(allocas(&text("")), 0);
    assert_eq!(allocas(&text("returns_twice")), 1);
}

#[test]
fn promotion_hides_no_fault() {
    // A store past the end and a load with an unused result must be kept.
    check(
        "define void @f(ptr %p) {
           %a = alloca [2 x i32]
           %e = getelementptr inbounds [2 x i32], ptr %a, i64 0, i64 2
           store i32 1, ptr %e
           %unused = load i32, ptr %p
           ret void
         }",
        &[
            "b0:",
            "v1:ptr = alloca 8 x 1:i32, align 4",
            "v2:ptr = ptradd inbounds v1, 8",
            "store v2, 1:i32, align 4",
            "v3:i32 = load v0, align 4",
            "ret",
        ],
    );
}

#[test]
fn unsupported_features_end_only_the_path() {
    let module = lower_text(
        "define i64 @f(ptr %p, i1 %c) {
           %w = load i2048, ptr %p
           %v = add i2048 %w, 1
           br i1 %c, label %next, label %join
         next:
           br label %join
         join:
           %j = phi i2048 [ %v, %0 ], [ 0, %next ]
           %t = trunc i2048 %j to i64
           ret i64 %t
         }
         define i2048 @odd(i2048 %x, i32 %y) { ret i2048 %x }
         define i64 @caller(i32 %y) {
           %r = call i2048 @odd(i2048 1, i32 %y)
           %t = trunc i2048 %r to i64
           ret i64 %t
         }
         define double @limits(i256 %x, i256 %y, <2 x i256> %z) {
           %q = udiv i256 %x, %y
           %d = sitofp i256 %q to double
           %f = call i256 @llvm.fshl.i256(i256 %x, i256 %y, i256 %q)
           %v = call <2 x i256> @llvm.umin.v2i256(<2 x i256> %z, <2 x i256> %z)
           ret double %d
         }
         define i32 @unwinding() personality ptr null {
           invoke void @g() to label %fine unwind label %bad
         fine:
           ret i32 1
         bad:
           %l = landingpad { ptr, i32 } cleanup
           resume { ptr, i32 } %l
         }
         declare void @g()",
    );
    let whats = |name: &str| -> Vec<String> {
        let f = &module.funcs[func(&module, name)];
        let what = |i: &Inst| match i {
            Inst::Unsupported { what, .. } => Some(what.to_string()),
            _ => None,
        };
        f.insts.values().filter_map(what).collect()
    };
    assert!(whats("f").iter().all(|w| w.contains("i2048")), "{:?}", whats("f"));
    assert_eq!(whats("f").len(), 3, "{:?}", whats("f"));
    assert_eq!(whats("odd"), ["a value of type i2048 in the signature of odd"]);
    let limits = [
        "division of i256",
        "a conversion from i256 to double",
        "intrinsic llvm.fshl.i256",
        "intrinsic llvm.umin.v2i256",
    ];
    assert_eq!(whats("limits"), limits);
    assert!(!whats("caller").is_empty());
    assert_eq!(whats("unwinding"), ["instruction landingpad", "instruction resume"]);
}

#[test]
fn functions_chosen_at_load_time_are_declarations() {
    let module = lower_text(
        "@chosen = ifunc i32 (), ptr @resolver
         define ptr @resolver() { ret ptr null }
         define i32 @f() {
           %x = call i32 @chosen()
           ret i32 %x
         }",
    );
    assert!(module.funcs[func(&module, "chosen")].is_declaration());
    assert_eq!(body(&module, "f")[1], "v0:i32 = call @chosen()");
}
