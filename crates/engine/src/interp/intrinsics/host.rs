//! Access to the host's files, as far as [`Env::files`](crate::Env::files) shows them. Each
//! function returns a length or a negated errno value, `ENOENT` if no file is shown.

use crate::env::{HostFile, HostFiles};
use crate::interp::Execution;
use crate::stop::ExecResult;
use crate::value::Value;

use super::errno_or;

/// The most bytes read at once; a longer file takes several calls.
const PIECE: u64 = 1 << 20;
const ENOENT: i32 = 2;
const ERANGE: i32 = 34;

impl Execution<'_, '_, '_> {
    /// Writes the metadata of a file to `out`, as seven words.
    pub(super) fn host_stat(&mut self, path: u64, out: u64) -> ExecResult<u64> {
        let path = self.path(path)?;
        let file = match self.host(|files| files.stat(&path)) {
            Ok(file) => file,
            Err(errno) => return Ok(errno_or(Err(errno))),
        };
        let HostFile { mode, size, modified, number, links, user, group } = file;
        let words = [mode.into(), size, modified as u64, number, links, user.into(), group.into()];
        for (slot, word) in (out..).step_by(8).zip(words) {
            self.state.memory.store::<8>(slot, Value::word(word))?;
        }
        Ok(0)
    }

    /// Reads bytes of a file.
    pub(super) fn host_read(
        &mut self,
        path: u64,
        offset: u64,
        to: u64,
        count: u64,
    ) -> ExecResult<u64> {
        let path = self.path(path)?;
        let mut bytes = vec![0; count.min(PIECE) as usize];
        let read = self.host(|files| files.read(&path, offset, &mut bytes));
        if let Ok(count) = read {
            self.state.memory.write_bytes(to, &bytes[..count])?;
        }
        Ok(errno_or(read))
    }

    /// Reads a name of a directory; an empty one past the last.
    pub(super) fn host_list(
        &mut self,
        path: u64,
        index: u64,
        to: u64,
        room: u64,
    ) -> ExecResult<u64> {
        let path = self.path(path)?;
        let name = self.host(|files| files.list(&path, index));
        self.give_text(name.map(Option::unwrap_or_default), to, room)
    }

    /// Reads the target of a symbolic link.
    pub(super) fn host_link(&mut self, path: u64, to: u64, room: u64) -> ExecResult<u64> {
        let path = self.path(path)?;
        let target = self.host(|files| files.link(&path));
        self.give_text(target, to, room)
    }

    /// Reads the path of the working directory.
    pub(super) fn host_directory(&mut self, to: u64, room: u64) -> ExecResult<u64> {
        let directory = self.host(|files| files.directory());
        self.give_text(directory, to, room)
    }

    /// Calls the host's files, or fails if none are shown.
    fn host<T>(
        &mut self,
        ask: impl FnOnce(&mut dyn HostFiles) -> Result<T, i32>,
    ) -> Result<T, i32> {
        ask(self.machine.env().files().ok_or(ENOENT)?)
    }

    fn path(&mut self, at: u64) -> ExecResult<Vec<u8>> {
        let (object, offset) = self.state.memory.resolve(at, 1, crate::memory::Access::Copy)?;
        let room = object.size() - offset;
        self.state.path.unrepeatable |= !object.is_concrete(offset..offset + room);
        let mut bytes = self.witnessed_bytes(at, room)?;
        bytes.truncate(bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len()));
        Ok(bytes)
    }

    /// Writes a zero-terminated text; returns its length, or an error if it does not fit.
    fn give_text(&mut self, text: Result<Vec<u8>, i32>, to: u64, room: u64) -> ExecResult<u64> {
        let text = match text {
            Ok(text) if (text.len() as u64) < room => text,
            Ok(_) => return Ok(errno_or(Err(ERANGE))),
            Err(errno) => return Ok(errno_or(Err(errno))),
        };
        self.state.memory.write_bytes(to, &text)?;
        self.state.memory.write_bytes(to + text.len() as u64, &[0])?;
        Ok(text.len() as u64)
    }
}
