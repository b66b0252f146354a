//! The checker accepts what the compiler produces and rejects code with a wrong slot.

use byway_base::entity::{EntityRef, SecondaryMap};
use byway_ir::{BlockId, Const, FuncId, Module, Ty};

use super::super::compile::compile_with;
use super::super::slots::{Liveness, live_at_start};
use super::super::{ByteOp, Code, CompileContext};
use super::{SlotError, check};
use crate::Checks;
use crate::watch::{Watch, WatchId};

#[path = "../../../../ir/tests/it/generate.rs"]
#[allow(dead_code)] // its other tests use more of the generator
mod generate;

/// A context that needs no layout: addresses are numbers of symbols.
struct TestContext<'m> {
    module: &'m Module,
    sites: bool,
    counts: bool,
    checks: Checks,
    /// The name of the function that returns twice.
    setjmp: &'static str,
}

impl<'m> TestContext<'m> {
    fn new(module: &'m Module) -> Self {
        TestContext {
            module,
            sites: false,
            counts: false,
            checks: Checks::default(),
            setjmp: "setjmp",
        }
    }
}

impl CompileContext for TestContext<'_> {
    fn address(&self, constant: &Const) -> u64 {
        match *constant {
            Const::Bits { bits, .. } => bits as u64,
            Const::Address { offset, .. } => (offset as u64).wrapping_add(1 << 40),
        }
    }

    fn signature(&self, func: FuncId) -> Option<Vec<Ty>> {
        let func = &self.module.funcs[func];
        let types = || func.params.iter().map(|&param| func.vals[param]).collect();
        (!func.is_declaration() && !func.variadic).then(types)
    }

    fn returns_twice(&self, func: FuncId) -> bool {
        self.module.funcs[func].name == self.setjmp
    }

    fn is_sanitizer_handler(&self, _: FuncId) -> bool {
        false
    }

    fn label(&self, _: FuncId, block: BlockId) -> u64 {
        block.index() as u64
    }

    fn first_site(&self, _: FuncId) -> Option<u32> {
        self.sites.then_some(0)
    }

    fn watches(&self, _: FuncId) -> &[(WatchId, Watch)] {
        &[]
    }
    fn counts_executions(&self) -> bool {
        self.counts
    }

    fn traces_branches(&self) -> bool {
        self.counts
    }

    fn checks(&self) -> Checks {
        self.checks
    }
}

/// Compiles and checks all functions with bodies; returns how many, and the errors.
fn check_all(context: &TestContext, liveness: Liveness) -> (usize, Vec<SlotError>) {
    let bodies = context.module.funcs.iter().filter(|(_, func)| !func.is_declaration());
    let results = bodies.map(|(id, func)| {
        let code = compile_with(id, func, context, liveness);
        check(func, &code, context)
    });
    let results: Vec<_> = results.collect();
    (results.len(), results.into_iter().filter_map(Result::err).collect())
}

fn parse(body: &str) -> Module {
    let text = format!(
        "bwir 1\nmodule \"test\"\nfunc user @setjmp(v0:ptr) -> i32\n\
         func user @other()\nfunc user @main(v0:i32) -> i32 {{\n{body}}}\n"
    );
    let module = byway_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    module
}

/// A wrong liveness analysis: no value is live across blocks.
const NOTHING_LIVES: Liveness = |_, _, _| Some(SecondaryMap::new());

#[test]
fn generated_functions_pass_with_every_option() {
    let mut checked = 0;
    for seed in 0..400 {
        let module = generate::module(seed, 1 + seed as usize % 30);
        let bit = |i: u64| seed >> i & 1 == 1;
        let checks = Checks {
            alignment: bit(2),
            uninitialised: false,
            signed_overflow: bit(3),
            shift: bit(3),
            leak: bit(4),
        };
        let context =
            TestContext { sites: bit(0), counts: bit(1), checks, ..TestContext::new(&module) };
        let (count, errors) = check_all(&context, live_at_start);
        assert!(errors.is_empty(), "seed {seed}: {}", errors[0]);
        checked += count;
    }
    assert!(checked > 400, "{checked} functions");
}

