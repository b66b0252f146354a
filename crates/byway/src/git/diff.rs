//! Reads a unified diff without context.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use super::ChangedLines;

/// The command whose output [`parse`] reads.
pub fn options(commit: &str) -> [&str; 14] {
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
        "--diff-filter=d",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        commit,
        "--",
    ]
}

/// The changed lines of each file that has any, with its path in the repository. A place where
/// lines were only removed counts as a change of the line before it, which is executed next to
/// the change.
pub fn parse(diff: &[u8]) -> Vec<ChangedLines> {
    let mut changed: Vec<ChangedLines> = Vec::new();
    let mut lines = diff.split(|&byte| byte == b'\n');
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix(b"+++ ") {
            changed.extend(path(name).map(|file| ChangedLines { file, lines: Vec::new() }));
        } else if let Some(hunk) = Hunk::parse(line) {
            if let (Some(file), Some(range)) = (changed.last_mut(), hunk.range()) {
                file.lines.push(range);
            }
            // The text of a hunk may look like a header.
            skip(&mut lines, hunk.body());
        }
    }
    changed.retain(|file| !file.lines.is_empty());
    changed
}

fn skip<'a>(lines: &mut impl Iterator<Item = &'a [u8]>, count: u64) {
    for _ in 0..count {
        if lines.next().is_none() {
            break;
        }
    }
}

/// The header of a hunk: `@@ -12,3 +15 @@`.
struct Hunk {
    removed: u32,
    start: u32,
    added: u32,
}

impl Hunk {
    fn parse(line: &[u8]) -> Option<Hunk> {
        let line = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|&b| b == b'@').next()?);
        let (old, new) = line.ok()?.trim_end().split_once(" +")?;
        let numbers = |text: &str| -> Option<(u32, u32)> {
            match text.split_once(',') {
                Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
                None => Some((text.parse().ok()?, 1)),
            }
        };
        let ((_, removed), (start, added)) = (numbers(old)?, numbers(new)?);
        Some(Hunk { removed, start, added })
    }

    fn range(&self) -> Option<RangeInclusive<u32>> {
        let end = self.start.saturating_add(self.added.max(1) - 1);
        // Removed at the top of the file.
        (self.start > 0).then_some(self.start..=end)
    }

    /// Lines of text below the header. A note about a missing newline at the end of the file is
    /// skipped as an unknown line.
    fn body(&self) -> u64 {
        u64::from(self.removed) + u64::from(self.added)
    }
}

/// The path behind `+++ `; `None` for `/dev/null`.
fn path(name: &[u8]) -> Option<PathBuf> {
    // A name with a space is followed by a tab.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let name = match name.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
        Some(quoted) => unquote(quoted)?,
        None => name.to_vec(),
    };
    let name = name.strip_prefix(b"b/")?;
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
diff --git a/top.c b/top.c
--- a/top.c
+++ b/top.c
@@ -1 +0,0 @@
-a
";

    #[test]
    fn hunks_give_lines() {
        let changed: Vec<_> =
            parse(DIFF.as_bytes()).into_iter().map(|it| (it.file, it.lines)).collect();
        assert_eq!(
            changed,
            [
                (PathBuf::from("a.c"), vec![3..=3, 8..=8, 20..=22]),
                (PathBuf::from("new name.c"), vec![1..=1]),
                (PathBuf::from("ä\t.c"), vec![5..=5]),
            ]
        );
    }

    #[test]
    fn fuzz_diff() {
        Fuzz::new("diff", [DIFF]).run(|bytes| format!("{} files", parse(bytes).len()));
    }
}
