//! Paths that start in a function: what its parameters, the program's variables and the objects
//! behind pointers can be. The programs are in the IR's text form, with debug types.

use std::collections::BTreeSet;
use std::rc::Rc;

use byway_base::{FaultKind, Outcome};
use byway_engine::{
    Config, Control, EntryError, Exploration, ExploreConfig, Feasibility, InputShape, Observer,
    PathEnd, PointerTarget, SearchStrategy, ShapeKind, Totals, UnconstrainedOptions, WorkerPool,
    add_entry, explore, explore_in_jobs, start_at,
};
use byway_ir::Module;
use byway_solver::SolverOptions;

const SEARCHERS: [&str; 5] = ["dfs", "bfs", "random-path", "auto", "generational"];

/// Types that all programs share.
const TYPES: &str = "
type0 = base \"int\" bits 32 signed
type1 = struct \"node\" size 16 {\"value\" type0 at 0 bits 32, \"next\" type2 at 64 bits 64}
type2 = pointer type1
type3 = base \"char\" bits 8 signed
type4 = pointer type3
type5 = pointer void
type6 = pointer type0
type7 = function type0 (type0)
type8 = pointer type7
type9 = function type0 (type2)
type10 = function type0 (type4)
type11 = function type0 (type5)
type12 = function type0 (type6, type0)
type13 = function type0 (type8)
type14 = struct \"tree\" size 24 {\"left\" type15 at 0 bits 64, \"right\" type15 at 64 bits 64, \"leaf\" type0 at 128 bits 32}
type15 = pointer type14
type16 = function type0 (type15)
type17 = function type0 (type2, type2)
type18 = function type0 (type1)
type19 = array type4 [2]
type20 = struct \"mixed\" size 40 {\"names\" type19 at 0 bits 128, \"tag\" type21 at 128 bits 128, \"next\" type2 at 256 bits 64}
type21 = array type3 [16]
type22 = pointer type20
type23 = function type0 (type22)
type24 = function type0 ()
";

fn module(text: &str, entry: &str) -> Module {
    let text = format!("bwir 1\nmodule \"test\"\n{TYPES}{text}");
    let mut module = byway_ir::text::parse(&text).expect("it is well formed");
    byway_ir::verify(&module).expect("it is valid");
    let func = module.func_by_name(entry).expect("the function is there");
    let entry = add_entry(&mut module, func, None).expect("a path can start there");
    start_at(&mut module, entry);
    byway_ir::verify(&module).expect("it is still valid");
    module
}

#[derive(Default)]
struct Paths(Vec<PathEnd>);

impl Observer for Paths {
    fn path(&mut self, path: &PathEnd, _totals: &Totals) -> Control {
        self.0.push(path.clone());
        Control::Continue
    }

    fn tick(&mut self, _totals: &Totals) -> Control {
        Control::Continue
    }

    fn message(&mut self, _text: &str) {}
}

fn config(options: UnconstrainedOptions) -> ExploreConfig {
    ExploreConfig {
        engine: Config { coverage: true, unconstrained: options, ..Config::default() },
        feasibility: Feasibility::Eager,
        seed: 3,
        ..ExploreConfig::default()
    }
}

fn solver() -> SolverOptions {
    SolverOptions {
        check: true,
        log: None,
        interrupt: None,
        memory: None,
        on_error: Rc::new(|error| panic!("{error}")),
    }
}

fn explored_by(
    module: &Module,
    search: &str,
    options: UnconstrainedOptions,
) -> (Exploration, Vec<PathEnd>) {
    let mut paths = Paths::default();
    let mut searcher = byway_search::build(&[search]).expect("a searcher");
    let strategy = SearchStrategy::new(&mut *searcher);
    let explored = explore(module, &config(options), strategy, solver(), None, &mut paths);
    (explored.expect("it runs"), paths.0)
}