#[test]
fn a_wrong_liveness_analysis_is_found_in_generated_functions() {
    let broken = |seed| {
        let module = generate::module(seed, 30);
        !check_all(&TestContext::new(&module), NOTHING_LIVES).1.is_empty()
    };
    let found = (0..100).filter(|&seed| broken(seed)).count();
    assert!(found > 10, "{found} of 100 modules");
}

/// `v1` is live across a loop that computes `v4` and `v5`.
const LOOP: &str = "b0:\n  v1:i32 = mul v0, v0\n  jump b1(v0)\n\
    b1(v2:i32):\n  v3:i1 = icmp eq v2, 0:i32\n  br v3, b3, b2\n\
    b2:\n  v4:i32 = mul v2, v2\n  v5:i32 = sub v4, 1:i32\n  jump b1(v5)\n\
    b3:\n  ret v1\n";

#[test]
fn a_value_live_across_a_loop_keeps_its_slot() {
    let module = parse(LOOP);
    let context = TestContext::new(&module);
    assert!(check_all(&context, live_at_start).1.is_empty());
    let without_v1: Liveness = |cfg, events, most| {
        let mut live = live_at_start(cfg, events, most)?;
        live[BlockId::new(2)].retain(|val| val.index() != 1);
        Some(live)
    };
    let errors = check_all(&context, without_v1).1;
    assert!(errors.len() == 1, "{errors:?}");
    assert!(errors[0].to_string().contains("holds"), "{}", errors[0]);
}

fn compile_main(module: &Module) -> Code {
    let main = module.func_by_name("main").expect("main is defined");
    compile_with(main, &module.funcs[main], &TestContext::new(module), live_at_start)
}

/// Each written slot of each operation in turn is replaced by each other slot.
#[test]
fn any_other_destination_in_a_block_is_found() {
    let body = "b0:\n  v1:i32 = mul v0, v0\n  v2:i32 = add v1, v0\n  v3:i32 = mul v1, v2\n  \
        v4:i32 = sub v3, v2\n  ret v4\n";
    let module = parse(body);
    let main = &module.funcs[module.func_by_name("main").expect("main is defined")];
    let good = compile_main(&module);
    assert!(check(main, &good, &TestContext::new(&module)).is_ok());
    let mut broken = 0;
    for at in 0..good.ops.len() {
        for slot in 0..good.template.len() as u32 {
            let mut code = compile_main(&module);
            match &mut code.ops[at] {
                ByteOp::Mul { d, .. } | ByteOp::Add { d, .. } | ByteOp::Sub { d, .. }
                    if *d != slot =>
                {
                    *d = slot;
                }
                _ => continue,
            }
            assert!(check(main, &code, &TestContext::new(&module)).is_err(), "{at}, {slot}");
            broken += 1;
        }
    }
    assert!(broken > 4, "{broken} variants");
}

#[test]
fn a_second_return_of_setjmp_needs_the_slots_of_all_calls() {
    // `v2` is used when `setjmp` returns again, from the call of `@other`; no edge of the IR
    // leads from there to its use.
    let body = "b0:\n  v1:ptr = alloca 1 x 64:i64, align 16\n  v2:i32 = mul v0, v0\n  \
        v3:i32 = call @setjmp(v1)\n  v4:i1 = icmp eq v3, 0:i32\n  br v4, b1, b2\n\
        b1:\n  v5:i32 = add v0, 1:i32\n  v6:i32 = add v0, 2:i32\n  call @other()\n  \
        v7:i32 = mul v5, v6\n  ret v7\n\
        b2:\n  ret v2\n";
    let module = parse(body);
    assert!(check_all(&TestContext::new(&module), live_at_start).1.is_empty());
    // Compiled as if `setjmp` returned once: `v6` overwrites `v2`.
    let once = TestContext { setjmp: "", ..TestContext::new(&module) };
    let main = module.func_by_name("main").expect("main is defined");
    let code = compile_with(main, &module.funcs[main], &once, live_at_start);
    assert!(check(&module.funcs[main], &code, &once).is_ok());
    assert!(check(&module.funcs[main], &code, &TestContext::new(&module)).is_err());
}
