//! Solvers under watch: answers compared with a bare backend's, queries written down.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use byway_base::ExprId;
use byway_base::float::Format;
use byway_bitwuzla_sys as sys;
use byway_expr::{Evaluator, Model, Pool, Sweep};
use byway_solver::*;

use crate::common::Generator;
use crate::desk::{Desk, factoring, sat, unsat};

fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("byway-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    directory
}

/// Troubles as they are told.
fn listener() -> (Report, Rc<RefCell<Vec<String>>>) {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let told = heard.clone();
    (Rc::new(move |trouble| told.borrow_mut().push(trouble.to_string())), heard)
}

#[test]
fn queries_are_logged_with_their_answers() {
    let mut desk = Desk::new();
    let directory = scratch("log");
    let (report, heard) = listener();
    let options = Options { check: true, log: Some(directory.clone()), interrupt: None, report };
    let mut solver = solver(&desk.pool, options).unwrap();
    let x = desk.word("x", 2);
    let small = desk.below(x, 10);
    desk.assume(small);
    let (one, far) = (desk.equals(x, 1), desk.equals(x, 11));
    sat(desk.ask(&mut *solver, one, None));
    unsat(desk.ask(&mut *solver, far, None));
    let text = |name: &str| std::fs::read_to_string(directory.join(name)).unwrap();
    let (first, second) = (text("000001.smt2"), text("000002.smt2"));
    assert!(first.contains("(check-sat)") && first.contains("; sat, effort"), "{first}");
    assert!(second.contains("; unsat, effort"), "{second}");
    assert!(heard.borrow().is_empty());
    // The directory goes away: told of once, and the answers still come.
    std::fs::remove_dir_all(&directory).unwrap();
    let two = desk.equals(x, 2);
    sat(desk.ask(&mut *solver, two, None));
    sat(desk.ask(&mut *solver, one, None));
    assert_eq!(heard.borrow().len(), 1);
    assert!(heard.borrow()[0].contains("no longer logged"), "{heard:?}");
}

#[test]
fn a_log_directory_that_cannot_be_made_is_an_error() {
    let desk = Desk::new();
    let file = scratch("file");
    std::fs::write(&file, "in the way").unwrap();
    let (report, _) = listener();
    let options = Options { check: false, log: Some(file.join("log")), interrupt: None, report };
    assert!(solver(&desk.pool, options).is_err());
    std::fs::remove_file(file).unwrap();
}

/// A solver that is wrong.
struct Liar(Lie, Statistics);

type Lie = fn(&Query) -> Answer;

impl Solver for Liar {
    fn check(&mut self, _: &mut Pool, query: &Query, _: Budget) -> Answer {
        (self.0)(query)
    }

    fn statistics(&self) -> &Statistics {
        &self.1
    }

    fn clock(&self) -> Clock {
        Clock::default()
    }
}

impl Sweep for Liar {
    fn sweep(&mut self, _: &byway_expr::Collected) {}
}

#[test]
fn lies_are_found_out() {
    let mut desk = Desk::new();
    let x = desk.word("x", 1);
    let small = desk.below(x, 10);
    let even = desk.pool.extract(x, 0, 1);
    desk.assume(even);
    desk.assume(small);
    let (one, far) = (desk.equals(x, 3), desk.equals(x, 12));
    // A wrong model, a satisfiable query called unsatisfiable, a core too small.
    let lies: [(Lie, ExprId, &str); 3] = [
        (|_| Answer::Sat(Model::new()), one, "the model does not satisfy the query"),
        (
            |q| Answer::Unsat(Core { conjuncts: q.path.conjuncts().collect() }),
            one,
            "for the core: sat",
        ),
        (|_| Answer::Unsat(Core::default()), far, "for the core: sat"),
    ];
    for (lie, asked, expected) in lies {
        let (report, heard) = listener();
        let mut checked = Checked::new(Box::new(Liar(lie, Statistics::default())), None, report);
        desk.ask(&mut checked, asked, None);
        assert_eq!(checked.statistics().disagreements, 1);
        let heard = heard.borrow();
        assert!(heard[0].contains(expected), "{heard:?}");
        assert!(heard[0].contains("(check-sat)"), "the query is shown: {heard:?}");
    }
}

/// A solver that is right because it was told so, at no cost.
fn honest(query: &Query) -> Answer {
    match query.witness {
        Some(witness) => Answer::Sat(witness.clone()),
        None => Answer::Unsat(Core { conjuncts: query.path.conjuncts().collect() }),
    }
}

#[test]
fn what_the_bare_backend_does_not_know_is_no_disagreement() {
    let mut desk = Desk::new();
    let (x, y, hard) = factoring(&mut desk);
    let mut model = Model::new();
    let (p, q) = (desk.pool.input("x", 4), desk.pool.input("y", 4));
    model.set_object(p, 2147483629u32.to_le_bytes());
    model.set_object(q, 2147483647u32.to_le_bytes());
    let (low, high) = (desk.below(x, 2), desk.below(y, 7));
    let (report, heard) = listener();
    let mut checked = Checked::new(Box::new(Liar(honest, Statistics::default())), None, report);
    let counts = |checked: &Checked| {
        let statistics = checked.statistics();
        (statistics.confirmed, statistics.disagreements)
    };
    let limits = [Budget::effort(1), Budget::effort(20), Budget::time(Duration::from_millis(5))];
    for budget in limits {
        sat(desk.ask_within(&mut checked, hard, Some(&model), budget));
        assert_eq!(counts(&checked), (0, 0), "{budget:?}");
    }
    // Not even of what is excluded at first sight.
    unsat(desk.ask_within(&mut checked, low, None, Budget::effort(1)));
    assert_eq!(counts(&checked), (0, 0));
    unsat(desk.ask(&mut checked, low, None));
    sat(desk.ask(
        &mut checked,
        high,
        Some(&{
            let mut other = model.clone();
            other.set_object(q, 5u32.to_le_bytes());
            other
        }),
    ));
    assert_eq!(counts(&checked), (2, 0));
    // An interrupt ends the comparison as well.
    let set = Some(Arc::new(AtomicBool::new(true)));
    let (report, _) = listener();
    let mut checked = Checked::new(Box::new(Liar(honest, Statistics::default())), set, report);
    sat(desk.ask(&mut checked, hard, Some(&model)));
    assert_eq!(counts(&checked), (0, 0));
    assert!(heard.borrow().is_empty(), "{heard:?}");
}