/// Explores with every searcher, which must find the same paths; those of the first.
fn explored(text: &str, entry: &str, options: UnconstrainedOptions) -> (Exploration, Vec<PathEnd>) {
    let module = module(text, entry);
    let all = SEARCHERS.map(|search| explored_by(&module, search, options));
    let digests = |paths: &[PathEnd]| paths.iter().map(|it| it.digest).collect::<BTreeSet<u64>>();
    let first = digests(&all[0].1);
    for ((_, paths), search) in all.iter().zip(SEARCHERS) {
        assert_eq!(digests(paths), first, "{search}");
        assert_eq!(paths.len(), all[0].1.len(), "{search}");
    }
    all.into_iter().next().expect("there are searchers")
}

fn exits(paths: &[PathEnd]) -> Vec<i32> {
    let mut codes: Vec<i32> = paths
        .iter()
        .filter_map(|path| match path.outcome {
            Outcome::Exit(code) => Some(code),
            _ => None,
        })
        .collect();
    codes.sort_unstable();
    codes
}

fn faults(paths: &[PathEnd]) -> Vec<FaultKind> {
    let mut kinds: Vec<FaultKind> = paths
        .iter()
        .filter_map(|path| match &path.outcome {
            Outcome::Fault(fault) => Some(fault.kind),
            _ => None,
        })
        .collect();
    kinds.sort_by_key(|kind| *kind as u8);
    kinds
}

fn shape(path: &PathEnd) -> &InputShape {
    path.shape.as_deref().expect("a test has a shape")
}

/// How many objects the path accessed behind the first parameter's pointers.
fn list_length(path: &PathEnd) -> usize {
    let shape = shape(path);
    let (mut at, mut length) = (0, 0);
    while let Some(pointer) = shape.objects[at].pointers.last() {
        let PointerTarget::Object(next) = pointer.target else { break };
        (at, length) = (next, length + 1);
    }
    length
}

const LENGTH: &str = "
func user @length(v0:ptr) -> i32 !type9 {
b0:
  jump b1(v0, 0:i32)
b1(v1:ptr, v2:i32):
  v3:i1 = icmp eq v1, 0x0:ptr
  br v3, b2, b3
b2:
  ret v2
b3:
  v4:ptr = ptradd v1, 8
  v5:ptr = load v4, align 8
  v6:i32 = add v2, 1:i32
  jump b1(v5, v6)
}
";

#[test]
fn a_list_grows_as_far_as_it_is_followed() {
    let (explored, paths) = explored(LENGTH, "length", UnconstrainedOptions::default());
    assert_eq!(exits(&paths), [0; 4], "the entry returns 0, whatever the function does");
    let mut lengths: Vec<usize> = paths.iter().map(list_length).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [0, 1, 2, 3]);
    let cut: u64 = explored.totals.losses.concretised.values().sum();
    assert_eq!(cut, 1, "the last list ends because of the bound, which is counted");
}

#[test]
fn the_depth_is_a_bound() {
    for depth in 1..=5 {
        let options = UnconstrainedOptions { depth, ..UnconstrainedOptions::default() };
        let (_, paths) = explored(LENGTH, "length", options);
        assert_eq!(paths.len() as u32, depth + 1);
    }
}

#[test]
fn an_access_through_a_pointer_may_be_one_through_null() {
    let text = "
func user @first(v0:ptr) -> i32 !type9 {
b0:
  v1:i32 = load v0, align 4
  v2:i1 = icmp eq v1, 42:i32
  br v2, b1, b2
b1:
  store v0, 43:i32, align 4
  ret 1:i32
b2:
  ret 0:i32
}
";
    let (_, paths) = explored(text, "first", UnconstrainedOptions::default());
    assert_eq!(faults(&paths), [FaultKind::NullDereference]);
    assert_eq!(exits(&paths).len(), 2);
    let of_42 = paths.iter().find(|path| {
        shape(path).objects.get(1).is_some_and(|object| object.bytes.starts_with(&[42, 0, 0, 0]))
    });
    let objects = &shape(of_42.expect("one path found the number")).objects;
    assert_eq!(objects[0].kind, ShapeKind::Parameter(0));
    assert_eq!(objects[0].pointers[0].target, PointerTarget::Object(1));
    assert_eq!((objects[1].kind.clone(), objects[1].bytes.len()), (ShapeKind::Pointee, 16));
    assert_eq!(objects[1].name, "arg0");
}

