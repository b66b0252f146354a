//! Reads a unified diff without context.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use super::{FileDiff, Hunk, HunkSide};

/// The command whose output [`parse`] reads.
pub fn options(commit: &str) -> [&str; 13] {
    [
        "-c",
        "core.quotePath=true",
        "diff",
        "--unified=0",
        "--inter-hunk-context=0",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--find-renames",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        commit,
        "--",
    ]
}

/// The files that have changed lines, in the order of the diff.
pub fn parse(diff: &[u8]) -> Vec<FileDiff> {
    let mut changed: Vec<FileDiff> = Vec::new();
    let mut old = None;
    let mut lines = diff.split(|&byte| byte == b'\n');
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix(b"--- ") {
            old = path(name, b"a/");
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            let new = path(name, b"b/");
            changed.push(FileDiff { old: old.take(), new, hunks: Vec::new() });
        } else if let Some((removed, added)) = header(line) {
            // The text of a hunk may look like a header.
            let removed = side(removed, &mut lines);
            let added = side(added, &mut lines);
            if let Some(file) = changed.last_mut() {
                file.hunks.push(Hunk { old: removed, new: added });
            }
        }
    }
    changed.retain(|file| !file.hunks.is_empty());
    changed
}

/// The numbers of the header of a hunk, `@@ -12,3 +15 @@`: the first line and their count, on
/// both sides.
fn header(line: &[u8]) -> Option<((u32, u32), (u32, u32))> {
    let line = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|&b| b == b'@').next()?);
    let (old, new) = line.ok()?.trim_end().split_once(" +")?;
    let numbers = |text: &str| -> Option<(u32, u32)> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    Some((numbers(old)?, numbers(new)?))
}

/// One side of a hunk, with its text. A note about a missing newline at the end of the file may
/// follow a line.
fn side<'a>(
    (start, count): (u32, u32),
    lines: &mut (impl Iterator<Item = &'a [u8]> + Clone),
) -> HunkSide {
    let mut may_have_code = false;
    for _ in 0..count {
        let Some(line) = lines.next() else { break };
        may_have_code |= line.get(1..).is_some_and(|text| !is_blank_or_comment(text));
        let mut ahead = lines.clone();
        if ahead.next().is_some_and(|line| line.starts_with(b"\\ ")) {
            *lines = ahead;
        }
    }
    HunkSide { start, count, may_have_code }
}

/// Whether a line certainly has no code: it is empty or a whole comment. A line in the middle of a
/// comment is not recognised.
fn is_blank_or_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_whole = || {
        let inner = line.strip_prefix(b"/*").and_then(|rest| rest.strip_suffix(b"*/"));
        inner.is_some_and(|inner| !inner.windows(2).any(|pair| pair == b"*/"))
    };
    // A backslash continues the comment on the next line.
    line.is_empty() || line.starts_with(b"//") && !line.ends_with(b"\\") || is_whole()
}

/// The path behind `--- ` or `+++ `, without its prefix; `None` for `/dev/null`.
fn path(name: &[u8], prefix: &[u8]) -> Option<PathBuf> {
    // A name with a space is followed by a tab.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let name = match name.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
        Some(quoted) => unquote(quoted)?,
        None => name.to_vec(),
    };
    let name = name.strip_prefix(prefix)?;
    Some(PathBuf::from(OsString::from_vec(name.to_vec())))
}

/// Resolves the escapes of a C string.
fn unquote(quoted: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let (&escape, tail) = rest.split_first()?;
        rest = tail;
        bytes.push(match escape {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'0'..=b'3' => {
                let (low, tail) = rest.split_at_checked(2)?;
                rest = tail;
                let digits = [escape, low[0], low[1]];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 8).ok()?
            }
            other => other,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_fuzz::Fuzz;

    const DIFF: &str = "\
diff --git a/a.c b/a.c
index 1..2 100644
--- a/a.c
+++ b/a.c
@@ -3,2 +3 @@ int f(void)
-old
--- a/looks/like/a/header
+++ b/neither
@@ -9 +8,0 @@
-removed
@@ -0,0 +20,3 @@
+one
+two
+three
\\ No newline at end of file
diff --git a/old name.c b/new name.c
similarity index 90%
rename from old name.c
rename to new name.c
--- a/old name.c\t
+++ b/new name.c\t
@@ -1 +1 @@
-a
+b
diff --git a/x.png b/x.png
Binary files a/x.png and b/x.png differ
diff --git \"a/\\303\\244\\t.c\" \"b/\\303\\244\\t.c\"
--- \"a/\\303\\244\\t.c\"
+++ \"b/\\303\\244\\t.c\"
@@ -5 +5 @@
-a
+b
diff --git a/gone.c b/gone.c
deleted file mode 100644
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-a
diff --git a/new.c b/new.c
new file mode 100644
--- /dev/null
+++ b/new.c
@@ -0,0 +1 @@
+a
diff --git a/top.c b/top.c
--- a/top.c
+++ b/top.c
@@ -1 +0,0 @@
-a
";

    /// Start, count and whether there may be code.
    type Side = (u32, u32, bool);
    /// Old and new path, and both sides of each hunk.
    type ParsedFile = (Option<String>, Option<String>, Vec<(Side, Side)>);

    fn parsed(diff: &str) -> Vec<ParsedFile> {
        let text = |path: Option<PathBuf>| path.map(|path| path.display().to_string());
        let side = |side: &HunkSide| (side.start, side.count, side.may_have_code);
        let files = parse(diff.as_bytes()).into_iter();
        let hunks = |file: &FileDiff| -> Vec<(Side, Side)> {
            file.hunks.iter().map(|hunk| (side(&hunk.old), side(&hunk.new))).collect()
        };
        files.map(|file| (text(file.old.clone()), text(file.new.clone()), hunks(&file))).collect()
    }

    #[test]
    fn hunks_give_lines() {
        let name = |name: &str| Some(name.to_string());
        assert_eq!(
            parsed(DIFF),
            [
                (
                    name("a.c"),
                    name("a.c"),
                    vec![
                        ((3, 2, true), (3, 1, true)),
                        ((9, 1, true), (8, 0, false)),
                        ((0, 0, false), (20, 3, true)),
                    ]
                ),
                (name("old name.c"), name("new name.c"), vec![((1, 1, true), (1, 1, true))]),
                (name("ä\t.c"), name("ä\t.c"), vec![((5, 1, true), (5, 1, true))]),
                (name("gone.c"), None, vec![((1, 1, true), (0, 0, false))]),
                (None, name("new.c"), vec![((0, 0, false), (1, 1, true))]),
                (name("top.c"), name("top.c"), vec![((1, 1, true), (0, 0, false))]),
            ]
        );
    }

    #[test]
    fn comments_are_no_code() {
        for text in ["", "  ", "// a", "\t/* a */", "/**/"] {
            assert!(is_blank_or_comment(text.as_bytes()), "{text}");
        }
        for text in ["x", "/* a */ x; /* b */", "/* a", " * b", "*p = 1;", "// a \\", "/*/"] {
            assert!(!is_blank_or_comment(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_missing_newline_is_no_line() {
        let diff = "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-x;\n\\ No newline at end of file\n+// y\n";
        let hunk = ((1, 1, true), (1, 1, false));
        assert_eq!(parsed(diff)[0].2, [hunk]);
    }

    #[test]
    fn fuzz_diff() {
        Fuzz::new("diff", [DIFF]).run(|bytes| format!("{} files", parse(bytes).len()));
    }
}
