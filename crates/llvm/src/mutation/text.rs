//! Scanning of C source text between positions that clang reports.

/// The text without the blanks and comments around it, and its offset. `None` if only
/// blanks and comments are there.
pub fn trim(text: &[u8]) -> Option<(usize, &[u8])> {
    let begin = skip(text, 0);
    let mut end = begin;
    let mut at = begin;
    while at < text.len() {
        end = at + 1;
        at = skip(text, end);
    }
    (begin < end).then(|| (begin, &text[begin..end]))
}

/// The first offset from `at` on that is neither a blank nor in a comment.
pub fn skip(text: &[u8], mut at: usize) -> usize {
    loop {
        match &text[at.min(text.len())..] {
            [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => at += 1,
            [b'\\', b'\n', ..] => at += 2,
            [b'/', b'/', rest @ ..] => {
                at += 2 + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            }
            [b'/', b'*', rest @ ..] => {
                let end = rest.windows(2).position(|two| two == b"*/");
                at += 2 + end.map_or(rest.len(), |end| end + 2);
            }
            _ => return at,
        }
    }
}

/// The replacement of a byte range, with a blank where it would merge with an adjacent
/// operator: replacing the `+` of `a+*p` by `/` would start a comment.
pub fn separated(text: &[u8], (begin, end): (usize, usize), replacement: &str) -> String {
    let merges = |byte: Option<&u8>| byte.is_some_and(|byte| b"+-*/%&|^<>=!~\\".contains(byte));
    let before = begin.checked_sub(1).and_then(|at| text.get(at));
    let blank = |here: Option<&u8>, beside| match merges(here) && merges(beside) {
        true => " ",
        false => "",
    };
    let bytes = replacement.as_bytes();
    let (left, right) = (blank(bytes.first(), before), blank(bytes.last(), text.get(end)));
    format!("{left}{replacement}{right}")
}

/// The line and column of a byte, counted from one.
pub fn position(text: &[u8], offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
    (number(lines), number(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_comments_are_trimmed() {
        assert_eq!(trim(b" /* + */ - // *\n"), Some((9, &b"-"[..])));
        assert_eq!(trim(b"<<="), Some((0, &b"<<="[..])));
        assert_eq!(trim(b" , x"), Some((1, &b", x"[..])));
        assert_eq!(trim(b" /* open"), None);
        assert_eq!(trim(b""), None);
        assert_eq!(skip(b"a  ;", 1), 3);
        assert_eq!(skip(b"a", 1), 1);
    }

    #[test]
    fn replacements_do_not_merge_with_adjacent_operators() {
        assert_eq!(separated(b"a+*p", (1, 2), "/"), "/ ");
        assert_eq!(separated(b"a-++b", (1, 2), "+"), "+ ");
        assert_eq!(separated(b"a-++b", (2, 4), "--"), " --");
        assert_eq!(separated(b"a+b++", (2, 5), "++(b)"), " ++(b)");
        assert_eq!(separated(b"a + b", (2, 3), "-"), "-");
        assert_eq!(separated(b"-1", (1, 2), "0"), "0");
        assert_eq!(separated(b"", (0, 0), "+"), "+");
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(position(b"ab\nc", 0), (1, 1));
        assert_eq!(position(b"ab\nc", 3), (2, 1));
        assert_eq!(position(b"ab\nc", 1), (1, 2));
    }
}