/// The bytes of a string are followed up to the zero that ends it, and no further.
const STRING: &str = "
func user @len(v0:ptr) -> i32 !type10 {
b0:
  jump b1(v0, 0:i32)
b1(v1:ptr, v2:i32):
  v3:i8 = load v1, align 1
  v4:i1 = icmp eq v3, 0:i8
  br v4, b2, b3
b2:
  ret v2
b3:
  v5:ptr = ptradd v1, 1
  v6:i32 = add v2, 1:i32
  jump b1(v5, v6)
}
";

#[test]
fn a_string_ends_unless_an_option_says_otherwise() {
    let (_, paths) = explored(STRING, "len", UnconstrainedOptions::default());
    assert_eq!((exits(&paths).len(), faults(&paths)), (8, vec![FaultKind::NullDereference]));
    let options = UnconstrainedOptions { terminated: false, ..UnconstrainedOptions::default() };
    let (_, paths) = explored(STRING, "len", options);
    assert_eq!(exits(&paths).len(), 8);
    assert_eq!(faults(&paths), [FaultKind::OutOfBounds, FaultKind::NullDereference]);
}

#[test]
fn an_index_is_checked_against_the_array_behind_the_pointer() {
    let text = "
func user @at(v0:ptr, v1:i32) -> i32 !type12 {
b0:
  v2:i64 = sext v1
  v3:ptr = ptradd v0, 0, v2 * 4
  v4:i32 = load v3, align 4
  ret v4
}
";
    for elements in [1, 8, 100] {
        let options = UnconstrainedOptions { elements, ..UnconstrainedOptions::default() };
        let (_, paths) = explored(text, "at", options);
        let expected = [FaultKind::OutOfBounds, FaultKind::NullDereference];
        assert_eq!((exits(&paths).len(), faults(&paths)), (1, expected.to_vec()), "{elements}");
    }
}

#[test]
fn an_unknown_type_is_words() {
    let text = "
func user @words(v0:ptr) -> i32 !type11 {
b0:
  v1:ptr = ptradd v0, 56
  v2:i64 = load v1, align 8
  v3:ptr = ptradd v0, 60
  v4:i64 = load v3, align 1
  ret 0:i32
}
";
    let (_, paths) = explored(text, "words", UnconstrainedOptions::default());
    assert_eq!(faults(&paths), [FaultKind::OutOfBounds, FaultKind::NullDereference]);
}

#[test]
fn a_tree_has_every_shape_within_the_bounds() {
    // Counts nodes: a tree of at most two levels has 1 + 2 * 2 shapes.
    let text = "
func user @size(v0:ptr) -> i32 !type16 {
b0:
  v1:i1 = icmp eq v0, 0x0:ptr
  br v1, b1, b2
b1:
  ret 0:i32
b2:
  v2:ptr = load v0, align 8
  v3:i32 = call @size(v2)
  v4:ptr = ptradd v0, 8
  v5:ptr = load v4, align 8
  v6:i32 = call @size(v5)
  v7:i32 = add v3, v6
  v8:i32 = add v7, 1:i32
  ret v8
}
";
    let options = UnconstrainedOptions { depth: 2, ..UnconstrainedOptions::default() };
    let (_, paths) = explored(text, "size", options);
    assert_eq!(paths.len(), 5);
    let options = UnconstrainedOptions { depth: 3, ..UnconstrainedOptions::default() };
    let (_, paths) = explored(text, "size", options);
    assert_eq!(paths.len(), 1 + 5 * 5);
}

