//! Response files: `@FILE` in a command line stands for the words in the file.

use std::ffi::OsString;

/// Files may name others; a file that names itself has no end.
const MAX_DEPTH: usize = 10;

/// Replaces `@FILE` by the words in the file. Where that fails, the word stays, as the native
/// compiler has it.
pub fn expand(words: &[OsString]) -> Vec<OsString> {
    expand_nested(words, 0)
}

fn expand_nested(words: &[OsString], depth: usize) -> Vec<OsString> {
    let mut expanded = Vec::new();
    for word in words {
        let file = word.to_str().and_then(|text| text.strip_prefix('@'));
        let text =
            file.filter(|_| depth < MAX_DEPTH).and_then(|file| std::fs::read_to_string(file).ok());
        match text {
            Some(text) => expanded.extend(expand_nested(&split(&text), depth + 1)),
            None => expanded.push(word.clone()),
        }
    }
    expanded
}

/// The words of a response file: separated by white space, quoted by `'`, `"` and `\`.
pub fn split(text: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_files_have_quotes() {
        assert_eq!(split(r#"-DA="b c" 'd\'e f\ g' "" "#), ["-DA=b c", "d'e f g", ""]);
        assert_eq!(split(r#"a\ b 'c d' """#), ["a b", "c d", ""]);
    }
}
