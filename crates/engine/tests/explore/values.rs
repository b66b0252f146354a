//! The recorded values of a program are the same whatever the order of its paths.

use byway_engine::{Config, ExploreConfig, Feasibility, RecordedValue, RecordedValues, ValueSite};

use super::{chain, config, explored};

fn values(text: &str, search: &str, feasibility: Feasibility) -> RecordedValues {
    let plain = config(feasibility);
    let engine = Config { record_values: true, ..plain.engine.clone() };
    let config = ExploreConfig { engine, ..plain };
    explored(text, search, &config).0.values.expect("values are recorded")
}

#[test]
fn every_searcher_records_the_same_values() {
    let text = chain(4);
    let expected = values(&text, "dfs", Feasibility::Eager);
    for search in ["random-path", "bfs", "dart"] {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            assert_eq!(values(&text, search, feasibility), expected, "{search} {feasibility:?}");
        }
    }
}

/// A value is that of the instruction, not what the path makes of it.
#[test]
fn the_path_condition_does_not_change_a_value() {
    let text = super::with_byte(
        "  v2:i1 = icmp eq v1, 10:i8
  br v2, b1, b2
b1:
  jump b3(1:i32)
b2:
  jump b3(2:i32)
b3(v3:i32):
  v4:i8 = load v0, align 1
  v5:i8 = add v4, 1:i8
  store v0, v5, align 1
  ret v3",
    );
    let recorded = values(&text, "dfs", Feasibility::Eager);
    let of = |number: usize| -> Vec<RecordedValue> {
        let is_wanted = |site: &ValueSite| matches!(site, ValueSite::Result(_, val) if val.as_u32() as usize == number);
        recorded.values.iter().filter(|(site, _)| is_wanted(site)).map(|it| it.1).collect()
    };
    assert_eq!(of(0), [RecordedValue::Pointer]);
    assert_eq!(of(1).len(), 1);
    assert_eq!(of(4), of(1));
    assert!(
        matches!(*of(5), [RecordedValue::Term(hash)] if recorded.terms[&hash].contains("x[0]"))
    );
    assert_eq!(of(3), [RecordedValue::Number(1), RecordedValue::Number(2)]);
    let stores = |(site, _): &&(ValueSite, RecordedValue)| matches!(site, ValueSite::Store(..));
    let stored: Vec<_> = recorded.values.iter().filter(stores).map(|it| it.1).collect();
    assert_eq!(stored, of(5));
    let blocks = |(site, _): &&(ValueSite, RecordedValue)| matches!(site, ValueSite::Block(..));
    assert_eq!(recorded.values.iter().filter(blocks).count(), 4);
}
