//! The verifier on modules that the text form cannot express: a valid module
//! with one defect, and the expected error. Defects that the text can express
//! are in `tests/files/invalid_*.bwir`.

use byway_base::entity::EntityRef;
use byway_ir::{
    BlockId, Callee, Const, ConstId, FuncId, Function, GlobalId, Inst, InstId, LocId, Module,
    Operand, Symbol, Terminator, Ty, Val, text, verify,
};

const SOUND: &str = "
bwir 1
module \"sound\"
global user @g size 8 align 8 = {
  at 0 width 8: @callee
}
func user @f(v0:i32, v1:ptr) -> i32 {
b0:
  v2:i32 = add v0, 7:i32
  v3:i32 = load @g, align 4
  jump b1(v2)
b1(v4:i32):
  call @callee(v4)
  v5:i32 = mul v4, -1:i32
  ret v5
}
func user @callee()
ctor 1 @callee
";

fn valid() -> Module {
    let module = text::parse(SOUND).unwrap();
    verify(&module).unwrap();
    module
}

/// The errors of the valid module after a change to its function.
fn errors_after(change: impl FnOnce(&mut Function)) -> Vec<String> {
    errors_of(|m| change(&mut m.funcs[FuncId::new(0)]))
}

fn errors_of(change: impl FnOnce(&mut Module)) -> Vec<String> {
    let mut module = valid();
    change(&mut module);
    // Neither the printer nor the verifier may panic on a broken module.
    text::print(&module);
    verify(&module).unwrap_err().iter().map(ToString::to_string).collect()
}

fn inst(f: &mut Function, index: usize) -> &mut Inst {
    &mut f.insts[InstId::new(index)]
}

#[test]
fn parameters_come_first_and_in_order() {
    assert_eq!(
        errors_after(|f| f.params.swap(0, 1)),
        ["@f: the parameters are not v0, v1, ... in this order"]
    );
}

#[test]
fn integers_have_1_to_128_bits() {
    for bits in [0, 129] {
        let message = format!("@f: there is no type i{bits}: an integer has 1 to 128 bits");
        let errors = errors_after(|f| f.vals[Val::new(3)] = Ty::Int(bits));
        assert_eq!(errors[0], message);
        assert_eq!(errors_after(|f| f.rets[0] = Ty::Int(bits))[0], message);
    }
}

#[test]
fn constants_have_no_bits_above_their_width() {
    let bits = Const::Bits { ty: Ty::Int(32), bits: 1 << 32 };
    assert_eq!(
        errors_after(|f| f.consts[ConstId::new(0)] = bits),
        ["@f: const0 has bits above the width of i32"]
    );
}

#[test]
fn constants_are_unique() {
    assert_eq!(
        errors_after(|f| f.consts[ConstId::new(2)] = f.consts[ConstId::new(0)]),
        ["@f: const2 equals an earlier constant"]
    );
}

#[test]
fn constants_are_numbered_by_their_first_use() {
    let message = "@f: the constants are not numbered by their first use";
    let another = Const::Bits { ty: Ty::Int(32), bits: 9 };
    assert_eq!(errors_after(|f| f.consts.extend([another])), [message]);
    let swapped = errors_after(|f| {
        for (inst_index, c) in [(0, 2), (3, 0)] {
            if let Inst::Bin { b, .. } = inst(f, inst_index) {
                *b = ConstId::new(c).into();
            }
        }
    });
    assert_eq!(swapped, [message]);
}

#[test]
fn renumbering_repairs_the_constants() {
    let mut module = valid();
    let func = &mut module.funcs[FuncId::new(0)];
    for (inst_index, c) in [(0, 2), (3, 0)] {
        if let Inst::Bin { b, .. } = inst(func, inst_index) {
            *b = ConstId::new(c).into();
        }
    }
    func.consts.push(Const::Bits { ty: Ty::Int(32), bits: 9 });
    func.renumber_consts();
    verify(&module).unwrap();
    assert_eq!(text::parse(&text::print(&module)).unwrap(), module);
}

