//! Reads `ar` archives, with GNU and BSD long names, and writes them with GNU's.

/// A member of an archive.
#[derive(Debug, PartialEq, Eq)]
pub struct ArchiveMember<'a> {
    /// The member's file name.
    pub name: String,
    /// The member's contents.
    pub data: &'a [u8],
}

const MAGIC: &[u8] = b"!<arch>\n";
const THIN_MAGIC: &[u8] = b"!<thin>\n";
const HEADER: usize = 60;

/// Whether the file is an archive, thin ones included.
pub fn is_archive(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || data.starts_with(THIN_MAGIC)
}

/// The members in order, without symbol tables and name tables.
pub fn members(data: &[u8]) -> Result<Vec<ArchiveMember<'_>>, String> {
    if data.starts_with(THIN_MAGIC) {
        return Err("is a thin archive, which does not contain its members; \
                    recreate it without ar's option T (--thin)"
            .into());
    }
    let mut members = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut at = MAGIC.len();
    while at < data.len() {
        let header = data.get(at..at + HEADER).ok_or("is a truncated archive")?;
        if &header[58..60] != b"`\n" {
            return Err("is a damaged archive (invalid member header)".into());
        }
        let size = number(&header[48..58]).ok_or("is a damaged archive (invalid member size)")?;
        let start = at + HEADER;
        let body = start
            .checked_add(size)
            .and_then(|end| data.get(start..end))
            .ok_or("is a truncated archive")?;
        at = start + size + size % 2;

        let name = trimmed(&header[..16]);
        match name {
            b"/" | b"/SYM64/" => {}
            b"//" => long_names = body,
            _ => members.extend(member(name, body, long_names)?),
        }
    }
    Ok(members)
}

/// An archive of these members, without a symbol table.
pub fn write(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let long_names: String = members.iter().map(|(name, _)| format!("{name}/\n")).collect();
    let mut out = MAGIC.to_vec();
    let mut entry = |name: &str, data: &[u8]| {
        let size = data.len();
        out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).bytes());
        out.extend_from_slice(data);
        if size % 2 == 1 {
            out.push(b'\n');
        }
    };
    entry("//", long_names.as_bytes());
    let mut offset = 0;
    for (name, data) in members {
        entry(&format!("/{offset}"), data);
        offset += name.len() + 2;
    }
    out
}

/// Resolves the name in a member's header; `None` for BSD's symbol table.
fn member<'a>(
    name: &[u8],
    body: &'a [u8],
    long_names: &[u8],
) -> Result<Option<ArchiveMember<'a>>, String> {
    let damaged = || "is a damaged archive (invalid member name)".to_string();
    let (name, data) = if let Some(len) = name.strip_prefix(b"#1/") {
        let (name, data) =
            number(len).and_then(|len| body.split_at_checked(len)).ok_or_else(damaged)?;
        (name.split(|&b| b == 0).next().unwrap_or(name), data)
    } else if let Some(offset) = name.strip_prefix(b"/") {
        let rest = number(offset).and_then(|o| long_names.get(o..)).ok_or_else(damaged)?;
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        (rest[..end].strip_suffix(b"/").unwrap_or(&rest[..end]), body)
    } else {
        (name.strip_suffix(b"/").unwrap_or(name), body)
    };
    if name.starts_with(b"__.SYMDEF") {
        return Ok(None);
    }
    Ok(Some(ArchiveMember { name: String::from_utf8_lossy(name).into_owned(), data }))
}

fn trimmed(field: &[u8]) -> &[u8] {
    let end = field.iter().rposition(|&b| b != b' ').map_or(0, |last| last + 1);
    &field[..end]
}

fn number(field: &[u8]) -> Option<usize> {
    std::str::from_utf8(trimmed(field)).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, body: &[u8]) -> Vec<u8> {
        let mut out = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, body.len())
            .into_bytes();
        out.extend_from_slice(body);
        if body.len() % 2 == 1 {
            out.push(b'\n');
        }
        out
    }

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for (name, body) in entries {
            out.extend(entry(name, body));
        }
        out
    }

    #[test]
    fn short_long_and_bsd_names() {
        let data = archive(&[
            ("/", b"symbols"),
            ("//", b"a_very_long_member_name.o/\nanother_quite_long_name.o/\n"),
            ("a.o/", b"one"),
            ("/27", b"two!"),
            ("#1/8", b"name.o\0\0three"),
            ("__.SYMDEF", b"table"),
        ]);
        let members = members(&data).unwrap();
        let got: Vec<_> = members.iter().map(|m| (m.name.as_str(), m.data)).collect();
        assert_eq!(
            got,
            [("a.o", &b"one"[..]), ("another_quite_long_name.o", b"two!"), ("name.o", b"three"),]
        );
    }

    #[test]
    fn members_inverts_write() {
        let parts =
            [("a/long/name/of/a/source.c".to_string(), b"odd".to_vec()), ("b".into(), vec![])];
        let data = write(&parts);
        let read = members(&data).unwrap();
        let got: Vec<_> = read.into_iter().map(|m| (m.name, m.data.to_vec())).collect();
        assert_eq!(got, parts);
    }

    #[test]
    fn damaged_archives_are_rejected() {
        let whole = archive(&[("a.o/", b"some contents")]);
        for cut in MAGIC.len() + 1..whole.len() - 1 {
            assert!(members(&whole[..cut]).is_err(), "cut at {cut}");
        }
        let mut wrong = whole.clone();
        wrong[MAGIC.len() + 58] = b'?';
        assert!(members(&wrong).unwrap_err().contains("header"));
        assert!(members(b"!<thin>\n").unwrap_err().contains("thin"));
    }
}