/// What Bitwuzla as a program would print for a file.
fn read_by_bitwuzla(file: &Path) -> String {
    let printed = file.with_extension("printed");
    let as_c = |text: &str| CString::new(text).unwrap();
    let (language, input) = (as_c("smt2"), as_c(file.to_str().unwrap()));
    let output = as_c(printed.to_str().unwrap());
    // SAFETY: everything lives until it is deleted, the parser first; the message is
    // copied before that.
    unsafe {
        let options = sys::bitwuzla_options_new();
        let terms = sys::bitwuzla_term_manager_new();
        let parser =
            sys::bitwuzla_parser_new(terms, options, language.as_ptr(), 2, output.as_ptr());
        let mut error = std::ptr::null();
        sys::bitwuzla_parser_parse(parser, input.as_ptr(), false, true, &mut error);
        let error =
            (!error.is_null()).then(|| CStr::from_ptr(error).to_string_lossy().into_owned());
        sys::bitwuzla_parser_delete(parser);
        sys::bitwuzla_term_manager_delete(terms);
        sys::bitwuzla_options_delete(options);
        assert_eq!(error, None, "{}:\n{}", file.display(), fs::read_to_string(file).unwrap());
    }
    let text = fs::read_to_string(&printed).unwrap();
    fs::remove_file(printed).unwrap();
    text
}

/// Terms that are awkward to write, as conditions: names, reads, floats, remainders.
fn awkward_conditions(pool: &mut Pool) -> Vec<ExprId> {
    let mut bytes = Vec::new();
    for (name, size) in
        [("a|b\\c", 1), ("a_b_c", 1), ("two words\n", 1), ("x", 1), ("x", 2), ("", 1)]
    {
        let object = pool.input(name, size);
        bytes.push(pool.input_byte(object, 0));
    }
    let sum = bytes.iter().copied().reduce(|a, b| pool.add(a, b)).unwrap();
    let table: Vec<u8> = (0..40).map(|i| i * 3).collect();
    let table = pool.base(table, []);
    let index = pool.zext(sum, 64);
    let read = pool.read(table, index);
    let single = [3, 2, 1].iter().fold(bytes[0], |low, &i| pool.concat(bytes[i], low));
    let three = pool.constant(32, 3f32.to_bits().into());
    let product = pool.fmul(Format::F32, single, three).unwrap();
    let quotient = pool.fdiv(Format::F32, three, single).unwrap();
    let bits = pool.extract(product, 3, 8);
    let wanted = [pool.constant(8, 0x5a), pool.constant(8, 39)];
    vec![
        pool.eq(sum, wanted[0]),
        pool.eq(read, wanted[1]),
        pool.eq(bits, wanted[0]),
        pool.flt(Format::F32, quotient, three).unwrap(),
    ]
}

fn log(directory: &Path, seed: u64) -> Vec<Answer> {
    let mut desk = Desk::new();
    let (report, heard) = listener();
    let options =
        Options { check: false, log: Some(directory.to_path_buf()), interrupt: None, report };
    let mut solver = solver(&desk.pool, options).unwrap();
    let mut generator = Generator::new(seed, 3);
    let mut conditions = awkward_conditions(&mut desk.pool);
    conditions.extend((0..12).map(|_| generator.condition(&mut desk.pool, 3)));
    let mut answers = Vec::new();
    for condition in conditions {
        let answer = desk.ask(&mut *solver, condition, None);
        if let Answer::Sat(model) = &answer
            && Evaluator::new().under(&desk.pool, model).holds(condition)
        {
            desk.assume(condition);
        }
        answers.push(answer);
    }
    assert!(heard.borrow().is_empty(), "{heard:?}");
    answers
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn other_programs_can_read_the_log() {
    let directory = scratch("read-log");
    for seed in 0..2 {
        let answers = log(&directory, seed);
        let files = files(&directory);
        assert_eq!(files.len(), answers.len());
        for (number, (file, answer)) in files.iter().zip(&answers).enumerate() {
            assert_eq!(
                file.file_name().unwrap().to_str(),
                Some(&*format!("{:06}.smt2", number + 1))
            );
            assert_eq!(
                read_by_bitwuzla(file),
                format!("{}\n", answer.name()),
                "{}",
                file.display()
            );
        }
        fs::remove_dir_all(&directory).unwrap();
    }
}

#[test]
fn the_same_queries_give_the_same_log() {
    let directories = [scratch("log-1"), scratch("log-2")];
    let contents = directories.clone().map(|directory| {
        log(&directory, 7);
        files(&directory).iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(contents[0], contents[1]);
    directories.iter().for_each(|directory| fs::remove_dir_all(directory).unwrap());
}
