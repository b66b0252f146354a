//! MD5 (RFC 1321), which compilers put into debug information to identify source files. It
//! protects nothing here.

/// The shifts of each round's four steps, which repeat.
const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The digest, in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let mut message = bytes.to_vec();
    message.push(0x80);
    message.resize(message.len().next_multiple_of(64), 0);
    if message.len() - bytes.len() < 9 {
        // No room for the length behind the mark.
        message.resize(message.len() + 64, 0);
    }
    let length = message.len() - 8;
    message[length..].copy_from_slice(&(bytes.len() as u64).wrapping_mul(8).to_le_bytes());
    for block in message.chunks_exact(64) {
        add_block(&mut state, block);
    }
    state.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

fn add_block(state: &mut [u32; 4], block: &[u8]) {
    let word = |index: usize| {
        let bytes = [0, 1, 2, 3].map(|byte| block[index * 4 + byte]);
        u32::from_le_bytes(bytes)
    };
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64 {
        let (mixed, index) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), (5 * step + 1) % 16),
            2 => (b ^ c ^ d, (3 * step + 5) % 16),
            _ => (c ^ (b | !d), (7 * step) % 16),
        };
        // The integer part of 2^32 times the sine of the step.
        let constant = (((step + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
        let sum = a.wrapping_add(mixed).wrapping_add(constant).wrapping_add(word(index));
        let rotated = sum.rotate_left(SHIFTS[step / 16][step % 4]);
        (a, b, c, d) = (d, b.wrapping_add(rotated), b, c);
    }
    for (of, add) in state.iter_mut().zip([a, b, c, d]) {
        *of = of.wrapping_add(add);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (&"1234567890".repeat(8), "57edf4a22be3c955ac49da2e2107b67a"),
        ] {
            assert_eq!(hex(text.as_bytes()), digest, "{text}");
        }
    }

    #[test]
    fn every_length_has_its_padding() {
        // The digest of all digests of zeros up to two blocks, as md5sum computes it.
        let all: String = (0..=128).map(|length| hex(&vec![0; length])).collect();
        assert_eq!(hex(all.as_bytes()), "41e69c8015a448ab6d68a3ec2f1185f5");
    }
}