#[test]
fn addresses_refer_to_existing_symbols() {
    let address = |symbol| Const::Address { symbol, offset: 0 };
    let error_for = |symbol| errors_after(|f| f.consts[ConstId::new(1)] = address(symbol));
    assert_eq!(error_for(Symbol::Global(GlobalId::new(1))), ["@f: global1 does not exist"]);
    assert_eq!(error_for(Symbol::Func(FuncId::new(2))), ["@f: func2 does not exist"]);
    assert_eq!(
        error_for(Symbol::Block(FuncId::new(0), BlockId::new(2))),
        ["@f: the label b2 of @f does not exist"]
    );
}

#[test]
fn every_instruction_has_an_optional_source_location() {
    assert_eq!(errors_after(|f| f.locs.truncate(3)), ["@f: 3 source locations for 4 instructions"]);
    assert_eq!(
        errors_after(|f| f.locs[1] = Some(LocId::new(0))),
        ["@f, b0, inst1: loc0 does not exist"]
    );
}

#[test]
fn blocks_cover_the_instructions_once() {
    let block = BlockId::new(1);
    assert_eq!(
        errors_after(|f| f.blocks[block].first = InstId::new(1)),
        ["@f, b1: its instructions are inst1 to inst4, but 2 is the next in no block"]
    );
    assert_eq!(
        errors_after(|f| f.blocks[block].first = InstId::new(3)),
        ["@f, b1: its instructions are inst3 to inst4, but 2 is the next in no block"]
    );
    assert_eq!(
        errors_after(|f| f.blocks[block].end = InstId::new(3)),
        ["@f: the blocks hold 3 of 4 instructions"]
    );
    assert_eq!(
        errors_after(|f| f.blocks[block].end = InstId::new(9)),
        ["@f: the blocks hold 9 of 4 instructions"]
    );
    assert_eq!(
        errors_after(|f| f.blocks[block].end = InstId::new(0)),
        ["@f, b1: its instructions are inst2 to inst0, but 2 is the next in no block"]
    );
}

#[test]
fn references_refer_to_existing_entities() {
    let missing: [(Operand, _); 2] =
        [(Val::new(9).into(), "v9"), (ConstId::new(9).into(), "const9")];
    for (op, name) in missing {
        let errors = errors_after(|f| {
            if let Inst::Load { addr, .. } = inst(f, 1) {
                *addr = op;
            }
        });
        assert_eq!(errors, [format!("@f, b0, inst1: {name} does not exist")]);
        let errors = errors_after(|f| {
            f.blocks[BlockId::new(1)].term = Terminator::Return(Box::new([op]));
        });
        assert_eq!(errors, [format!("@f, b1: {name} does not exist")]);
    }
    let errors = errors_after(|f| {
        if let Inst::Call { callee, .. } = inst(f, 2) {
            *callee = Callee::Direct(FuncId::new(7));
        }
    });
    assert_eq!(errors, ["@f, b1, inst2: func7 does not exist"]);
    assert_eq!(
        errors_of(|m| m.ctors[0].func = FuncId::new(7)),
        ["constructors: func7 does not exist"]
    );
}

#[test]
fn each_value_is_defined_once() {
    let errors = errors_after(|f| {
        if let Inst::Bin { dst, .. } = inst(f, 3) {
            *dst = Val::new(3);
        }
    });
    assert_eq!(errors, ["@f, b1, inst3: v3 is defined a second time", "@f: v5 is not defined"]);
    let errors = errors_after(|f| {
        if let Inst::Bin { dst, .. } = inst(f, 3) {
            *dst = Val::new(8);
        }
    });
    assert_eq!(errors, ["@f, b1, inst3: v8 does not exist", "@f: v5 is not defined"]);
    let errors = errors_after(|f| f.blocks[BlockId::new(1)].params[0] = Val::new(8));
    assert_eq!(errors, ["@f, b1: v8 does not exist", "@f: v4 is not defined"]);
}

#[test]
fn symbols_have_unique_names() {
    assert_eq!(
        errors_of(|m| m.funcs[FuncId::new(1)].name = "g".to_owned()),
        ["@g: another symbol has the same name"]
    );
}
