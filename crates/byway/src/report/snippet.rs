//! Renders a line of the user's source with a mark under a location.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use byway_base::SrcLoc;

use crate::console::Style;

/// Bytes; larger files are not read, because they are hardly source code.
const MAX_FILE: u64 = 64 << 20;
/// Characters of a line that are shown, around the mark.
const MAX_LINE: usize = 120;
const TAB: &str = "    ";

/// The source files of a report, each read once.
pub struct Sources {
    files: HashMap<String, Option<Rc<String>>>,
    here: Option<PathBuf>,
}

impl Sources {
    pub fn new() -> Self {
        Sources { files: HashMap::new(), here: env::current_dir().ok() }
    }

    /// A location as `file:line:column`, relative to the current directory if possible.
    pub fn location(&self, loc: &SrcLoc) -> String {
        SrcLoc { file: self.file(&loc.file), ..loc.clone() }.to_string()
    }

    /// A path, relative to the current directory if possible.
    pub fn file(&self, file: &str) -> String {
        let path = Path::new(file);
        let short = self.here.as_ref().and_then(|here| path.strip_prefix(here).ok());
        visible(&short.unwrap_or(path).display().to_string())
    }

    fn line(&mut self, loc: &SrcLoc) -> Option<String> {
        let read = |file: &String| {
            let metadata = fs::metadata(file).ok()?;
            // Debug information may name any file, even an endless device.
            if !metadata.is_file() || metadata.len() > MAX_FILE {
                return None;
            }
            let bytes = fs::read(file).ok()?;
            Some(Rc::new(String::from_utf8_lossy(&bytes).into_owned()))
        };
        let text = self.files.entry(loc.file.clone()).or_insert_with_key(read).clone()?;
        let index = usize::try_from(loc.line).ok()?.checked_sub(1)?;
        text.lines().nth(index).map(str::to_string)
    }
}

/// The location and, if the source can be read, the line with a mark:
///
/// ```text
///   --> dir/file.c:12:9
///    |
/// 12 |     buf[i] = 0;
///    |     ^^^
/// ```
pub fn render(sources: &mut Sources, loc: &SrcLoc, style: Style) -> String {
    let number = loc.line.to_string();
    let margin = " ".repeat(number.len());
    let mut out = format!("{margin}{} {}\n", style.gutter("-->"), sources.location(loc));
    if let Some(line) = sources.line(loc) {
        let (text, mark) = marked(&line, loc.column);
        let bar = style.gutter("|");
        out += &format!("{margin} {bar}\n{} {bar} {text}\n", style.gutter(number));
        if !mark.is_empty() {
            let indent = &mark[..mark.len() - mark.trim_start().len()];
            out += &format!("{margin} {bar} {indent}{}\n", style.error(mark.trim_start()));
        }
    }
    out
}

/// The printable line and the mark under it: under the identifier that begins at the column, or
/// under the character there. Columns count bytes from one, as in compilers; zero gives no mark.
fn marked(line: &str, column: u32) -> (String, String) {
    let start = usize::try_from(column).ok().and_then(|c| c.checked_sub(1));
    let mut text = String::new();
    // The range of the mark in characters of `text`.
    let mut mark: Option<(usize, usize)> = None;
    let mut width = 0;
    let mut in_name = false;
    for (at, c) in line.char_indices() {
        let shown = if c == '\t' { TAB.to_string() } else { visible(c.encode_utf8(&mut [0; 4])) };
        let is_name = c.is_alphanumeric() || c == '_';
        if start.is_some_and(|start| (at..at + c.len_utf8()).contains(&start)) {
            mark = Some((width, width + 1));
            in_name = is_name;
        } else if let Some((_, end)) = &mut mark
            && in_name
        {
            in_name = is_name;
            *end += usize::from(is_name);
        }
        width += shown.chars().count();
        text += &shown;
    }
    let text = text.trim_end();
    let (from, to) = mark.unwrap_or((0, 0));
    // The window contains the mark and some context before it.
    let skip = if to > MAX_LINE { from.saturating_sub(MAX_LINE / 4) } else { 0 };
    let mut window: String = text.chars().skip(skip).take(MAX_LINE).collect();
    if text.chars().count() > skip + MAX_LINE {
        window.push_str("...");
    }
    let lead = if skip > 0 { "..." } else { "" };
    let carets = (to - from).min(MAX_LINE - (from - skip).min(MAX_LINE));
    let mark = match carets {
        0 => String::new(),
        n => format!("{}{}", " ".repeat(lead.len() + from - skip), "^".repeat(n)),
    };
    (format!("{lead}{window}"), mark)
}

/// The text with control characters replaced, which a terminal would interpret.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(line: &str, column: u32) -> (String, String) {
        marked(line, column)
    }

    #[test]
    fn marks_a_name_or_a_character() {
        assert_eq!(mark("  a = buf1[i];", 7), ("  a = buf1[i];".into(), "      ^^^^".into()));
        assert_eq!(mark("x = a / b;", 7), ("x = a / b;".into(), "      ^".into()));
        assert_eq!(mark("abc", 2), ("abc".into(), " ^^".into()));
    }

    #[test]
    fn columns_count_bytes_and_tabs_are_expanded() {
        assert_eq!(mark("\té = f();", 7), ("    é = f();".into(), "        ^".into()));
    }

    #[test]
    fn invalid_columns_give_no_mark() {
        assert_eq!(mark("abc", 0).1, "");
        assert_eq!(mark("abc", 99).1, "");
        assert_eq!(mark("", 1).1, "");
        assert_eq!(mark("é", 2).1, "^");
        assert_eq!(mark("abc", u32::MAX).1, "");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = format!("{}target{}", "a ".repeat(500), " b".repeat(500));
        let (text, mark) = mark(&line, 1001);
        assert!(text.chars().count() <= MAX_LINE + 6);
        let under: String =
            text.chars().zip(mark.chars()).filter(|(_, m)| *m == '^').map(|(t, _)| t).collect();
        assert_eq!(under, "target");
        let (text, mark) = marked(&"x".repeat(5000), 1);
        assert!(text.len() <= MAX_LINE + 3 && mark.len() <= MAX_LINE);
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(mark("a\x1b[31mb", 1).0, "a\u{FFFD}[31mb");
    }

    #[test]
    fn a_missing_file_gives_a_location_without_a_line() {
        let loc = SrcLoc { file: "/nowhere/at all.c".into(), line: 3, column: 5 };
        let text = render(&mut Sources::new(), &loc, Style::new(false));
        assert_eq!(text, " --> /nowhere/at all.c:3:5\n");
    }

    #[test]
    fn endless_files_are_not_read() {
        let loc = SrcLoc { file: "/dev/zero".into(), line: 1, column: 1 };
        assert_eq!(render(&mut Sources::new(), &loc, Style::new(false)), " --> /dev/zero:1:1\n");
    }
}
