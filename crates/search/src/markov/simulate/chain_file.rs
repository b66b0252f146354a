//! Chains as text.
//!
//! ```text
//! # Comments and empty lines are ignored. The first state is the start.
//! cost 1                 # of a random test; 1 unless given
//! a -> b  1/3   20       # probability, and what the transition adds to the cost of a path
//! a -> c  rest  5        # what is left to one
//! b -> c  1     0        # a state's only transition may cost nothing
//! test 2 a c             # for byway simulate --explain: the first two random tests
//! covered b              # for the same: covered from then on
//! ```
//!
//! A probability is a decimal number, a fraction, or `rest`, once for each state. A state without
//! transitions ends executions. `docs/simulate.md` explains more.

use std::fmt;

use super::chain::{ChainError, ChainModel, ChainTransition, MAX_STATES, StateSet, bit};

/// The most tests that a line can stand for.
const MAX_COUNT: u64 = 1_000_000;

/// A chain, and what is to be replayed on it.
#[derive(Clone, PartialEq, Debug)]
pub struct ChainFile {
    /// The chain.
    pub chain: ChainModel,
    /// The first random tests, and states that are covered after them.
    pub script: Vec<ScriptStep>,
}

/// A step that a file prescribes.
#[derive(Clone, PartialEq, Debug)]
pub enum ScriptStep {
    /// This many tests with these states, the last of which may be followed by others.
    Tests(u64, Vec<usize>),
    /// These states become covered.
    Covered(StateSet),
}

/// What is wrong with a file, and in which line. Zero stands for the file as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainFileError {
    /// The line, from one.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ChainFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

type Result<T> = std::result::Result<T, ChainFileError>;

/// What was read so far.
#[derive(Default)]
struct ChainReader {
    names: Vec<String>,
    /// The line in which each state was first named.
    lines: Vec<usize>,
    transitions: Vec<Vec<ReadTransition>>,
    test_cost: Option<f64>,
    /// Lines with steps of the script, which name states that later lines may define.
    script: Vec<(usize, Vec<String>)>,
}

struct ReadTransition {
    to: usize,
    /// `None` for the rest.
    probability: Option<f64>,
    cost: f64,
    line: usize,
}

/// Reads a chain.
pub fn parse(text: &str) -> Result<ChainFile> {
    let mut reader = ChainReader::default();
    for (index, line) in text.lines().enumerate() {
        let code = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        reader.line(index + 1, &words)?;
    }
    reader.finish()
}

impl ChainReader {
    fn line(&mut self, line: usize, words: &[&str]) -> Result<()> {
        match *words {
            [] => Ok(()),
            [from, "->", to, probability, cost] => {
                self.transition(line, [from, to, probability, cost])
            }
            ["cost", cost] if self.test_cost.is_none() => {
                self.test_cost = Some(number(line, "cost of a random test", cost)?);
                Ok(())
            }
            ["cost", _] => Err(error(line, "the cost of a random test is given twice")),
            ["test" | "covered", _, ..] => {
                self.script.push((line, words.iter().map(|word| word.to_string()).collect()));
                Ok(())
            }
            _ => Err(error(
                line,
                "expected 'FROM -> TO PROBABILITY COST', 'cost N', 'test [N] STATE ...' or \
                 'covered STATE ...'",
            )),
        }
    }

    fn transition(&mut self, line: usize, words: [&str; 4]) -> Result<()> {
        let [from, to, probability, cost] = words;
        let (from, to) = (self.state(line, from)?, self.state(line, to)?);
        if let Some(other) = self.transitions[from].iter().find(|t| t.to == to) {
            let message = format!(
                "{} -> {} was already given in line {}",
                self.names[from], self.names[to], other.line
            );
            return Err(error(line, message));
        }
        let probability = match probability {
            "rest" => None,
            number => Some(fraction(line, number)?),
        };
        let cost = number(line, "cost", cost)?;
        self.transitions[from].push(ReadTransition { to, probability, cost, line });
        Ok(())
    }

    fn state(&mut self, line: usize, name: &str) -> Result<usize> {
        if let Some(state) = self.names.iter().position(|known| known == name) {
            return Ok(state);
        }
        if self.names.len() == MAX_STATES {
            let message = format!("the chain has more than {MAX_STATES} states");
            return Err(error(line, message));
        }
        self.names.push(name.into());
        self.lines.push(line);
        self.transitions.push(Vec::new());
        Ok(self.names.len() - 1)
    }

