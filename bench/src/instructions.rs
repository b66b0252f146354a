//! The kinds of instructions a program is made of, by name: the rows of the
//! coverage table.

use byway_ir::{
    BinOp, Callee, CastOp, FBinOp, FUnOp, Fcmp, Function, Icmp, Inst, OverflowOp, Scaled,
    Terminator, UnOp,
};

/// Every kind there is. `unsupported` is none: a program that contains one
/// cannot agree with anything.
pub fn all() -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let mut add = |names: &mut dyn Iterator<Item = String>| rows.extend(names);
    let word = str::to_owned;
    add(&mut BinOp::ALL.iter().map(|op| word(op.mnemonic())));
    add(&mut UnOp::ALL.iter().map(|op| word(op.mnemonic())));
    add(&mut OverflowOp::ALL.iter().map(|op| word(op.mnemonic())));
    add(&mut ["fshl", "fshr"].into_iter().map(word));
    add(&mut Icmp::ALL.iter().map(|&pred| icmp(pred)));
    add(&mut FBinOp::ALL.iter().map(|op| word(op.mnemonic())));
    add(&mut FUnOp::ALL.iter().map(|op| word(op.mnemonic())));
    add(&mut ["fma", "fpclass"].into_iter().map(word));
    add(&mut Fcmp::ALL.iter().map(|&pred| fcmp(pred)));
    add(&mut CastOp::ALL.iter().map(|op| word(op.mnemonic())));
    add(&mut OTHERS.iter().copied().map(word));
    rows
}

/// The kinds without an operator, and the ways to call.
const OTHERS: [&str; 26] = [
    "select",
    "ptradd",
    "ptradd, scaled",
    "load",
    "load, volatile",
    "store",
    "store, volatile",
    "alloca",
    "alloca, counted",
    "stacksave",
    "stackrestore",
    "memcpy",
    "memmove",
    "memset",
    "call",
    "call, indirect",
    "call, variadic",
    "call, several results",
    "vastart",
    "trap",
    "jump",
    "br",
    "switch",
    "indirectjump",
    "ret",
    "unreachable",
];

/// The kinds of a function's instructions, with repetitions.
pub fn of(func: &Function) -> Vec<String> {
    let mut rows = Vec::new();
    func.insts.values().for_each(|inst| of_inst(inst, &mut rows));
    rows.extend(func.blocks.values().map(|block| of_terminator(&block.term).to_owned()));
    rows
}

fn of_inst(inst: &Inst, rows: &mut Vec<String>) {
    let mut also = |what: &str, holds: bool| {
        let name = inst.mnemonic();
        rows.extend(holds.then(|| format!("{name}, {what}")));
    };
    match inst {
        Inst::Icmp { pred, .. } => return rows.push(icmp(*pred)),
        Inst::Fcmp { pred, .. } => return rows.push(fcmp(*pred)),
        Inst::Unsupported { .. } => return,
        Inst::PtrAdd { scaled, .. } => also("scaled", matches!(scaled, Some(Scaled { .. }))),
        Inst::Load { volatile, .. } | Inst::Store { volatile, .. } => also("volatile", *volatile),
        Inst::Alloca { count, .. } => also("counted", count.as_val().is_some()),
        Inst::Call { callee, varargs, dsts, .. } => {
            also("indirect", matches!(callee, Callee::Indirect(_)));
            also("variadic", !varargs.is_empty());
            also("several results", dsts.len() > 1);
        }
        Inst::Bin { .. }
        | Inst::Un { .. }
        | Inst::Overflow { .. }
        | Inst::Funnel { .. }
        | Inst::FBin { .. }
        | Inst::FUn { .. }
        | Inst::Fma { .. }
        | Inst::FpClass { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. }
        | Inst::StackSave { .. }
        | Inst::Lifetime { .. }
        | Inst::Undefined { .. }
        | Inst::StackRestore { .. }
        | Inst::MemCopy { .. }
        | Inst::MemSet { .. }
        | Inst::VaStart { .. }
        | Inst::Trap => {}
        // It is never executed.
        Inst::Line => return,
    }
    rows.push(inst.mnemonic().to_owned());
}

fn of_terminator(term: &Terminator) -> &'static str {
    term.mnemonic()
}

fn icmp(pred: Icmp) -> String {
    format!("icmp {}", pred.mnemonic())
}

fn fcmp(pred: Fcmp) -> String {
    format!("fcmp {}", pred.mnemonic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_ir::text;

    #[test]
    fn every_kind_found_is_a_row() {
        let source = "bwir 1 module \"m\"\n\
            func user @f(v0: i32, v1: ptr) -> i32 {\n\
            b0:\n\
              v2: i32 = add v0, v0\n\
              v3: i1 = icmp slt v2, v0\n\
              br v3, b1, b2\n\
            b1:\n\
              ret v2\n\
            b2:\n\
              trap\n\
              unreachable\n\
            }\n";
        let module = text::parse(source).expect("good text");
        let found: Vec<String> = module.funcs.values().flat_map(of).collect();
        assert_eq!(found, ["add", "icmp slt", "trap", "br", "ret", "unreachable"]);
        let all = all();
        assert!(found.iter().all(|row| all.contains(row)));
    }

    #[test]
    fn no_row_comes_twice() {
        let mut rows = all();
        let count = rows.len();
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), count);
    }
}
