//! Runs the `.bwir` files under `tests/files`. Their comments give the commands and the
//! expected output:
//!
//! ```text
//! ; run: dominators @f
//! ;   b1: b0
//! ```
//!
//! With `BLESS=1` in the environment, the actual output is written into the files instead,
//! for a person to review.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use byway_ir::analysis::points_to::{ExternalEffect, MadeAddress};
use byway_ir::analysis::{CallGraph, Cfg, Dependences, PointsTo};
use byway_ir::{BlockId, FuncId, Function, Module, text, verify};

const RUN: &str = "; run: ";
const OUTPUT: &str = ";   ";

#[test]
fn files() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut count = 0;
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let source = fs::read_to_string(&path).unwrap();
        let module = text::parse(&source).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
        let blessed = with_outputs(&source, &module);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &blessed).unwrap();
        } else {
            assert_eq!(source, blessed, "{}", path.display());
        }
        assert!(source.contains(RUN), "{} runs nothing", path.display());
        count += 1;
    }
    assert!(count > 5, "the files were not found");
}

/// The file with the actual outputs of its commands.
fn with_outputs(source: &str, module: &Module) -> String {
    let mut out = String::new();
    for line in source.lines().filter(|line| !line.starts_with(OUTPUT)) {
        writeln!(out, "{line}").unwrap();
        if let Some(command) = line.strip_prefix(RUN) {
            for line in run(command, source, module).lines() {
                writeln!(out, "{OUTPUT}{}", line.trim_end()).unwrap();
            }
        }
    }
    out
}

fn run(command: &str, source: &str, module: &Module) -> String {
    let checked = verify(module);
    match command {
        "verify" => {
            return match checked {
                Ok(()) => "ok".to_owned(),
                Err(errors) => lines(errors),
            };
        }
        "print" => return print(source, module),
        _ => checked.unwrap_or_else(|errors| panic!("{}", lines(errors))),
    }
    let (what, func) = command.split_once(" @").unwrap_or((command, ""));
    let func = || {
        let id = module.func_by_name(func).unwrap_or_else(|| panic!("{command}: no such function"));
        &module.funcs[id]
    };
    match what {
        "cfg" => cfg(func()),
        "path-ends" => Cfg::new(func()).path_ends().iter().map(|b| format!("{b}\n")).collect(),
        "dominators" => {
            let tree = Cfg::new(func()).dominators();
            parents(func(), |b| tree.idom(b))
        }
        "postdominators" => {
            let tree = Cfg::new(func()).postdominators();
            parents(func(), |b| tree.idom(b))
        }
        "points-to" => {
            let id = module.func_by_name(&func().name).expect("it was found");
            points_to(module).print_function(module, id, &|loc| loc.to_string())
        }
        "depends" => {
            let id = module.func_by_name(&func().name).expect("it was found");
            dependences(module).print_function(module, id)
        }
        "address-taken" => names(module, CallGraph::new(module).address_taken()),
        "callees" => calls(module, |graph, f| graph.callees(f)),
        "callers" => calls(module, |graph, f| graph.callers(f)),
        "bottom-up" => {
            lines(CallGraph::new(module).bottom_up().iter().map(|group| names(module, group)))
        }
        _ => panic!("`{command}` is no command"),
    }
}

/// The points-to analysis from `main`, with a few functions that programs usually have.
pub fn points_to(module: &Module) -> PointsTo {
    let main = module.func_by_name("main").expect("there is a main function");
    PointsTo::new(module, &[main], |func| match module.funcs[func].name.as_str() {
        "malloc" => ExternalEffect { makes: MadeAddress::Object, ..ExternalEffect::default() },
        "realloc" => ExternalEffect {
            makes: MadeAddress::Moved(0),
            reads: &[0],
            ..ExternalEffect::default()
        },
        _ => ExternalEffect::default(),
    })
}

/// The dependences of all functions that `main` reaches.
pub fn dependences(module: &Module) -> Dependences {
    let funcs: Vec<FuncId> = module.funcs.keys().collect();
    Dependences::new(module, &points_to(module), &funcs)
}

fn lines(items: impl IntoIterator<Item = impl ToString>) -> String {
    items.into_iter().map(|item| item.to_string() + "\n").collect()
}

fn print(source: &str, module: &Module) -> String {
    let kept = |text: &str| -> Vec<String> {
        text.lines().filter(|l| !l.starts_with(';') && !l.is_empty()).map(str::to_owned).collect()
    };
    let (found, wanted) = (kept(&text::print(module)), kept(source));
    match found.iter().zip(&wanted).find(|(a, b)| a != b) {
        Some((found, wanted)) => format!("{wanted} prints as {found}"),
        None => {
            assert_eq!(found.len(), wanted.len());
            "as it stands here".to_owned()
        }
    }
}

fn cfg(func: &Function) -> String {
    let cfg = Cfg::new(func);
    let blocks = |list: &mut dyn Iterator<Item = BlockId>| -> String {
        list.map(|b| format!(" {b}")).collect()
    };
    let mut out = format!("order:{}\n", blocks(&mut cfg.reverse_post_order().iter().copied()));
    for b in func.blocks.keys() {
        let (succs, preds) = (blocks(&mut cfg.succs(b)), blocks(&mut cfg.preds(b)));
        writeln!(out, "{b}: to{succs}, from{preds}").unwrap();
    }
    out
}

fn parents(func: &Function, parent: impl Fn(BlockId) -> Option<BlockId>) -> String {
    func.blocks
        .keys()
        .map(|b| format!("{b}: {}\n", parent(b).map_or("-".to_owned(), |p| p.to_string())))
        .collect()
}

fn names(module: &Module, funcs: &[FuncId]) -> String {
    let names: Vec<_> = funcs.iter().map(|&f| format!("@{}", module.funcs[f].name)).collect();
    names.join(" ")
}

fn calls(module: &Module, others: impl Fn(&CallGraph, FuncId) -> Vec<FuncId>) -> String {
    let graph = CallGraph::new(module);
    lines(
        module
            .funcs
            .iter()
            .map(|(id, func)| format!("@{}: {}", func.name, names(module, &others(&graph, id)))),
    )
}
