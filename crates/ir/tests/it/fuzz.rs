//! The parsers of the text form and of the cache form, on damaged input.

use std::fs;
use std::path::Path;

use byway_fuzz::Fuzz;
use byway_ir::{cache, text, verify};

fn seeds() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let files = fs::read_dir(folder).expect("the files").flatten();
    files.map(|file| fs::read_to_string(file.path()).expect("text")).collect()
}

#[test]
fn fuzz_bwir() {
    Fuzz::new("bwir", seeds()).run(|input| {
        let source = String::from_utf8_lossy(input);
        let module = match text::parse(&source) {
            Ok(module) => module,
            Err(error) => return error.to_string(),
        };
        let printed = text::print(&module);
        assert_eq!(text::parse(&printed).as_ref(), Ok(&module), "{printed}");
        match verify(&module) {
            Ok(()) => "valid".into(),
            Err(errors) => errors.iter().map(ToString::to_string).next().unwrap_or_default(),
        }
    });
}

#[test]
fn fuzz_cache() {
    let modules = seeds().into_iter().filter_map(|source| text::parse(&source).ok());
    Fuzz::new("cache", modules.map(|module| cache::encode(&module))).run(
        |input| match cache::decode(input) {
            Ok(module) => format!("{} functions", module.funcs.len()),
            Err(error) => error.to_string(),
        },
    );
}
