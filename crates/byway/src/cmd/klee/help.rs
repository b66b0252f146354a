//! `klee --help` and `--version`.

use super::options::{KleeMeaning, KleeValue, SECTIONS};

/// The width of the column of options.
const COLUMN: usize = 42;

pub fn version() -> String {
    format!("KLEE's command line on Byway {}\n", env!("CARGO_PKG_VERSION"))
}

/// The options with an effect, and a line on the others.
pub fn text() -> String {
    let mut text = String::from(
        "OVERVIEW: KLEE's command line on Byway\n\n\
         USAGE: klee [options] <program.bc> <program arguments>...\n\n\
         The program is bitcode, C, an archive, or - for bitcode from standard input. Options may\n\
         have one dash or two; @FILE stands for the words of a file. The results are in\n\
         klee-out-N, beside the program, which 'byway stats', 'byway replay' and 'byway cover'\n\
         take, too.\n",
    );
    let mut others = Vec::new();
    for section in &SECTIONS {
        let mut lines = String::new();
        for option in section.options {
            let KleeMeaning::Applied(what) = option.meaning else {
                others.push(option.name);
                continue;
            };
            let value = match option.value {
                KleeValue::Flag => "",
                KleeValue::Text => "=<value>",
                KleeValue::Optional => "[=<value>]",
            };
            let name = format!("  --{}{value}", option.name);
            lines += &format!("{name:<COLUMN$}- {what}\n");
        }
        if !lines.is_empty() {
            text += &format!("\n{}:\n\n{lines}", section.title);
        }
    }
    text += "\nAccepted without effect; using one prints why, or notes it in messages.txt:\n\n";
    let mut line = String::from(" ");
    for name in others {
        if line.len() + name.len() > 90 {
            text += &format!("{line}\n");
            line = String::from(" ");
        }
        line += &format!(" --{name}");
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_option_is_listed() {
        let text = super::text();
        for name in super::super::options::names() {
            assert!(text.contains(&format!("--{name}")), "{name}");
        }
        assert!(text.lines().all(|line| line.len() <= 110), "{text}");
    }
}
