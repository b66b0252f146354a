//! The examples of the documentation are valid programs.

use byway_ir::{BinOp, CastOp, FBinOp, FUnOp, Fcmp, Icmp, OverflowOp, UnOp, text, verify};

const PAGE: &str = include_str!("../../../../docs/ir.md");

#[test]
fn examples_verify_and_print_unchanged() {
    let mut count = 0;
    for block in PAGE.split("```bwir\n").skip(1) {
        let example = block.split("```").next().unwrap();
        let module = text::parse(example).unwrap_or_else(|e| panic!("{e}"));
        verify(&module).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(text::print(&module), example);
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn every_operation_is_listed() {
    let operations = (BinOp::ALL.iter().map(|op| op.mnemonic()))
        .chain(UnOp::ALL.iter().map(|op| op.mnemonic()))
        .chain(OverflowOp::ALL.iter().map(|op| op.mnemonic()))
        .chain(Icmp::ALL.iter().map(|op| op.mnemonic()))
        .chain(Fcmp::ALL.iter().map(|op| op.mnemonic()))
        .chain(FBinOp::ALL.iter().map(|op| op.mnemonic()))
        .chain(FUnOp::ALL.iter().map(|op| op.mnemonic()))
        .chain(CastOp::ALL.iter().map(|op| op.mnemonic()));
    for name in operations {
        assert!(PAGE.contains(&format!("`{name}`")), "{name} is missing");
    }
}