const SAME: &str = "
func user @same(v0:ptr, v1:ptr) -> i32 !type17 {
b0:
  v2:i32 = load v0, align 4
  v3:i32 = load v1, align 4
  v4:i1 = icmp eq v0, v1
  br v4, b1, b2
b1:
  call @__byway_report(0x0:ptr, 0x0:ptr, 0:i64)
  ret 1:i32
b2:
  ret 0:i32
}
func user @__byway_report(v0:ptr, v1:ptr, v2:i64)
";

#[test]
fn pointers_alias_only_if_an_option_says_so() {
    let (_, paths) = explored(SAME, "same", UnconstrainedOptions::default());
    let null = FaultKind::NullDereference;
    assert_eq!((exits(&paths).len(), faults(&paths)), (1, vec![null, null]));
    let options = UnconstrainedOptions { aliasing: true, ..UnconstrainedOptions::default() };
    let (_, paths) = explored(SAME, "same", options);
    assert_eq!(exits(&paths).len(), 1);
    assert_eq!(faults(&paths), [null, null, FaultKind::Reported]);
    let aliased = paths.iter().find(
        |path| matches!(&path.outcome, Outcome::Fault(fault) if fault.kind == FaultKind::Reported),
    );
    let objects = &shape(aliased.expect("it was found")).objects;
    assert_eq!(objects[0].pointers[0].target, objects[2].pointers[0].target);
}