    fn finish(self) -> Result<ChainFile> {
        let script = self.script.iter().map(|(line, words)| self.step(*line, words));
        let script = script.collect::<Result<Vec<ScriptStep>>>()?;
        let mut transitions = Vec::new();
        for (state, read) in self.transitions.iter().enumerate() {
            transitions.push(self.fill_rest(state, read)?);
        }
        let test_cost = self.test_cost.unwrap_or(1.0);
        let chain = ChainModel::new(self.names.clone(), transitions, test_cost);
        let chain = chain.map_err(|problem| ChainFileError {
            line: self.line_of(&problem),
            message: problem.message(&|state| format!("'{}'", self.names[state])),
        })?;
        for ((line, _), step) in self.script.iter().zip(&script) {
            check_path(&chain, *line, step)?;
        }
        Ok(ChainFile { chain, script })
    }

    fn fill_rest(&self, state: usize, read: &[ReadTransition]) -> Result<Vec<ChainTransition>> {
        let given: f64 = read.iter().filter_map(|transition| transition.probability).sum();
        let mut rests = read.iter().filter(|transition| transition.probability.is_none());
        let (first, second) = (rests.next(), rests.next());
        if let Some(second) = second {
            let message = format!("state '{}' has two transitions for the rest", self.names[state]);
            return Err(error(second.line, message));
        }
        if let Some(first) = first.filter(|_| given >= 1.0) {
            let message = format!(
                "nothing is left for the rest: the other transitions of '{}' have the sum {given}",
                self.names[state]
            );
            return Err(error(first.line, message));
        }
        let fill = |read: &ReadTransition| ChainTransition {
            to: read.to,
            probability: read.probability.unwrap_or(1.0 - given),
            cost: read.cost,
        };
        Ok(read.iter().map(fill).collect())
    }

    /// The line that a problem of the whole chain is best looked for in.
    fn line_of(&self, problem: &ChainError) -> usize {
        match *problem {
            ChainError::StateCount(_) | ChainError::TestCost => 0,
            ChainError::Sum { state, .. } => self.transitions[state].last().map_or(0, |t| t.line),
            ChainError::Probability { from, to } | ChainError::Cost { from, to } => {
                self.transitions[from].iter().find(|t| t.to == to).map_or(0, |t| t.line)
            }
            ChainError::Unreachable(state) | ChainError::Endless(state) => self.lines[state],
        }
    }

    fn step(&self, line: usize, words: &[String]) -> Result<ScriptStep> {
        let state = |name: &String| {
            let found = self.names.iter().position(|known| known == name);
            found.ok_or_else(|| error(line, format!("there is no state '{name}'")))
        };
        let states = |names: &[String]| names.iter().map(state).collect::<Result<Vec<_>>>();
        if words[0] == "covered" {
            let covered = states(&words[1..])?;
            return Ok(ScriptStep::Covered(covered.iter().fold(0, |set, &s| set | bit(s))));
        }
        // A number before the start is a count, though a state may have that name.
        let count = match &words[1..] {
            [count, start, ..] if self.names.first() == Some(start) => count.parse::<u64>().ok(),
            _ => None,
        };
        let Some(count) = count else { return Ok(ScriptStep::Tests(1, states(&words[1..])?)) };
        if !(1..=MAX_COUNT).contains(&count) {
            let message = format!("'{count}' is not a number of tests from 1 to {MAX_COUNT}");
            return Err(error(line, message));
        }
        Ok(ScriptStep::Tests(count, states(&words[2..])?))
    }
}

/// A scripted test must be an execution of the chain.
fn check_path(chain: &ChainModel, line: usize, step: &ScriptStep) -> Result<()> {
    let ScriptStep::Tests(_, path) = step else { return Ok(()) };
    if path.first() != Some(&0) {
        let message = format!("a test starts in state '{}'", chain.name(0));
        return Err(error(line, message));
    }
    match path.windows(2).find(|pair| chain.transition(pair[0], pair[1]).is_none()) {
        Some(pair) => {
            let (from, to) = (chain.name(pair[0]), chain.name(pair[1]));
            Err(error(line, format!("the chain has no transition {from} -> {to}")))
        }
        None => Ok(()),
    }
}

fn number(line: usize, what: &str, text: &str) -> Result<f64> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| error(line, format!("the {what} '{text}' is not a number from zero")))
}

/// A probability: a decimal number or a fraction.
fn fraction(line: usize, text: &str) -> Result<f64> {
    let value = match text.split_once('/') {
        Some((above, below)) => {
            above.parse().ok().zip(below.parse::<f64>().ok()).map(|(a, b): (f64, f64)| a / b)
        }
        None => text.parse().ok(),
    };
    value.filter(|p| *p > 0.0 && *p <= 1.0).ok_or_else(|| {
        error(line, format!("'{text}' is not a probability: expected 0.25, 1/4 or rest"))
    })
}

