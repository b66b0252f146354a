//! Addresses: the number of an object and an offset in its window.
//!
//! An address has 47 bits. The upper 27 are an object's number, the lower 20 an
//! offset in that number's window of 1 MiB; an object too large for one window
//! takes several consecutive numbers. The first byte of an object is at a
//! deterministic, aligned, non-zero offset, so that `p - 1` stays in the window
//! and addresses differ in their low bits, as programs that hash them expect.
//!
//! The first numbers are reserved:
//!
//! | numbers | contents |
//! |---|---|
//! | 0 | nothing: null and addresses near it |
//! | 1 to 15 | code: functions and labels, which can be called; only the bytes before a function can be read |
//! | from 16 | globals, then heap and stack objects in order of allocation |

/// Bits of an offset within a window.
pub const WINDOW_BITS: u32 = 20;
/// Bytes of one window.
pub const WINDOW: u64 = 1 << WINDOW_BITS;
/// The first number that can be an object's.
pub const FIRST_OBJECT: u32 = 16;
/// One past the largest number.
pub const NUMBERS: u32 = 1 << (47 - WINDOW_BITS);

/// The first address of code. The bytes before a function are in the code region too.
const CODE_BASE: u64 = WINDOW + CODE_STEP;
/// Bytes between the addresses of two functions or labels.
pub const CODE_STEP: u64 = 16;
/// Bytes before a function that can be read. clang stores the function's type there
/// (`-fsanitize=function`).
pub const FUNCTION_PREFIX: u64 = 8;
/// The number of code addresses.
pub const CODE_LIMIT: u64 = (FIRST_OBJECT as u64 - 1) * WINDOW / CODE_STEP - 1;

/// The least offset of an object's first byte.
const LEAD: u64 = 4096;

/// The object number of an address.
#[inline(always)]
pub fn number_of(address: u64) -> u64 {
    address >> WINDOW_BITS
}

/// The address of the `index`-th function or label.
pub fn code_address(index: u64) -> u64 {
    CODE_BASE + index * CODE_STEP
}

/// The index of the function or label at exactly this address.
pub fn code_index(address: u64) -> Option<u64> {
    let offset = address.checked_sub(CODE_BASE)?;
    (offset % CODE_STEP == 0 && offset / CODE_STEP < CODE_LIMIT).then_some(offset / CODE_STEP)
}

/// Whether an address is in the code region.
pub fn is_code(address: u64) -> bool {
    (WINDOW..u64::from(FIRST_OBJECT) * WINDOW).contains(&address)
}

/// The address of the first byte of object `number`.
pub fn first_byte(number: u32, align: u64) -> u64 {
    let spread = u64::from(number.wrapping_mul(0x9e37_79b1) >> 24) * 16;
    let offset = (LEAD + spread).next_multiple_of(align.max(16));
    (u64::from(number) << WINDOW_BITS) + offset
}

/// How many numbers an object takes; `None` if there are not that many. The byte past its end
/// is in its last window too, so a pointer to the end never belongs to another object.
pub fn windows(size: u64, align: u64) -> Option<u32> {
    if align >= WINDOW / 2 {
        return None;
    }
    let span = size.checked_add(2 * LEAD + align)?;
    let count = span.div_ceil(WINDOW);
    (count < u64::from(NUMBERS)).then_some(count as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_are_aligned_and_inside_their_window() {
        for number in (FIRST_OBJECT..5000).chain([NUMBERS - 1]) {
            for align in [1, 16, 64, 4096, 65536, WINDOW / 4] {
                let at = first_byte(number, align);
                assert_eq!(at % align, 0);
                assert_eq!(number_of(at), u64::from(number));
                assert_eq!(number_of(at - 1), u64::from(number));
                let size = 1000;
                let last = u64::from(number) + u64::from(windows(size, align).unwrap()) - 1;
                assert!(number_of(at + size) <= last);
            }
        }
    }

    #[test]
    fn code_addresses_round_trip() {
        for index in [0, 1, 77, CODE_LIMIT - 1] {
            let at = code_address(index);
            assert_eq!(code_index(at), Some(index));
            assert_eq!(code_index(at + 1), None);
            assert!(is_code(at));
        }
        assert_eq!(code_index(0), None);
        assert_eq!(code_index(code_address(CODE_LIMIT)), None);
        assert!(!is_code(code_address(CODE_LIMIT)));
    }

    #[test]
    fn sizes_beyond_the_address_space_have_no_windows() {
        assert_eq!(windows(u64::MAX, 1), None);
        assert_eq!(windows(1 << 47, 1), None);
        assert_eq!(windows(1, WINDOW), None);
        assert_eq!(windows(0, 1), Some(1));
        assert_eq!(windows(3 * WINDOW, 1), Some(4));
    }
}
