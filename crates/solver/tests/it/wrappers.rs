//! The checking and the logging solver.

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
use crate::query_builder::{QueryBuilder, factoring, sat, unsat};

fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("byway-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    directory
}

/// An error handler and the errors that it received, as text.
fn error_log() -> (ErrorHandler, Rc<RefCell<Vec<String>>>) {
    let errors = Rc::new(RefCell::new(Vec::new()));
    let log = errors.clone();
    (Rc::new(move |error| log.borrow_mut().push(error.to_string())), errors)
}

#[test]
fn queries_are_logged_with_their_answers() {
    let mut builder = QueryBuilder::new();
    let directory = scratch("log");
    let (on_error, errors) = error_log();
    let options = SolverOptions {
        check: true,
        log: Some(directory.clone()),
        interrupt: None,
        memory: None,
        on_error,
    };
    let mut solver = solver(&builder.pool, options).unwrap();
    let x = builder.word("x", 2);
    let small = builder.below(x, 10);
    builder.assume(small);
    let (one, far) = (builder.equals(x, 1), builder.equals(x, 11));
    sat(builder.ask(&mut *solver, one, None));
    unsat(builder.ask(&mut *solver, far, None));
    let text = |name: &str| std::fs::read_to_string(directory.join(name)).unwrap();
    let (first, second) = (text("000001.smt2"), text("000002.smt2"));
    assert!(first.contains("(check-sat)") && first.contains("; sat, effort"), "{first}");
    assert!(second.contains("; unsat, effort"), "{second}");
    assert!(errors.borrow().is_empty());
    // Without the directory, one error is reported and queries are still answered.
    std::fs::remove_dir_all(&directory).unwrap();
    let two = builder.equals(x, 2);
    sat(builder.ask(&mut *solver, two, None));
    sat(builder.ask(&mut *solver, one, None));
    assert_eq!(errors.borrow().len(), 1);
    assert!(errors.borrow()[0].contains("no longer logged"), "{errors:?}");
}

#[test]
fn a_log_directory_that_cannot_be_created_is_an_error() {
    let builder = QueryBuilder::new();
    let file = scratch("file");
    std::fs::write(&file, "in the way").unwrap();
    let (on_error, _) = error_log();
    let options = SolverOptions {
        check: false,
        log: Some(file.join("log")),
        interrupt: None,
        memory: None,
        on_error,
    };
    assert!(solver(&builder.pool, options).is_err());
    std::fs::remove_file(file).unwrap();
}

/// A solver with scripted answers.
struct ScriptedSolver(Script, Statistics);

type Script = fn(&Query) -> Answer;

impl Solver for ScriptedSolver {
    fn check(&mut self, _: &mut Pool, query: &Query, _: QueryBudget) -> Answer {
        (self.0)(query)
    }

    fn statistics(&self) -> &Statistics {
        &self.1
    }

    fn clock(&self) -> SolverClock {
        SolverClock::default()
    }
}

impl Sweep for ScriptedSolver {
    fn sweep(&mut self, _: &byway_expr::Collected) {}
}

#[test]
fn wrong_answers_are_reported() {
    let mut builder = QueryBuilder::new();
    let x = builder.word("x", 1);
    let small = builder.below(x, 10);
    let even = builder.pool.extract(x, 0, 1);
    builder.assume(even);
    builder.assume(small);
    let (one, far) = (builder.equals(x, 3), builder.equals(x, 12));
    // A wrong model, a wrong unsat, a core that is too small.
    let wrong: [(Script, ExprId, &str); 3] = [
        (|_| Answer::Sat(Model::new()), one, "the model does not satisfy the query"),
        (
            |q| Answer::Unsat(Core { conjuncts: q.path.conjuncts().collect() }),
            one,
            "for the core: sat",
        ),
        (|_| Answer::Unsat(Core::default()), far, "for the core: sat"),
    ];
    for (script, condition, expected) in wrong {
        let (on_error, errors) = error_log();
        let mut checked = CheckedSolver::new(
            Box::new(ScriptedSolver(script, Statistics::default())),
            None,
            on_error,
        );
        builder.ask(&mut checked, condition, None);
        assert_eq!(checked.statistics().disagreements, 1);
        let errors = errors.borrow();
        assert!(errors[0].contains(expected), "{errors:?}");
        assert!(errors[0].contains("(check-sat)"), "the query is shown: {errors:?}");
    }
}