fn error(line: usize, message: impl Into<String>) -> ChainFileError {
    ChainFileError { line, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_and_scripts_are_read() {
        let text = "# a chain\ncost 2\na -> b 1/4 20 # rare\na -> c rest 5.5\n\nb -> c 1 0\n\
                    test a c\ntest 3 a b c\ntest a\ncovered b c\n";
        let ChainFile { chain, script } = parse(text).expect("a valid chain");
        assert_eq!((chain.test_cost(), chain.path_name(&[0, 1, 2]).as_str()), (2.0, "a b c"));
        let transition = |to, probability, cost| ChainTransition { to, probability, cost };
        assert_eq!(chain.transitions(0), [transition(1, 0.25, 20.0), transition(2, 0.75, 5.5)]);
        assert_eq!(chain.transitions(1), [transition(2, 1.0, 0.0)]);
        assert!(chain.ends(2));
        let tests = |count, path: &[usize]| ScriptStep::Tests(count, path.to_vec());
        let expected =
            [tests(1, &[0, 2]), tests(3, &[0, 1, 2]), tests(1, &[0]), ScriptStep::Covered(0b110)];
        assert_eq!(script, expected);
    }

    #[test]
    fn a_start_may_be_named_like_a_number() {
        let script = |text: &str| parse(text).expect("a valid chain").script;
        let tests = |count, path: &[usize]| [ScriptStep::Tests(count, path.to_vec())];
        assert_eq!(script("1 -> 3 1 4\ntest 1 3"), tests(1, &[0, 1]));
        assert_eq!(script("1 -> 3 1 4\ntest 8 1 3"), tests(8, &[0, 1]));
        assert_eq!(script("1 -> 1 0.5 4\n1 -> 2 rest 4\ntest 1 1 2"), tests(1, &[0, 1]));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, expected) in [
            ("", "the chain has no states"),
            ("a -> b 1", "line 1: expected 'FROM -> TO PROBABILITY COST', 'cost N'"),
            ("\na -> b 2 1", "line 2: '2' is not a probability: expected 0.25, 1/4 or rest"),
            ("a -> b 1/0 1", "line 1: '1/0' is not a probability"),
            ("a -> b 0 1", "line 1: '0' is not a probability"),
            ("a -> b nan 1", "line 1: 'nan' is not a probability"),
            ("a -> b 1 x", "line 1: the cost 'x' is not a number from zero"),
            ("a -> b 1 inf", "line 1: the cost 'inf' is not a number from zero"),
            ("a -> b 1 -1", "line 1: the cost '-1' is not a number from zero"),
            ("cost 0\na -> b 1 1", "the cost of a random test must be positive"),
            ("cost 1\ncost 1", "line 2: the cost of a random test is given twice"),
            ("a -> b 0.5 0\na -> c 0.5 1", "line 1: the cost of 'a' -> 'b' must be positive"),
            ("a -> b 0.5 1\na -> c 0.4 1", "line 2: the probabilities of state 'a' have the sum"),
            ("a -> b rest 1\na -> c rest 1", "line 2: state 'a' has two transitions for the rest"),
            ("a -> b 1 1\na -> c rest 1", "line 2: nothing is left for the rest"),
            ("a -> b 0.5 1\na -> b 0.5 1", "line 2: a -> b was already given in line 1"),
            ("a -> b 1 1\nc -> b 1 1", "line 2: no execution reaches state 'c'"),
            ("a -> b 1 1\nb -> a 1 1", "line 1: executions that reach state 'a' never end"),
            ("a -> b 1 1\ntest b", "line 2: a test starts in state 'a'"),
            ("a -> b 1 1\ntest a b b", "line 2: the chain has no transition b -> b"),
            ("a -> b 1 1\ntest a c", "line 2: there is no state 'c'"),
            ("a -> b 1 1\ntest b b a", "line 2: a test starts in state 'a'"),
            ("a -> b 1 1\ntest 0 a b", "line 2: '0' is not a number of tests from 1 to 1000000"),
            ("a -> b 1 1\ntest x a b", "line 2: there is no state 'x'"),
            ("a -> b 1 1\ncovered x", "line 2: there is no state 'x'"),
        ] {
            let message = parse(text).expect_err("a mistake").to_string();
            assert!(message.starts_with(expected), "{text:?}: {message}");
        }
        let many: String = (0..70).map(|n| format!("s{n} -> s{} 1 1\n", n + 1)).collect();
        let message = parse(&many).expect_err("too many").to_string();
        assert_eq!(message, "line 64: the chain has more than 64 states");
    }
}
