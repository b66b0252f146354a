//! The records of a section: each says what one source file was compiled to.
//!
//! ```text
//! magic (8 bytes), version, kind, length of the name, length of the body (4 bytes each but the last, 8),
//! name, body
//! ```
//!
//! A linker may put zeros between the contributions of two objects, so a reader skips them.

/// What one source file was compiled to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddedSource {
    /// The absolute path of the source.
    pub source: String,
    /// What became of it.
    pub content: EmbeddedContent,
}

/// What became of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EmbeddedContent {
    /// The bitcode.
    Bitcode(Vec<u8>),
    /// Why there is none.
    Missing(String),
}

const MAGIC: &[u8; 8] = b"BYWAY\x00BC";
const VERSION: u32 = 1;
const BITCODE: u32 = 1;
const MISSING: u32 = 2;

impl EmbeddedSource {
    /// Appends the record to a section's contents.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let (kind, body): (u32, &[u8]) = match &self.content {
            EmbeddedContent::Bitcode(bytes) => (BITCODE, bytes),
            EmbeddedContent::Missing(reason) => (MISSING, reason.as_bytes()),
        };
        // No path is 4 GiB long.
        let name_length = u32::try_from(self.source.len()).unwrap_or(0);
        out.extend_from_slice(MAGIC);
        for word in [VERSION, kind, name_length] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.extend_from_slice(&(body.len() as u64).to_le_bytes());
        out.extend_from_slice(&self.source.as_bytes()[..name_length as usize]);
        out.extend_from_slice(body);
    }

    /// The record as the contents of a section.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }
}

/// The records in a section's contents.
pub fn decode(mut data: &[u8]) -> Result<Vec<EmbeddedSource>, String> {
    let mut records = Vec::new();
    loop {
        let padding = data.iter().take_while(|&&byte| byte == 0).count();
        data = &data[padding..];
        if data.is_empty() {
            return Ok(records);
        }
        records.push(decode_one(&mut data)?);
    }
}

fn decode_one(data: &mut &[u8]) -> Result<EmbeddedSource, String> {
    let damaged = || "its bitcode section is damaged".to_string();
    let mut take = |length: usize| {
        let (taken, rest) = data.split_at_checked(length)?;
        *data = rest;
        Some(taken)
    };
    if take(MAGIC.len()).ok_or_else(damaged)? != MAGIC {
        return Err(damaged());
    }
    let mut word = || Some(u32::from_le_bytes(take(4)?.try_into().ok()?));
    let version = word().ok_or_else(damaged)?;
    if version != VERSION {
        return Err(format!(
            "its bitcode section has version {version}, and this byway reads version {VERSION}; \
             build it again"
        ));
    }
    let kind = word().ok_or_else(damaged)?;
    let name_length = word().ok_or_else(damaged)? as usize;
    let body_length = take(8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    let body_length = body_length.and_then(|length| usize::try_from(length).ok());
    let name = take(name_length).ok_or_else(damaged)?;
    let body = body_length.and_then(take).ok_or_else(damaged)?;
    let content = match kind {
        BITCODE => EmbeddedContent::Bitcode(body.to_vec()),
        MISSING => EmbeddedContent::Missing(String::from_utf8_lossy(body).into_owned()),
        _ => return Err(damaged()),
    };
    Ok(EmbeddedSource { source: String::from_utf8_lossy(name).into_owned(), content })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<EmbeddedSource> {
        let record = |source: &str, content| EmbeddedSource { source: source.into(), content };
        vec![
            record("/src/a.c", EmbeddedContent::Bitcode(b"BC\xc0\xde1234".to_vec())),
            record("/src/b.S", EmbeddedContent::Missing("it is assembly".into())),
        ]
    }

    #[test]
    fn records_of_several_objects_follow_each_other() {
        let mut section = Vec::new();
        for record in records() {
            section.extend([0; 3]);
            record.encode(&mut section);
        }
        section.push(0);
        assert_eq!(decode(&section), Ok(records()));
        assert_eq!(decode(&[]), Ok(Vec::new()));
    }

    #[test]
    fn a_cut_section_is_damaged() {
        let section = records()[0].to_bytes();
        for cut in 1..section.len() {
            assert!(decode(&section[..cut]).is_err(), "cut at {cut}");
        }
        let mut newer = section.clone();
        newer[8] = 9;
        assert!(decode(&newer).unwrap_err().contains("version 9"));
    }
}