/// The right answers to the queries below.
fn correct(query: &Query) -> Answer {
    match query.witness {
        Some(witness) => Answer::Sat(witness.clone()),
        None => Answer::Unsat(Core { conjuncts: query.path.conjuncts().collect() }),
    }
}

#[test]
fn an_undecided_comparison_is_no_disagreement() {
    let mut builder = QueryBuilder::new();
    let (x, y, hard) = factoring(&mut builder);
    let mut model = Model::new();
    let (p, q) = (builder.pool.input("x", 4), builder.pool.input("y", 4));
    model.set_object(p, 2147483629u32.to_le_bytes());
    model.set_object(q, 2147483647u32.to_le_bytes());
    let (low, high) = (builder.below(x, 2), builder.below(y, 7));
    let (on_error, errors) = error_log();
    let mut checked = CheckedSolver::new(
        Box::new(ScriptedSolver(correct, Statistics::default())),
        None,
        on_error,
    );
    let counts = |checked: &CheckedSolver| {
        let statistics = checked.statistics();
        (statistics.confirmed, statistics.disagreements)
    };
    let limits = [
        QueryBudget::effort(1),
        QueryBudget::effort(20),
        QueryBudget::time(Duration::from_millis(5)),
    ];
    for budget in limits {
        sat(builder.ask_within(&mut checked, hard, Some(&model), budget));
        assert_eq!(counts(&checked), (0, 0), "{budget:?}");
    }
    // Not even for a trivially unsatisfiable query.
    unsat(builder.ask_within(&mut checked, low, None, QueryBudget::effort(1)));
    assert_eq!(counts(&checked), (0, 0));
    unsat(builder.ask(&mut checked, low, None));
    sat(builder.ask(
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
    let (on_error, _) = error_log();
    let mut checked =
        CheckedSolver::new(Box::new(ScriptedSolver(correct, Statistics::default())), set, on_error);
    sat(builder.ask(&mut checked, hard, Some(&model)));
    assert_eq!(counts(&checked), (0, 0));
    assert!(errors.borrow().is_empty(), "{errors:?}");
}

/// The output of Bitwuzla's parser for a file.
fn read_by_bitwuzla(file: &Path) -> String {
    let printed = file.with_extension("printed");
    let as_c = |text: &str| CString::new(text).unwrap();
    let (language, input) = (as_c("smt2"), as_c(file.to_str().unwrap()));
    let output = as_c(printed.to_str().unwrap());
    // SAFETY: everything lives until it is deleted, the parser first; the message is copied
    // before that.
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

/// Conditions that are awkward to print: names, reads, floats, remainders.
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
    let mut builder = QueryBuilder::new();
    let (on_error, errors) = error_log();
    let options = SolverOptions {
        check: false,
        log: Some(directory.to_path_buf()),
        interrupt: None,
        memory: None,
        on_error,
    };
    let mut solver = solver(&builder.pool, options).unwrap();
    let mut generator = Generator::new(seed, 3);
    let mut conditions = awkward_conditions(&mut builder.pool);
    conditions.extend((0..12).map(|_| generator.condition(&mut builder.pool, 3)));
    let mut answers = Vec::new();
    for condition in conditions {
        let answer = builder.ask(&mut *solver, condition, None);
        if let Answer::Sat(model) = &answer
            && Evaluator::new().under(&builder.pool, model).holds(condition)
        {
            builder.assume(condition);
        }
        answers.push(answer);
    }
    assert!(errors.borrow().is_empty(), "{errors:?}");
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
fn logs_are_deterministic() {
    let directories = [scratch("log-1"), scratch("log-2")];
    let contents = directories.clone().map(|directory| {
        log(&directory, 7);
        files(&directory).iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(contents[0], contents[1]);
    directories.iter().for_each(|directory| fs::remove_dir_all(directory).unwrap());
}
