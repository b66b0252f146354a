//! Debug locations and types are preserved by the lowering.

use byway_ir::DebugTy;

use crate::support::{func, lower_text};

const PROGRAM: &str = r#"
define i32 @outer(i32 %x, ptr %list) !dbg !5 {
  %cell = alloca [4 x i32], align 4
    #dbg_declare(ptr %cell, !20, !DIExpression(), !21)
  %a = add nsw i32 %x, 1, !dbg !11
  %b = mul nsw i32 %a, 2, !dbg !12
  store i32 %b, ptr %cell, align 4
  ret i32 %b, !dbg !13
}
@table = global [2 x [3 x i32]] zeroinitializer, align 4, !dbg !30

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, globals: !33)
!1 = !DIFile(filename: "main.c", directory: "/src")
!2 = !DIFile(filename: "inline.h", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7, !"Dwarf Version", i32 5}
!5 = distinct !DISubprogram(name: "outer", file: !1, line: 10, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{!8, !8, !9}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !40, size: 64)
!10 = distinct !DISubprogram(name: "inlined", file: !2, line: 3, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 4, column: 7, scope: !10, inlinedAt: !14)
!12 = !DILocation(line: 12, column: 9, scope: !5)
!13 = !DILocation(line: 13, column: 3, scope: !5)
!14 = distinct !DILocation(line: 12, column: 5, scope: !5)
!20 = !DILocalVariable(name: "cell", scope: !5, file: !1, line: 11, type: !8)
!21 = !DILocation(line: 11, column: 7, scope: !5)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(name: "table", file: !1, line: 5, type: !32, isDefinition: true)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 192, elements: !34)
!33 = !{!30}
!34 = !{!35, !36}
!35 = !DISubrange(count: 2)
!36 = !DISubrange(count: 3)
!40 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !41)
!41 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "list", file: !1, line: 1, size: 128, elements: !42)
!42 = !{!43, !44}
!43 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !8, size: 32)
!44 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !45, size: 64, offset: 64)
!45 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !41, size: 64)
"#;

#[test]
fn locations_with_their_inlined_calls() {
    let m = lower_text(PROGRAM);
    let f = &m.funcs[func(&m, "outer")];
    let add = f.insts.iter().find(|(_, i)| matches!(i, byway_ir::Inst::Bin { .. })).unwrap().0;
    let frames = m.frames_at(f.loc(add).expect("a location"), f.origin);
    let seen: Vec<(String, String)> =
        frames.iter().map(|f| (f.function.clone(), f.loc.as_ref().unwrap().to_string())).collect();
    let expected = [("inlined", "/src/inline.h:4:7"), ("outer", "/src/main.c:12:5")];
    assert_eq!(seen, expected.map(|(f, l)| (f.to_string(), l.to_string())));
    let entry = &f.blocks[f.entry().unwrap()];
    assert_eq!(m.src_loc(entry.term_loc.unwrap()).to_string(), "/src/main.c:13:3");
    assert_eq!(m.debug.scopes[f.scope.unwrap()].line, 10);
}

#[test]
fn types_of_functions_and_globals() {
    let m = lower_text(PROGRAM);
    let types = &m.debug.types;
    let f = &m.funcs[func(&m, "outer")];
    let DebugTy::Function { result, params, variadic } = &types[f.ty.unwrap()] else {
        panic!("not a function type");
    };
    assert!(!variadic);
    assert_eq!(result, &params[0]);
    let DebugTy::Pointer(Some(list)) = types[params[1].unwrap()] else { panic!("no pointer") };
    let DebugTy::Struct { name, size, union, members } = &types[list] else {
        panic!("the const qualifier is not removed")
    };
    assert_eq!((name.as_str(), *size, *union), ("list", 16, false));
    assert_eq!((members[1].name.as_str(), members[1].offset_bits), ("next", 64));
    assert_eq!(types[members[1].ty.unwrap()], DebugTy::Pointer(Some(list)), "a cycle");

    let table = &m.globals[m.global_by_name("table").unwrap()];
    let DebugTy::Array { element, count: Some(2) } = types[table.ty.unwrap()] else {
        panic!("the outer dimension comes first")
    };
    assert!(matches!(types[element], DebugTy::Array { count: Some(3), .. }));
    assert_eq!(m.src_loc(table.loc.unwrap()).line, 5);
}

#[test]
fn allocas_carry_their_variables_names() {
    let m = lower_text(PROGRAM);
    let f = &m.funcs[func(&m, "outer")];
    let named = f
        .insts
        .values()
        .any(|i| matches!(i, byway_ir::Inst::Alloca { name, size: 16, .. } if &**name == "cell"));
    assert!(named);
}
