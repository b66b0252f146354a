//! Compares glibc's headers with musl's: the sizes and members of all types, the values of all
//! integer constants, the types of all functions that both declare. Each difference is listed in
//! `glibc_differences.txt`, with the reason why bitcode compiled against glibc's headers runs
//! all the same, or how its path ends. A new difference, or a new header, fails the test.
//!
//! Clang reports what the headers declare (`-ast-dump`, `-dM`), and evaluates one constant for
//! each fact, in LLVM IR. Members and macros that begin with two underscores are private to
//! their library. Macros that are no integers are not compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::TestDir;

/// Headers that musl's set lacks on its own: they include the kernel's.
const NEED_THE_KERNELS: [&str; 3] = ["sys/kd.h", "sys/soundcard.h", "sys/vt.h"];

/// Headers of musl that glibc lacks. Clang supplies the first seven itself.
const ONLY_MUSL: [&str; 11] = [
    "float.h",
    "iso646.h",
    "stdalign.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdnoreturn.h",
    "stropts.h",
    "sys/cachectl.h",
    "sys/membarrier.h",
    "sys/stropts.h",
];

/// Types that cannot be members of a structure: functions, and structures that musl keeps
/// private.
const NO_SIZE: [&str; 7] = [
    "DIR",
    "FILE",
    "Sg_io_vec",
    "cookie_close_function_t",
    "cookie_read_function_t",
    "cookie_seek_function_t",
    "cookie_write_function_t",
];

#[test]
fn every_difference_between_the_headers_is_listed() {
    let lab = TestDir::new();
    let runtime = std::env::var_os("BYWAY_RUNTIME_DIR").map_or_else(
        || Path::new(env!("CARGO_BIN_EXE_byway")).with_file_name("byway-runtime"),
        PathBuf::from,
    );
    let headers = common_headers(&runtime.join("include"));
    let musl = vec![
        "-nostdlibinc".to_string(),
        "-isystem".to_string(),
        runtime.join("include").display().to_string(),
    ];
    let glibc = HeaderSet::read(&lab, vec![], &headers);
    let musl = HeaderSet::read(&lab, musl, &headers);
    let facts = Facts::common(&glibc, &musl);
    let counts =
        [&facts.types.len(), &facts.members.len(), &facts.functions.len(), &facts.constants.len()];
    let least = [&400, &1_000, &1_400, &7_000];
    assert!(counts.iter().zip(least).all(|(n, least)| *n > least), "of the headers: {counts:?}");

    let [glibc, musl] = [&glibc, &musl].map(|set| facts.evaluate(&lab, set));
    let incomplete: BTreeSet<&str> = facts
        .types
        .iter()
        .filter(|t| !glibc.contains_key(&size(t)) || !musl.contains_key(&size(t)))
        .map(String::as_str)
        .collect();
    assert_eq!(incomplete, BTreeSet::from(NO_SIZE), "types without a size");
    let found: BTreeSet<String> = glibc
        .keys()
        .chain(musl.keys())
        .filter(|fact| {
            glibc.get(*fact) != musl.get(*fact) && !is_member_of_one(fact, &glibc, &musl)
        })
        .map(|fact| {
            let value = |of: &BTreeMap<String, String>| of.get(fact).cloned().unwrap_or("-".into());
            format!("{fact}: {} {}", value(&glibc), value(&musl))
        })
        .collect();
    let listed = listed();
    let new: Vec<&String> = found.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "not in glibc_differences.txt: {new:#?}\nno difference any more: {gone:#?}"
    );
}

/// The differences of the list, without their explanations.
fn listed() -> BTreeSet<String> {
    let lines = include_str!("glibc_differences.txt").lines();
    lines.filter(|l| !l.is_empty() && !l.starts_with('#')).map(str::to_string).collect()
}

/// A structure may have members that the other's lacks.
fn is_member_of_one(
    fact: &str,
    glibc: &BTreeMap<String, String>,
    musl: &BTreeMap<String, String>,
) -> bool {
    fact.starts_with("member") && !(glibc.contains_key(fact) && musl.contains_key(fact))
}

fn size(of: &str) -> String {
    format!("size of {of}")
}

