//! Reading a few bytes of C between places that clang gave.

/// The one thing that stands in a text beside blanks and comments: where it begins, and
/// it. `None` if there is nothing.
pub fn core(text: &[u8]) -> Option<(usize, &[u8])> {
    let begin = skip(text, 0);
    let mut end = begin;
    let mut at = begin;
    while at < text.len() {
        end = at + 1;
        at = skip(text, end);
    }
    (begin < end).then(|| (begin, &text[begin..end]))
}

/// The first place from here on that is neither a blank nor in a comment.
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

/// What is to stand instead of some bytes, with blanks where it would become one with the
/// operator beside it: `a+*p` with a `/` for the `+` would begin a comment.
pub fn apart(text: &[u8], (begin, end): (usize, usize), replacement: &str) -> String {
    let glues = |byte: Option<&u8>| byte.is_some_and(|byte| b"+-*/%&|^<>=!~\\".contains(byte));
    let before = begin.checked_sub(1).and_then(|at| text.get(at));
    let blank = |here: Option<&u8>, beside| match glues(here) && glues(beside) {
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
    fn what_is_left_without_blanks_and_comments() {
        assert_eq!(core(b" /* + */ - // *\n"), Some((9, &b"-"[..])));
        assert_eq!(core(b"<<="), Some((0, &b"<<="[..])));
        assert_eq!(core(b" , x"), Some((1, &b", x"[..])));
        assert_eq!(core(b" /* open"), None);
        assert_eq!(core(b""), None);
        assert_eq!(skip(b"a  ;", 1), 3);
        assert_eq!(skip(b"a", 1), 1);
    }

    #[test]
    fn operators_stay_apart_from_those_beside_them() {
        assert_eq!(apart(b"a+*p", (1, 2), "/"), "/ ");
        assert_eq!(apart(b"a-++b", (1, 2), "+"), "+ ");
        assert_eq!(apart(b"a-++b", (2, 4), "--"), " --");
        assert_eq!(apart(b"a+b++", (2, 5), "++(b)"), " ++(b)");
        assert_eq!(apart(b"a + b", (2, 3), "-"), "-");
        assert_eq!(apart(b"-1", (1, 2), "0"), "0");
        assert_eq!(apart(b"", (0, 0), "+"), "+");
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(position(b"ab\nc", 0), (1, 1));
        assert_eq!(position(b"ab\nc", 3), (2, 1));
        assert_eq!(position(b"ab\nc", 1), (1, 2));
    }
}
