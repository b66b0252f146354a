//! Memory as a program uses it: accesses, faults, quarantine, limits and copies.

use byway_base::{ExprId, FaultKind};

use super::*;

fn memory() -> Memory {
    Memory::new(1 << 30, false)
}

fn kind_of<T: std::fmt::Debug>(result: Result<T, Box<AccessError>>) -> FaultKind {
    match *result.unwrap_err() {
        AccessError::Fault { kind, .. } => kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn loads_return_what_was_stored() {
    let mut m = memory();
    let p = m.allocate(16, 8, ObjectKind::Heap, None).unwrap();
    m.store::<8>(p + 3, Value::word(0x1122_3344_5566_7788)).unwrap();
    assert_eq!(m.load::<8>(p + 3), Ok(Value::word(0x1122_3344_5566_7788)));
    assert_eq!(m.load::<2>(p + 4), Ok(Value::word(0x6677)));
    assert_eq!(m.load::<1>(p), Ok(Value::word(0)));
}

#[test]
fn accesses_before_and_past_an_object_fault() {
    let mut m = memory();
    let p = m.allocate(4, 1, ObjectKind::Heap, None).unwrap();
    assert_eq!(kind_of(m.load::<1>(p - 1)), FaultKind::OutOfBounds);
    assert_eq!(kind_of(m.load::<1>(p + 4)), FaultKind::OutOfBounds);
    assert_eq!(kind_of(m.load::<4>(p + 1)), FaultKind::OutOfBounds);
    assert_eq!(kind_of(m.store::<8>(p, Value::word(1))), FaultKind::OutOfBounds);
    assert_eq!(kind_of(m.load::<1>(0)), FaultKind::NullDereference);
    assert_eq!(kind_of(m.load::<1>(u64::MAX)), FaultKind::WildPointer);
    assert_eq!(kind_of(m.load::<1>(address::code_address(3))), FaultKind::WildPointer);
}

#[test]
fn only_the_bytes_before_functions_can_be_read() {
    let mut m = memory();
    m.place_function_prefixes(&[[1; 8], [2; 8]]);
    let (first, second) = (address::code_address(0), address::code_address(1));
    assert_eq!(m.load::<4>(first - 8), Ok(Value::word(0x0101_0101)));
    assert_eq!(m.load::<4>(second - 4), Ok(Value::word(0x0202_0202)));
    assert_eq!(kind_of(m.load::<1>(first)), FaultKind::WildPointer);
    assert_eq!(kind_of(m.load::<1>(second + 80)), FaultKind::WildPointer);
    assert_eq!(kind_of(m.store::<1>(first - 8, Value::word(1))), FaultKind::WildPointer);
    let read = AddressUse::Access { len: 1, access: Access::Read };
    let (code, rest) = (m.region(first, read), m.region(2 * WINDOW, read));
    assert_eq!((code.first, code.target), (WINDOW, RegionTarget::Object(WINDOW)));
    assert_eq!(
        (rest.first, rest.target),
        (2 * WINDOW, RegionTarget::Fault(FaultKind::WildPointer))
    );
    let write = AddressUse::Access { len: 1, access: Access::Write };
    assert_eq!(m.region(first, write).target, RegionTarget::Fault(FaultKind::WildPointer));
    assert_eq!(m.region(2 * WINDOW - 1, read).target, RegionTarget::Fault(FaultKind::WildPointer));
}

#[test]
fn freed_objects_fault_by_how_they_were_freed() {
    let mut m = memory();
    let heap = m.allocate(4, 1, ObjectKind::Heap, None).unwrap();
    let local = m.allocate(4, 1, ObjectKind::Stack("x".into()), None).unwrap();
    assert_eq!(kind_of(m.free(local, None)), FaultKind::InvalidFree);
    assert_eq!(kind_of(m.free(heap + 1, None)), FaultKind::InvalidFree);
    m.free(heap, None).unwrap();
    m.release(local, None);
    assert_eq!(kind_of(m.load::<1>(heap)), FaultKind::UseAfterFree);
    assert_eq!(kind_of(m.load::<1>(local)), FaultKind::UseAfterReturn);
    assert_eq!(kind_of(m.free(heap, None)), FaultKind::DoubleFree);
}

#[test]
fn freed_numbers_are_reused_after_quarantine() {
    let mut m = memory();
    let first = m.allocate(4, 1, ObjectKind::Heap, None).unwrap();
    m.free(first, None).unwrap();
    for _ in 0..HEAP_QUARANTINE {
        let p = m.allocate(4, 1, ObjectKind::Heap, None).unwrap();
        assert_ne!(p, first);
        m.free(p, None).unwrap();
    }
    assert_eq!(m.allocate(4, 1, ObjectKind::Heap, None), Some(first));
}

#[test]
fn a_large_object_spans_windows() {
    let mut m = memory();
    let size = 5 * address::WINDOW;
    let p = m.allocate(size, 64, ObjectKind::Heap, None).unwrap();
    let q = m.allocate(1, 1, ObjectKind::Heap, None).unwrap();
    m.store::<4>(p + size - 4, Value::word(7)).unwrap();
    assert_eq!(m.load::<4>(p + size - 4), Ok(Value::word(7)));
    assert_eq!(kind_of(m.load::<1>(p + size)), FaultKind::OutOfBounds);
    assert!(q > p + size);
    m.free(p, None).unwrap();
    assert_eq!(kind_of(m.load::<1>(p + size - 1)), FaultKind::UseAfterFree);
}

#[test]
fn allocation_fails_at_the_memory_limit() {
    // An eighth is reserved for locals, and an object is charged more than its bytes.
    let mut m = Memory::new(8000, false);
    let most = 7000 - OBJECT_COST;
    assert_eq!(m.allocate(most + 1, 1, ObjectKind::Heap, None), None);
    assert_eq!(m.allocate(u64::MAX, 1, ObjectKind::Heap, None), None);
    assert_eq!(m.allocate_fixed(1 << 21, 1 << 40), None);
    let p = m.allocate(most, 1, ObjectKind::Heap, None).unwrap();
    assert_eq!(m.allocate(1, 1, ObjectKind::Heap, None), None);
    let local = ObjectKind::Stack("x".into());
    assert_eq!(m.allocate(1001, 1, local.clone(), None), None);
    assert!(m.allocate(1000 - OBJECT_COST, 1, local, None).is_some());
    m.free(p, None).unwrap();
    assert!(m.allocate(most, 1, ObjectKind::Heap, None).is_none(), "the local occupies some");
    assert!(m.allocate(most - 1000, 1, ObjectKind::Heap, None).is_some());
}

#[test]
fn empty_objects_count_against_the_limit() {
    let mut m = Memory::new(1 << 20, false);
    let made = (0..).take_while(|_| m.allocate(0, 1, ObjectKind::Heap, None).is_some()).count();
    assert_eq!(made as u64, (1 << 20) / 8 * 7 / OBJECT_COST);
}

#[test]
fn shared_objects_are_charged_once() {
    let mut m = memory();
    let p = m.allocate(1000, 1, ObjectKind::Heap, None).unwrap();
    let one = m.account().total();
    let mut fork = m.clone();
    assert_eq!(fork.account().total(), one);
    fork.store::<1>(p, Value::word(1)).unwrap();
    assert_eq!(m.account().total(), 2 * one);
    drop(fork);
    assert_eq!(m.account().total(), one);
}

#[test]
fn copies_of_memory_are_independent() {
    let mut m = memory();
    let p = m.allocate(8, 1, ObjectKind::Heap, None).unwrap();
    m.store::<8>(p, Value::word(1)).unwrap();
    let fork = m.clone();
    m.store::<8>(p, Value::word(2)).unwrap();
    m.free(p, None).unwrap();
    assert_eq!(fork.load::<8>(p), Ok(Value::word(1)));
}

#[test]
fn mappings_are_protected_and_keep_their_contents() {
    let mut m = memory();
    let size = 1 << 20;
    let p = m.allocate(size, 4096, ObjectKind::Mapping, None).expect("memory");
    m.write_bytes(p + size - 1, b"x").expect("writable");
    m.protect(p, true);
    assert_eq!(kind_of(m.store::<1>(p, Value::word(0))), FaultKind::WriteToConstant);
    assert_eq!(*m.read_bytes(p + size - 1, 1).expect("readable"), b"x"[..]);
    m.protect(p, false);
    m.store::<1>(p, Value::word(1)).expect("writable again");
    // Nothing but the start of a mapping can be protected.
    let heap = m.allocate(8, 16, ObjectKind::Heap, None).expect("memory");
    m.protect(heap, true);
    m.protect(p + 4096, true);
    m.store::<1>(heap, Value::word(1)).expect("writable");
    m.store::<1>(p + 4096, Value::word(1)).expect("writable");
}

#[test]
fn overlapping_copies_and_constants() {
    let mut m = memory();
    let p = m.allocate(8, 1, ObjectKind::Global("g".into()), None).unwrap();
    m.write_bytes(p, b"abcdefgh").unwrap();
    m.copy(p + 2, p, 6).unwrap();
    assert_eq!(&*m.read_bytes(p, 8).unwrap(), b"ababcdef");
    m.make_constant(p);
    assert_eq!(kind_of(m.store::<1>(p, Value::word(0))), FaultKind::WriteToConstant);
    assert_eq!(kind_of(m.fill(p, 0, 1)), FaultKind::WriteToConstant);
    m.fill(p, 0, 0).unwrap();
    assert_eq!(m.read_c_string(p + 7).map_err(|_| ()), Err(()));
}

#[test]
fn unwritten_bytes_are_undefined_when_tracked() {
    let mut m = Memory::new(1 << 20, true);
    let p = m.allocate(8, 1, ObjectKind::Heap, None).unwrap();
    let q = m.allocate(8, 1, ObjectKind::Heap, None).unwrap();
    m.store::<4>(p, Value::word(5)).unwrap();
    assert_eq!(m.load::<4>(p), Ok(Value::word(5)));
    assert_eq!(m.load::<8>(p), Err(AccessError::symbolic()));
    m.fill(q, 1, 8).unwrap();
    m.copy(q, p, 8).unwrap();
    assert_eq!(m.load::<4>(q), Ok(Value::word(5)));
    assert_eq!(m.load::<1>(q + 4), Err(AccessError::symbolic()));
    m.begin_scope(q);
    assert_eq!(m.load::<4>(q), Err(AccessError::symbolic()));
    m.end_scope(p);
    assert_eq!(kind_of(m.load::<4>(p)), FaultKind::UseAfterFree);
    m.begin_scope(p);
    m.store::<4>(p, Value::word(6)).unwrap();
    assert_eq!(m.load::<4>(p), Ok(Value::word(6)));
}

#[test]
fn symbolic_bytes_override_concrete_ones_until_overwritten() {
    let mut m = memory();
    let p = m.allocate(8, 1, ObjectKind::Heap, None).unwrap();
    let q = m.allocate(8, 1, ObjectKind::Heap, None).unwrap();
    let x = Value::symbolic(ExprId(std::num::NonZeroU32::new(7).unwrap()));
    m.store::<4>(p, x).unwrap();
    assert_eq!(m.load::<4>(p), Ok(x));
    assert_eq!(m.load::<2>(p), Err(Box::new(AccessError::Symbolic)));
    assert_eq!(m.load::<4>(p + 4), Ok(Value::word(0)));
    m.copy(q + 1, p, 4).unwrap();
    assert_eq!(m.load::<4>(q + 1), Ok(x));
    m.store::<1>(q + 1, Value::word(3)).unwrap();
    assert_eq!(m.load::<1>(q + 1), Ok(Value::word(3)));
    assert_eq!(m.load::<4>(q + 1), Err(Box::new(AccessError::Symbolic)));
}

#[test]
fn regions_divide_all_addresses_by_the_outcome_of_their_use() {
    let mut m = memory();
    let small = m.allocate(10, 8, ObjectKind::Heap, None).unwrap();
    let large = m.allocate(3 << 20, 8, ObjectKind::Heap, None).unwrap();
    let table = m.allocate(100, 8, ObjectKind::Global("table".into()), None).unwrap();
    m.make_constant(table);
    let freed = m.allocate(5, 8, ObjectKind::Heap, None).unwrap();
    let local = m.allocate(5, 8, ObjectKind::Stack("x".into()), None).unwrap();
    // Its last window contains none of its bytes.
    let whole = m.allocate(address::WINDOW - 8192, 8, ObjectKind::Heap, None).unwrap();
    m.release(freed, None);
    m.release(local, None);
    let uses = [
        AddressUse::Access { len: 1, access: Access::Read },
        AddressUse::Access { len: 8, access: Access::Write },
        AddressUse::Free,
    ];
    for usage in uses {
        let outcome = |m: &Memory, at: u64| match usage {
            AddressUse::Access { len, access } => match m.resolve(at, len, access) {
                Ok((object, _)) => RegionTarget::Object(object.base),
                Err(error) => RegionTarget::Fault(kind_of::<()>(Err(error))),
            },
            AddressUse::Free if at == 0 => RegionTarget::Null,
            AddressUse::Free => match m.clone().free(at, None) {
                Ok(()) => RegionTarget::Object(at),
                Err(error) => RegionTarget::Fault(kind_of::<()>(Err(error))),
            },
        };
        let mut at = 0;
        loop {
            let region = m.region(at, usage);
            assert_eq!(region.first, at, "regions are adjacent");
            for inside in [region.first, region.first.midpoint(region.last), region.last] {
                assert_eq!(m.region(inside, usage), region);
                assert_eq!(outcome(&m, inside), region.target, "{inside:#x} {usage:?}");
            }
            match region.last.checked_add(1) {
                Some(next) => at = next,
                None => break,
            }
        }
        for object in [small, large, table, freed, local, whole] {
            for near in [object - 1, object, object + 1, object + 4, object + 9, object + 100] {
                assert_eq!(outcome(&m, near), m.region(near, usage).target, "{near:#x} {usage:?}");
            }
        }
    }
    let wild = m.fault_regions(FaultKind::WildPointer, uses[0], (0, u64::MAX), 10).unwrap();
    assert_eq!(wild.len(), 2, "code, and everything after the last object");
    assert_eq!(m.fault_regions(FaultKind::OutOfBounds, uses[0], (0, u64::MAX), 3), None);
}
