//! All inputs that options allow, over some bytes.

use byway_testcase::symbolic::{Argument, InputFile, ProgramInput, SymbolicInputSpec};

/// More inputs than this are a mistake in the bounds.
const MOST: usize = 1 << 18;

/// Every input that these options mean, with bytes from an alphabet.
pub fn all(spec: &SymbolicInputSpec, alphabet: &[u8]) -> Result<Vec<ProgramInput>, String> {
    let name = ProgramInput { arguments: vec![b"program".to_vec()], ..ProgramInput::default() };
    let mut inputs = vec![name];
    for argument in &spec.arguments {
        let lists = match argument {
            Argument::Concrete(word) => vec![vec![word.clone()]],
            Argument::Symbolic(length) => lists(1, 1, &texts(alphabet, *length)?)?,
            Argument::Several { min, max, length } => {
                lists(*min, *max, &texts(alphabet, *length)?)?
            }
        };
        inputs = product(&inputs, &lists, |it, list| it.arguments.extend_from_slice(list))?;
    }
    for (name, length) in &spec.variables {
        let values = texts(alphabet, *length)?;
        inputs = product(&inputs, &values, |it, value| {
            it.variables.push((name.clone(), value.clone()));
        })?;
    }
    let (count, size) = spec.files.unwrap_or((0, 0));
    for name in ('A'..='Z').take(count as usize) {
        inputs = product(&inputs, &contents(spec, alphabet, size)?, |it, bytes| {
            it.files.push(InputFile { name: name.to_string(), bytes: bytes.clone() });
        })?;
    }
    if let Some(size) = spec.stdin {
        inputs = product(&inputs, &contents(spec, alphabet, size)?, |it, bytes| {
            it.stdin = Some(bytes.clone());
        })?;
    }
    Ok(inputs)
}

/// All possible contents of a file.
fn contents(spec: &SymbolicInputSpec, alphabet: &[u8], size: u32) -> Result<Vec<Vec<u8>>, String> {
    let least = if spec.symbolic_sizes { 0 } else { size };
    let strings: Vec<[u8; 1]> = alphabet.iter().map(|&byte| [byte]).collect();
    Ok(lists(least, size, &strings)?.into_iter().map(|list| list.concat()).collect())
}

/// All possible values of an argument or a variable, which contain no zero byte.
fn texts(alphabet: &[u8], length: u32) -> Result<Vec<Vec<u8>>, String> {
    let bytes = alphabet.iter().filter(|&&byte| byte != 0);
    let strings: Vec<[u8; 1]> = bytes.map(|&byte| [byte]).collect();
    Ok(lists(0, length, &strings)?.into_iter().map(|list| list.concat()).collect())
}

/// All lists of this length.
fn lists<T: Clone>(least: u32, most: u32, items: &[T]) -> Result<Vec<Vec<T>>, String> {
    let mut all = Vec::new();
    let mut longest = vec![Vec::new()];
    for length in 0..=most {
        if length > 0 {
            longest = product(&longest, items, |list, item| list.push(item.clone()))?;
        }
        if length >= least {
            all.extend(longest.iter().cloned());
        }
    }
    Ok(all)
}

fn product<A: Clone, B>(
    left: &[A],
    right: &[B],
    join: impl Fn(&mut A, &B),
) -> Result<Vec<A>, String> {
    if left.len().saturating_mul(right.len()) > MOST {
        return Err(format!("more than {MOST} inputs"));
    }
    let mut all = Vec::with_capacity(left.len() * right.len());
    for one in left {
        for other in right {
            let mut joined = one.clone();
            join(&mut joined, other);
            all.push(joined);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(words: &str, alphabet: &[u8]) -> usize {
        let words: Vec<Vec<u8>> = words.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let spec = SymbolicInputSpec::parse(&words).expect("good words");
        let all = all(&spec, alphabet).expect("few enough");
        let distinct: std::collections::BTreeSet<String> =
            all.iter().map(|it| format!("{it:?}")).collect();
        assert_eq!(distinct.len(), all.len());
        all.len()
    }

    #[test]
    fn every_input_is_there_once() {
        let every: Vec<u8> = (0..=255).collect();
        assert_eq!(count("--sym-args 0 1 2", &every), 1 + 1 + 255 + 255 * 255);
        assert_eq!(count("x --sym-args 1 2 1", b"\0ab"), 3 + 9);
        assert_eq!(count("--sym-files 2 2", b"\0a"), 16);
        assert_eq!(count("--sym-stdin 2 --sym-sizes --sym-env X 1", b"\0a"), 7 * 2);
    }

    #[test]
    fn too_many_are_refused() {
        let every: Vec<u8> = (0..=255).collect();
        let words = vec![b"--sym-stdin".to_vec(), b"3".to_vec()];
        assert!(all(&SymbolicInputSpec::parse(&words).expect("good words"), &every).is_err());
    }
}