#[test]
fn a_function_pointer_is_one_of_the_functions_of_its_type() {
    let text = "
global user @table size 16 align 8 = {
  at 0 width 8: @one
  at 8 width 8: @other
}
func user @one(v0:i32) -> i32 !type7 {
b0:
  ret 1:i32
}
func user @two(v0:i32) -> i32 !type7 {
b0:
  ret 2:i32
}
func user @other() -> i32 !type24 {
b0:
  ret 3:i32
}
func user @uncalled(v0:i32) -> i32 !type7 {
b0:
  ret 4:i32
}
func user @apply(v0:ptr) -> i32 !type13 {
b0:
  v1:i1 = icmp eq v0, @two
  v2:i32 = call *v0(5:i32)
  ret v2
}
";
    let (_, paths) = explored(text, "apply", UnconstrainedOptions::default());
    assert_eq!(faults(&paths), [FaultKind::BadFunctionPointer]);
    let called: BTreeSet<String> = paths
        .iter()
        .filter_map(|path| match &shape(path).objects[0].pointers[0].target {
            PointerTarget::Function(name) => Some(name.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(called.into_iter().collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn a_structure_has_its_pointers_at_their_offsets() {
    // names[1][0] == 'x', tag[15] is 0, next->value == 5
    let text = "
func user @mixed(v0:ptr) -> i32 !type23 {
b0:
  v1:ptr = ptradd v0, 8
  v2:ptr = load v1, align 8
  v3:i8 = load v2, align 1
  v4:ptr = ptradd v0, 31
  v5:i8 = load v4, align 1
  v6:i1 = icmp eq v5, 0:i8
  br v6, b1, b4
b1:
  v7:ptr = ptradd v0, 32
  v8:ptr = load v7, align 8
  v9:i32 = load v8, align 4
  v10:i1 = icmp eq v9, 5:i32
  br v10, b2, b3
b2:
  v11:i1 = icmp eq v3, 120:i8
  br v11, b5, b3
b3:
  ret 0:i32
b4:
  unreachable
b5:
  call @__byway_report(0x0:ptr, 0x0:ptr, 0:i64)
  ret 1:i32
}
func user @__byway_report(v0:ptr, v1:ptr, v2:i64)
";
    let (_, paths) = explored(text, "mixed", UnconstrainedOptions::default());
    let null = FaultKind::NullDereference;
    assert_eq!(faults(&paths), [null, null, null, FaultKind::Reported]);
    let found = paths.iter().find(
        |path| matches!(&path.outcome, Outcome::Fault(fault) if fault.kind == FaultKind::Reported),
    );
    let objects = &shape(found.expect("it was found")).objects;
    let named = |name: &str| objects.iter().find(|it| it.name == name && it.is_accessed);
    assert_eq!(named("arg0->names[1]").expect("the string was read").bytes[0], b'x');
    assert_eq!(named("arg0->next").expect("the node was read").bytes[..4], [5, 0, 0, 0]);
    assert!(named("arg0->names[0]").is_none());
}

#[test]
fn a_structure_passed_in_registers_has_its_fields() {
    let text = "
func user @by_value(v0:i32, v1:ptr) -> i32 !type18 {
b0:
  v2:i1 = icmp eq v0, 77:i32
  br v2, b1, b2
b1:
  v3:i32 = load v1, align 4
  ret v3
b2:
  ret 0:i32
}
";
    let (_, paths) = explored(text, "by_value", UnconstrainedOptions::default());
    assert_eq!((exits(&paths).len(), faults(&paths)), (2, vec![FaultKind::NullDereference]));
    let names: BTreeSet<&str> =
        paths.iter().flat_map(|it| &shape(it).objects).map(|it| it.name.as_str()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["arg0", "arg0.next", "arg0.next->next"]);
}

const GLOBALS: &str = "
global user @count size 4 align 4 !type0 = {
  x\"05000000\"
}
global user @list size 8 align 8 !type2 = {
}
global user @fixed size 4 align 4 constant !type0 = {
  x\"05000000\"
}
func user @read() -> i32 !type24 {
b0:
  v0:i32 = load @fixed, align 4
  v1:i1 = icmp ne v0, 5:i32
  br v1, b1, b2
b1:
  unreachable
b2:
  v2:i32 = load @count, align 4
  v3:i1 = icmp eq v2, 9:i32
  br v3, b3, b4
b3:
  v4:ptr = load @list, align 8
  v5:i32 = load v4, align 4
  ret v5
b4:
  ret 0:i32
}
";

#[test]
fn variables_are_input_but_constants_are_not() {
    let (_, paths) = explored(GLOBALS, "read", UnconstrainedOptions::default());
    assert_eq!((exits(&paths).len(), faults(&paths)), (2, vec![FaultKind::NullDereference]));
    let short = paths
        .iter()
        .find(|path| shape(path).objects.iter().filter(|it| it.is_accessed).count() == 1);
    assert!(short.is_some(), "a variable that the path does not read is no input");
    let options = UnconstrainedOptions { globals: false, ..UnconstrainedOptions::default() };
    let (_, paths) = explored(GLOBALS, "read", options);
    assert_eq!(exits(&paths).len(), 1);
}

#[test]
fn an_object_of_the_input_can_be_freed_and_reallocated() {
    let text = "
func user @malloc(v0:i64) -> ptr
func user @realloc(v0:ptr, v1:i64) -> ptr
func user @free(v0:ptr)
func user @release(v0:ptr) -> i32 !type9 {
b0:
  v1:ptr = call @realloc(v0, 32:i64)
  v2:i32 = load v1, align 4
  v3:i1 = icmp eq v0, 0x0:ptr
  br v3, b1, b2
b1:
  ret 0:i32
b2:
  v4:ptr = ptradd v1, 8
  v5:ptr = load v4, align 8
  call @free(v5)
  call @free(v1)
  v6:i32 = load v5, align 4
  ret v6
}
";
    let (_, paths) = explored(text, "release", UnconstrainedOptions::default());
    let kinds = faults(&paths);
    assert!(kinds.contains(&FaultKind::UseAfterFree), "{kinds:?}");
    assert!(kinds.contains(&FaultKind::NullDereference), "{kinds:?}");
    assert!(!kinds.contains(&FaultKind::InvalidFree), "{kinds:?}");
}

#[test]
fn a_copy_through_two_pointers_makes_both() {
    let text = "
func user @copy(v0:ptr, v1:ptr) -> i32 !type17 {
b0:
  memcpy v0, v1, 16:i64
  v2:ptr = ptradd v0, 8
  v3:ptr = load v2, align 8
  v4:i1 = icmp eq v3, 0x0:ptr
  br v4, b1, b2
b1:
  ret 0:i32
b2:
  v5:i32 = load v3, align 4
  ret v5
}
";
    let (_, paths) = explored(text, "copy", UnconstrainedOptions::default());
    let null = FaultKind::NullDereference;
    assert_eq!((exits(&paths).len(), faults(&paths)), (2, vec![null, null]));
}

#[test]
fn workers_find_the_same_paths() {
    let module = module(LENGTH, "length");
    let config = config(UnconstrainedOptions { depth: 20, ..UnconstrainedOptions::default() });
    let mut paths = Paths::default();
    let pool = WorkerPool {
        jobs: std::num::NonZeroUsize::new(3).expect("not zero"),
        searcher: &|| byway_search::build(&["dfs"]).expect("a searcher"),
        pruner: None,
        unreduced: None,
        solver: &|_| solver(),
        files: None,
        output: None,
        pure_calls: None,
        executor: None,
    };
    explore_in_jobs(&module, &config, &pool, &mut paths).expect("it runs");
    let digests: BTreeSet<u64> = paths.0.iter().map(|path| path.digest).collect();
    assert_eq!((paths.0.len(), digests.len()), (21, 21));
}

#[test]
fn a_predicate_excludes_what_no_caller_passes() {
    let text = format!(
        "{LENGTH}
func user @present(v0:ptr) -> i32 !type9 {{
b0:
  v1:i1 = icmp ne v0, 0x0:ptr
  v2:i32 = zext v1
  ret v2
}}
"
    );
    let mut module = byway_ir::text::parse(&format!("bwir 1\nmodule \"test\"\n{TYPES}{text}"))
        .expect("it is well formed");
    let find = |module: &Module, name: &str| module.func_by_name(name).expect("it is there");
    let (length, present) = (find(&module, "length"), find(&module, "present"));
    let entry = add_entry(&mut module, length, Some(present)).expect("it suits");
    start_at(&mut module, entry);
    let (_, paths) = explored_by(&module, "dfs", UnconstrainedOptions::default());
    assert_eq!(exits(&paths), [0; 3], "lists of one to three nodes");
}

#[test]
fn some_functions_cannot_be_called() {
    let text = format!(
        "bwir 1\nmodule \"test\"\n{TYPES}
func user @declared(v0:ptr) -> i32 !type9
func user @variadic(v0:ptr, ...) -> i32 {{
b0:
  ret 0:i32
}}
func user @two(v0:ptr, v1:i32) -> i32 {{
b0:
  ret 0:i32
}}
func user @one(v0:ptr) -> i32 {{
b0:
  ret 0:i32
}}
"
    );
    let mut module = byway_ir::text::parse(&text).expect("it is well formed");
    let find = |module: &Module, name: &str| module.func_by_name(name).expect("it is there");
    let (declared, variadic) = (find(&module, "declared"), find(&module, "variadic"));
    let (one, two) = (find(&module, "one"), find(&module, "two"));
    assert_eq!(add_entry(&mut module, declared, None), Err(EntryError::Declared));
    assert_eq!(add_entry(&mut module, variadic, None), Err(EntryError::Variadic));
    assert!(matches!(add_entry(&mut module, one, Some(two)), Err(EntryError::Predicate(_))));
    assert!(add_entry(&mut module, two, Some(one)).is_ok(), "without debug information, too");
    assert!(add_entry(&mut module, one, None).is_ok(), "several in one module");
    byway_ir::verify(&module).expect("it is valid");
}
