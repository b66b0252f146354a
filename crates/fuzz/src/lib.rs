//! A fuzzer for parsers, run as a unit test of the crate that has the parser.
//!
//! [`Fuzz`] mutates seed inputs and passes them to a body that must not panic. The body
//! returns a description of the result, such as the error message; an input with a new kind of
//! result joins the corpus. That is cheap feedback, without instrumentation and with the
//! stable compiler.
//!
//! A test runs for a second. `./dev fuzz` sets `BYWAY_FUZZ_SECONDS` for longer runs, and
//! `BYWAY_FUZZ_SEED` for another sequence of inputs. An input that panics is saved in the
//! temporary directory, and `BYWAY_FUZZ_INPUT` runs it alone.

#![forbid(unsafe_code)]

mod mutate;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use byway_base::Rng;

/// A longer input hardly finds more, and slows every later one down.
const MAX_BYTES: usize = 1 << 14;

/// A parser that takes longer than this for one input is as bad as one that panics.
const MAX_TIME: Duration = Duration::from_secs(20);

/// A fuzz test.
pub struct Fuzz {
    name: &'static str,
    corpus: Vec<Vec<u8>>,
}

impl Fuzz {
    /// A test that starts from these inputs. Its name identifies saved inputs.
    pub fn new<S: AsRef<[u8]>>(name: &'static str, seeds: impl IntoIterator<Item = S>) -> Fuzz {
        let mut corpus: Vec<Vec<u8>> = seeds.into_iter().map(|s| s.as_ref().to_vec()).collect();
        corpus.push(Vec::new());
        Fuzz { name, corpus }
    }

    /// Runs the body on mutated inputs until the time is over. Panics with the path of the
    /// saved input if the body panics or takes too long.
    pub fn run(mut self, body: impl Fn(&[u8]) -> String) {
        if let Some(input) = env::var_os("BYWAY_FUZZ_INPUT") {
            body(&fs::read(&input).expect("BYWAY_FUZZ_INPUT names a readable file"));
            return;
        }
        let end = Instant::now() + Duration::from_secs(variable("BYWAY_FUZZ_SECONDS", 1));
        let mut rng = Rng::new(variable("BYWAY_FUZZ_SEED", 1));
        let mut kinds = BTreeSet::new();
        for input in self.corpus.clone() {
            kinds.insert(kind(&self.run_one(&body, &input)));
        }
        let mut runs = 0u64;
        while Instant::now() < end {
            let input = mutate::mutated(&self.corpus, MAX_BYTES, &mut rng);
            if kinds.insert(kind(&self.run_one(&body, &input))) {
                self.corpus.push(input);
            }
            runs += 1;
        }
        println!("{}: {runs} inputs, {} kinds of results", self.name, kinds.len());
    }

    fn run_one(&self, body: &impl Fn(&[u8]) -> String, input: &[u8]) -> String {
        let began = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| body(input)));
        let complaint = match result {
            Ok(_) if began.elapsed() > MAX_TIME => "takes too long",
            Ok(result) => return result,
            Err(_) => "panics",
        };
        let path = self.save(input);
        panic!(
            "{} {complaint} on an input of {} bytes; run it alone with BYWAY_FUZZ_INPUT={}",
            self.name,
            input.len(),
            path.display()
        );
    }

    fn save(&self, input: &[u8]) -> PathBuf {
        let path = env::temp_dir().join(format!("byway-fuzz-{}", self.name));
        fs::write(&path, input).expect("the temporary directory is writable");
        path
    }
}

/// What makes a result new: its words, not the numbers and names in it.
fn kind(result: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in result.chars().take(200) {
        match c {
            '\'' | '"' | '`' => quoted = !quoted,
            '0'..='9' => {}
            c if !quoted => kind.push(c),
            _ => {}
        }
    }
    kind
}

fn variable(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_differ_in_numbers_and_names_are_of_one_kind() {
        assert_eq!(kind("line 3: no 'x'"), kind("line 12: no 'y'"));
        assert_ne!(kind("no x"), kind("no y"));
    }

    #[test]
    fn feedback_leads_to_a_panic_behind_three_comparisons() {
        let fuzz = Fuzz::new("example", ["aaaa"]);
        let body = |input: &[u8]| {
            let matched = input.iter().zip(b"byw").take_while(|(a, b)| a == b).count();
            assert!(matched < 3, "found");
            "x".repeat(matched)
        };
        let found = catch_unwind(AssertUnwindSafe(|| fuzz.run(body)));
        let message = *found.expect_err("the input is found").downcast::<String>().expect("text");
        assert!(message.contains("example panics on an input of"), "{message}");
    }
}
