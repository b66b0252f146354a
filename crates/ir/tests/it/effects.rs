//! The effects of calls against their definition.

use std::collections::BTreeSet;

use byway_ir::analysis::effects::{Effects, MemoryRange};
use byway_ir::analysis::points_to::AbstractObjectKind;
use byway_ir::analysis::{PointsTo, ProgramEffects};
use byway_ir::{Module, text};

use crate::files::points_to;

/// Reads, writes and replaced ranges.
type Ranges = [BTreeSet<MemoryRange>; 3];

fn ranges(effects: &Effects) -> Ranges {
    [&effects.reads, &effects.writes, &effects.replaces].map(|set| set.iter().collect())
}

/// The ranges of all functions: the least sets that have those of the function's instructions
/// and callees, without its local variables if it is not recursive.
fn defined(module: &Module, points_to: &PointsTo, effects: &ProgramEffects) -> Vec<Ranges> {
    let mut all = vec![Ranges::default(); module.funcs.len()];
    loop {
        let before = all.clone();
        for (id, func) in module.funcs.iter().filter(|(id, _)| points_to.is_reached(*id)) {
            let is_gone = |range: &MemoryRange| {
                let kind = points_to.objects()[range.object].kind;
                let is_own = matches!(kind, AbstractObjectKind::Local(owner, _) if owner == id);
                is_own && !effects.is_recursive(id)
            };
            for inst in func.insts.keys() {
                let mut parts = vec![ranges(&effects.of_inst(module, points_to, id, inst))];
                let callees = points_to.callees(id, inst).iter();
                parts.extend(callees.map(|it| all[it.as_u32() as usize].clone()));
                for part in parts {
                    for (set, more) in all[id.as_u32() as usize].iter_mut().zip(part) {
                        set.extend(more.into_iter().filter(|range| !is_gone(range)));
                    }
                }
            }
        }
        if all == before {
            return all;
        }
    }
}

#[test]
fn calls_do_what_their_instructions_and_callees_do() {
    for file in [include_str!("../files/points_to.bwir"), include_str!("../files/dependence.bwir")]
    {
        let module = text::parse(file).expect("it parses");
        let points_to = points_to(&module);
        let effects = ProgramEffects::new(&module, &points_to, usize::MAX);
        let defined = defined(&module, &points_to, &effects);
        assert!(defined.iter().any(|sets| sets.iter().all(|set| !set.is_empty())));
        for (id, func) in module.funcs.iter() {
            let found = ranges(effects.of_call(id));
            assert_eq!(found, defined[id.as_u32() as usize], "of @{}", func.name);
        }
    }
}

#[test]
fn many_ranges_of_an_object_become_all_of_it() {
    let module = text::parse(include_str!("../files/points_to.bwir")).expect("it parses");
    let points_to = points_to(&module);
    let exact = ProgramEffects::new(&module, &points_to, usize::MAX);
    let coarse = ProgramEffects::new(&module, &points_to, 1);
    let main = module.func_by_name("main").expect("there is a main function");
    for range in exact.of_call(main).reads.iter() {
        let of_object = exact.of_call(main).reads.iter().filter(|it| it.object == range.object);
        let is_alone = of_object.count() == 1;
        let wanted = if is_alone { range } else { MemoryRange::whole(range.object) };
        assert!(coarse.of_call(main).reads.iter().any(|it| it == wanted));
    }
}