/// The headers that both libraries have.
fn common_headers(musl: &Path) -> Vec<String> {
    let glibc = [Path::new("/usr/include"), Path::new("/usr/include/x86_64-linux-gnu")];
    let has_glibc = |name: &str| glibc.iter().any(|dir| dir.join(name).is_file());
    assert!(has_glibc("features.h"), "glibc's headers are not in /usr/include (libc6-dev)");
    let mut headers = Vec::new();
    collect(musl, "", &mut headers);
    let (common, only_musl): (Vec<String>, Vec<String>) =
        headers.into_iter().partition(|name| has_glibc(name));
    assert_eq!(only_musl, ONLY_MUSL, "headers of musl alone");
    common.into_iter().filter(|name| !NEED_THE_KERNELS.contains(&name.as_str())).collect()
}

/// The headers in a directory, sorted. Those in bits are parts of others.
fn collect(root: &Path, prefix: &str, headers: &mut Vec<String>) {
    let entries = fs::read_dir(root.join(prefix)).expect("the C library's headers").flatten();
    for entry in entries {
        let name = entry.file_name().into_string().expect("a name in ASCII");
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        if ["bits", "klee", "byway.h"].contains(&name.as_str()) {
            continue;
        }
        if entry.path().is_dir() {
            collect(root, &name, headers);
        } else {
            headers.push(name);
        }
    }
    headers.sort();
}

/// One library's headers, and the names they declare.
struct HeaderSet {
    options: Vec<String>,
    source: String,
    types: BTreeSet<String>,
    /// Pairs of a type and a member.
    members: BTreeSet<(String, String)>,
    functions: BTreeSet<String>,
    /// Macros and enumerators.
    constants: BTreeSet<String>,
}

impl HeaderSet {
    fn read(lab: &TestDir, options: Vec<String>, headers: &[String]) -> HeaderSet {
        let include = |name: &String| format!("#include <{name}>\n");
        let source =
            format!("#define _GNU_SOURCE\n{}", headers.iter().map(include).collect::<String>());
        let mut set = HeaderSet {
            options,
            source,
            types: BTreeSet::new(),
            members: BTreeSet::new(),
            functions: BTreeSet::new(),
            constants: BTreeSet::new(),
        };
        let (tree, errors) = set.clang(lab, "", &["-fsyntax-only", "-Xclang", "-ast-dump"]);
        assert!(!errors.contains("error:"), "{errors}");
        set.read_tree(&tree);
        let (macros, _) = set.clang(lab, "", &["-E", "-dM"]);
        let defined = macros.lines().filter_map(|line| line.strip_prefix("#define "));
        // Without parameters and not empty.
        let valued = defined.filter_map(|rest| rest.split_once(' ')).filter(|(_, v)| !v.is_empty());
        let names = valued.map(|(name, _)| name.to_string()).filter(|name| !name.contains('('));
        set.constants.extend(names.filter(|name| !name.starts_with("__")));
        set
    }

    /// Reads the names in clang's syntax tree. The members of an unnamed structure belong to the
    /// type that is defined next.
    fn read_tree(&mut self, tree: &str) {
        let mut owner = None;
        let mut unnamed = Vec::new();
        for line in tree.lines() {
            let before_type = line.split(" '").next().unwrap_or(line);
            let name = before_type.rsplit(' ').next().unwrap_or_default().to_string();
            if line.contains("-EnumConstantDecl ") {
                self.constants.insert(name);
            } else if line.starts_with("| ") && line.contains("FieldDecl ") {
                match &owner {
                    Some(owner) => drop(self.members.insert((String::clone(owner), name))),
                    None => unnamed.push(name),
                }
            } else if line.starts_with("|-RecordDecl ") {
                owner = structure(line);
                self.types.extend(owner.clone());
            } else if line.starts_with("|-TypedefDecl ") {
                self.members.extend(unnamed.drain(..).map(|member| (name.clone(), member)));
                self.types.insert(name);
            } else if line.starts_with("|-FunctionDecl ") {
                self.functions.insert(name);
            }
        }
    }

    /// Runs clang on the headers and further lines: its output and its messages.
    fn clang(&self, lab: &TestDir, lines: &str, words: &[&str]) -> (String, String) {
        lab.file("headers.c", format!("{}{lines}", self.source));
        let clang = std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into());
        let output = Command::new(clang)
            .args(["--target=x86_64-pc-linux-gnu", "-w", "-ferror-limit=0"])
            .args(&self.options)
            .args(words)
            .arg("headers.c")
            .current_dir(lab.path("."))
            .output()
            .expect("clang starts");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(output.stdout), text(output.stderr))
    }
}

