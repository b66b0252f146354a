//! The cache format: every module round-trips, and a damaged file is an error.

use byway_ir::cache::{self, CacheError};
use byway_ir::text;
use proptest::prelude::*;

use crate::generate::{self, Random};

proptest! {
    #[test]
    fn random_modules_round_trip(seed: u64, size in 0..60usize) {
        let module = generate::module(seed, size);
        prop_assert_eq!(cache::decode(&cache::encode(&module)).unwrap(), module);
    }

    #[test]
    fn damaged_bytes_are_an_error(seed: u64) {
        let mut r = Random::new(seed);
        let mut bytes = cache::encode(&generate::module(seed, 20));
        let at = r.below(bytes.len());
        bytes[at] ^= 1 << r.below(8);
        prop_assert!(cache::decode(&bytes).is_err());
    }

    /// With a correct checksum, so that the body can contain anything.
    #[test]
    fn a_forged_body_never_panics(seed: u64) {
        let mut r = Random::new(seed);
        let mut bytes = cache::encode(&generate::module(seed, 20));
        for _ in 0..=r.below(3) {
            let at = HEADER + r.below(bytes.len() - HEADER);
            bytes[at] = r.next() as u8;
        }
        let checksum = crc32fast::hash(&bytes[HEADER..]);
        bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
        if let Ok(module) = cache::decode(&bytes) {
            // Nor does inspecting the result.
            text::print(&module);
            let _ = byway_ir::verify(&module);
        }
    }
}

const HEADER: usize = 20;

#[test]
fn every_truncation_is_an_error() {
    let bytes = cache::encode(&generate::module(1, 20));
    for length in 0..bytes.len() {
        assert!(cache::decode(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(cache::decode(&longer), Err(CacheError::Length)));
}

#[test]
fn other_versions_and_other_files_are_rejected() {
    let mut bytes = cache::encode(&generate::module(1, 20));
    bytes[4..8].copy_from_slice(&(cache::VERSION - 1).to_le_bytes());
    assert!(matches!(cache::decode(&bytes), Err(CacheError::Version { .. })));
    assert!(matches!(cache::decode(b"\x7fELF....................."), Err(CacheError::NotAModule)));
}

#[test]
fn files_are_written_atomically_without_leftovers() {
    let dir = tempfile::TempDir::new().unwrap();
    let dir = dir.path();
    let path = dir.join("module.bwc");
    assert!(matches!(cache::read(&path), Err(CacheError::Io(_))));
    let module = generate::module(7, 40);
    cache::write(&module, &path).unwrap();
    cache::write(&module, &path).unwrap();
    assert_eq!(cache::read(&path).unwrap(), module);
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 1);
    assert!(cache::write(&module, &dir.join("missing").join("module.bwc")).is_err());
}

/// If this fails although the file did not change, a data type of the IR changed: increment
/// [`cache::VERSION`], so that files of the old shape are not misread, and note
/// the new checksum here.
#[test]
fn a_change_of_the_format_needs_a_new_version() {
    let module = text::parse(include_str!("../files/instructions.bwir")).unwrap();
    let checksum = crc32fast::hash(&cache::encode(&module));
    assert_eq!((cache::VERSION, checksum), (9, 425515203));
}
