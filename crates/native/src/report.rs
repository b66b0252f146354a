//! Parses the log of the sanitizers: the error that ended the program, and remarks.

use byway_base::SrcLoc;

use crate::symbols;

/// The parsed log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SanitizerLog {
    /// The error that ended the program.
    pub error: Option<SanitizerError>,
    /// Findings that did not end the program.
    pub remarks: Vec<Remark>,
}

/// An error that ended the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanitizerError {
    /// Its kind, e.g. `heap-buffer-overflow` or `SEGV`.
    pub kind: String,
    /// The stack, innermost frame first: module and offset; `None` for an address outside
    /// any module.
    pub frames: Vec<Option<(String, u64)>>,
}

/// A finding that did not end the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The source location.
    pub at: SrcLoc,
    /// The message, e.g. `signed integer overflow: ...`.
    pub what: String,
}

/// What the errors of the address and the memory sanitizer begin with.
const ERRORS: [&str; 2] = ["ERROR: AddressSanitizer: ", "WARNING: MemorySanitizer: "];
const REMARK: &str = ": runtime error: ";
/// The limit on remarks that are kept; a loop repeats the same one.
const MAX_REMARKS: usize = 1000;

/// Parses a log.
pub fn parse(text: &str) -> SanitizerLog {
    let mut log = SanitizerLog::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let error = ERRORS.iter().find_map(|error| line.split_once(error));
        if let Some((_, what)) = error {
            let frames =
                lines.by_ref().skip_while(|line| frame(line).is_none()).map_while(frame).collect();
            log.error = Some(SanitizerError { kind: kind(what), frames });
            break;
        }
        if let Some((location, what)) = line.split_once(REMARK)
            && let Some(at) = symbols::parse_location(location)
        {
            let remark = Remark { at, what: what.to_string() };
            if log.remarks.len() < MAX_REMARKS && !log.remarks.contains(&remark) {
                log.remarks.push(remark);
            }
        }
    }
    log
}

/// The name of an error: the first word, except for errors described by a sentence.
fn kind(what: &str) -> String {
    if what.starts_with("attempting double-free") {
        "double-free".into()
    } else if what.starts_with("attempting free") {
        "bad-free".into()
    } else {
        what.split_whitespace().next().unwrap_or("unknown").trim_end_matches(':').into()
    }
}

/// Parses `    #0 0x55d0  (/path/program+0x11588a) (BuildId: 07ad...)`. The outer `None`
/// means that the line is no frame, the inner one that the frame is in no module.
fn frame(line: &str) -> Option<Option<(String, u64)>> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let address = rest.split_once(" (").map(|(_, address)| address);
    let address = address.map(|it| it.split(") (BuildId").next().unwrap_or(it));
    Some(address.and_then(|address| {
        let (module, offset) = address.trim_end_matches(')').rsplit_once("+0x")?;
        Some((module.to_string(), u64::from_str_radix(offset, 16).ok()?))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERFLOW: &str = "\
a.c:22:12: runtime error: index 2002 out of bounds for type 'int[4]'
SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.c:22:12
=================================================================
==5==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x7d38 at pc 0x55c0 bp 0x7ffc
READ of size 1 at 0x7d38739e0468 thread T0
    #0 0x55c0b79a2ba6  (/a (b)/prog+0x4fba6) (BuildId: 07adeb)
    #1 0x000000000000  (<unknown module>)
    #2 0x7fa874687249  (/lib/libc.so.6+0x27249)

0x7d38739e0468 is located 0 bytes after 1000-byte region
    #0 0x55c0b7a25764  (/a/prog+0xd2764) (BuildId: 07adeb)
";

    #[test]
    fn parses_the_error_and_the_remarks() {
        let log = parse(OVERFLOW);
        let error = log.error.expect("an error");
        assert_eq!(error.kind, "heap-buffer-overflow");
        let program = ("/a (b)/prog".to_string(), 0x4fba6);
        let libc = ("/lib/libc.so.6".to_string(), 0x27249);
        assert_eq!(error.frames, [Some(program), None, Some(libc)]);
        assert_eq!(log.remarks.len(), 1);
        assert_eq!(log.remarks[0].at.line, 22);
        assert!(log.remarks[0].what.starts_with("index 2002 out of bounds"));
    }

    #[test]
    fn parses_an_error_of_the_memory_sanitizer() {
        let log = parse(
            "==9==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x5  (/a/p+0x1b)\n",
        );
        let error = log.error.expect("an error");
        assert_eq!(error.kind, crate::UNINITIALISED);
        assert_eq!(error.frames, [Some(("/a/p".to_string(), 0x1b))]);
    }

    #[test]
    fn errors_described_by_a_sentence_have_a_name() {
        assert_eq!(kind("attempting double-free on 0x7ba6 in thread T0:"), "double-free");
        assert_eq!(kind("attempting free on address which was not malloc()-ed: 0x1"), "bad-free");
        assert_eq!(kind("SEGV on unknown address 0x000000000000 (pc 0x0)"), "SEGV");
        assert_eq!(kind("stack-overflow on address"), "stack-overflow");
        assert_eq!(kind(""), "unknown");
    }

    #[test]
    fn repeated_remarks_are_one() {
        let text = "a.c:1:2: runtime error: shift\n".repeat(10);
        assert_eq!(parse(&text).remarks.len(), 1);
    }

    #[test]
    fn other_text_is_no_report() {
        for text in ["", "\n\n", "#0 (", "runtime error: x", "==1==ERROR: LeakSanitizer: x"] {
            assert_eq!(parse(text), SanitizerLog::default(), "{text:?}");
        }
        assert_eq!(parse("ERROR: AddressSanitizer: ").error.expect("an error").kind, "unknown");
    }
}