/// The name of a structure or union that a line of the syntax tree defines.
fn structure(line: &str) -> Option<String> {
    let words: Vec<&str> = line.strip_suffix(" definition")?.rsplit(' ').collect();
    matches!(words[1], "struct" | "union").then(|| format!("{} {}", words[1], words[0]))
}

/// The names that two sets of headers have in common.
struct Facts {
    types: Vec<String>,
    members: Vec<(String, String)>,
    functions: Vec<String>,
    constants: Vec<String>,
}

impl Facts {
    fn common(a: &HeaderSet, b: &HeaderSet) -> Facts {
        fn both<T: Ord + Clone>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> Vec<T> {
            a.intersection(b).cloned().collect()
        }
        let mut members = both(&a.members, &b.members);
        members.retain(|(_, member)| !member.starts_with("__"));
        Facts {
            types: both(&a.types, &b.types),
            members,
            functions: both(&a.functions, &b.functions),
            constants: both(&a.constants, &b.constants),
        }
    }

    /// The facts in words, each with a C definition of a global `fact_N` that shows it.
    fn definitions(&self) -> Vec<(String, String)> {
        let number =
            |what: String, value: String| (what, format!("const long long {{}} = {value};"));
        let types = self.types.iter().map(|t| number(size(t), format!("sizeof(({t} *)0)[0]")));
        let offsets = self.members.iter().map(|(t, m)| {
            number(format!("member {m} of {t}, offset"), format!("__builtin_offsetof({t}, {m})"))
        });
        let sizes = self.members.iter().map(|(t, m)| {
            number(format!("member {m} of {t}, size"), format!("sizeof((({t} *)0)->{m})"))
        });
        let constants = self.constants.iter();
        let constants =
            constants.map(|c| number(format!("constant {c}"), format!("(long long)({c})")));
        let function =
            |f: &String| (format!("function {f}"), format!("void *{{}} = (void *)&{f};"));
        let functions = self.functions.iter().map(function);
        types.chain(offsets).chain(sizes).chain(constants).chain(functions).collect()
    }

    /// The value of each fact that a set of headers has.
    fn evaluate(&self, lab: &TestDir, set: &HeaderSet) -> BTreeMap<String, String> {
        let definitions = self.definitions();
        let before = set.source.lines().count() + 1;
        let line = |n: usize| definitions[n].1.replace("{}", &format!("fact_{n}")) + "\n";
        let all: String = (0..definitions.len()).map(line).collect();
        let (_, errors) = set.clang(lab, &all, &["-fsyntax-only"]);
        // A name that is no type, member, constant or function here has an error in its line.
        let bad: BTreeSet<usize> = errors
            .lines()
            .filter_map(|l| l.strip_prefix("headers.c:")?.split(':').next()?.parse::<usize>().ok())
            .filter_map(|n| n.checked_sub(before))
            .collect();
        let good = (0..definitions.len()).filter(|n| !bad.contains(n)).map(line);
        let (ir, errors) =
            set.clang(lab, &good.collect::<String>(), &["-S", "-emit-llvm", "-o", "-"]);
        assert!(!errors.contains("error:"), "{errors}");
        let signatures = signatures(&ir);
        ir.lines()
            .filter_map(|line| {
                let (n, rest) = line.strip_prefix("@fact_")?.split_once(' ')?;
                let value = match rest.split_once(" ptr @") {
                    Some((_, symbol)) => signatures.get(symbol.split(',').next()?)?.clone(),
                    // An address, of a string, is no integer.
                    None => rest.split(" i64 ").nth(1)?.split(',').next()?.to_string(),
                };
                let is_address = value.contains("ptrtoint");
                let fact = &definitions[n.parse::<usize>().ok()?].0;
                (!is_address).then(|| (fact.clone(), value))
            })
            .collect()
    }
}

/// The symbol and the types of each function in LLVM IR, without attributes.
fn signatures(ir: &str) -> BTreeMap<String, String> {
    let functions = ir.lines().filter(|l| l.starts_with("declare ") || l.starts_with("define "));
    functions
        .filter_map(|line| {
            let (before, after) = line.split_once('@')?;
            let (symbol, rest) = after.split_once('(')?;
            let result = before.trim_end().rsplit(' ').next()?;
            let parameters = rest.rsplit_once(')')?.0.split(", ");
            let types: Vec<&str> = parameters.filter_map(|p| p.split(' ').next()).collect();
            Some((symbol.to_string(), format!("{result} {symbol}({})", types.join(", "))))
        })
        .collect()
}
