//! Symbolic input, and reports of the program to its user.

use byway_base::{ExprId, FaultKind};

use crate::interp::{BYTES_PER_TERM, Execution, Oracle, Resolver, SymbolicMemory};
use crate::memory::symbolic::byte_term;
use crate::memory::{Access, BYTES_PER_SYMBOLIC_BYTE, Byte};
use crate::stop::{ExecResult, Stop, ValueUse, fault, unsupported};
use crate::value::Value;
use byway_base::UnsupportedFeature;

/// The most bytes of one symbolic input.
const MOST_INPUT: u64 = 1 << 20;

impl Execution<'_, '_, '_> {
    /// Calls `act` with symbolic access to the state's memory.
    pub(super) fn in_terms<R>(&mut self, act: impl FnOnce(&mut SymbolicMemory) -> R) -> R {
        let mut resolver =
            Resolver { path: &mut self.state.path, evaluator: &mut self.machine.evaluator };
        let memory = &mut self.state.memory;
        act(&mut SymbolicMemory { pool: &mut self.machine.pool, memory, resolver: &mut resolver })
    }

    /// Makes bytes of an object symbolic input.
    pub(super) fn make_symbolic(&mut self, at: u64, size: u64, name: u64) -> ExecResult<u64> {
        let name = if name == 0 { "unnamed".into() } else { self.text(name)? };
        if size == 0 {
            return Ok(0);
        }
        if size > MOST_INPUT {
            return Err(unsupported(UnsupportedFeature::InputSize(size)));
        }
        if !self.machine.exploring {
            return self.give_input(at, size, &name);
        }
        let (object, offset) = self.state.memory.resolve(at, size, Access::Write)?;
        let base = object.base;
        let bytes = size * (BYTES_PER_TERM + BYTES_PER_SYMBOLIC_BYTE);
        self.state.memory.need_room_to_write(at, bytes)?;
        let input = self.state.path.new_input(&mut self.machine.pool, &name, size as u32);
        if !self.state.path.seeds.is_empty() {
            // The new input is part of the witness: it is that of the first seed.
            self.machine.evaluator.forget();
        }
        for byte in 0..size {
            let term = self.machine.pool.input_byte(input, byte as u32);
            if self.program.pins_seeds {
                self.pin(term);
            }
            self.state.memory.write_term(&mut self.machine.pool, base, offset + byte, 1, term);
        }
        Ok(0)
    }

    /// Asserts that a byte of a new input has the value that the path's seed gives it.
    fn pin(&mut self, byte: ExprId) {
        let path = &mut self.state.path;
        if path.seeds.first().is_some() {
            let pool = &mut self.machine.pool;
            let value = self.machine.evaluator.value(pool, &path.witness, byte);
            let value = pool.constant(8, value);
            let equal = pool.eq(byte, value);
            path.condition.add(pool, equal);
        }
    }

    /// Input of a concrete run: the bytes that the environment gives, or zeros.
    fn give_input(&mut self, at: u64, size: u64, name: &str) -> ExecResult<u64> {
        match self.machine.env().input(name, size).filter(|bytes| bytes.len() as u64 == size) {
            Some(bytes) => self.state.memory.write_bytes(at, &bytes)?,
            None => {
                self.state.memory.fill(at, 0, size)?;
                let what = "symbolic input in a concrete run, which is all zeros".to_string();
                *self.machine.warnings.entry(what).or_default() += 1;
            }
        }
        Ok(0)
    }

    /// The values of bytes under the witness.
    pub(super) fn witnessed_bytes(&mut self, at: u64, len: u64) -> ExecResult<Vec<u8>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (object, offset) = self.state.memory.resolve(at, len, Access::Copy)?;
        let range = offset..offset + len;
        if object.is_concrete(range.clone()) {
            return Ok(object.bytes(range).to_vec());
        }
        let byte = |at| match object.byte(at) {
            Byte::Concrete(byte) => byte,
            _ => {
                let term = byte_term(&mut self.machine.pool, object, at);
                self.machine.evaluator.value(&self.machine.pool, &self.state.path.witness, term)
                    as u8
            }
        };
        Ok(range.map(byte).collect())
    }

    /// The fault that the program reports itself.
    pub(super) fn reported(&mut self, message: u64, file: u64, line: u64) -> ExecResult<Box<Stop>> {
        let mut message = if message == 0 { String::new() } else { self.text(message)? };
        if message.is_empty() {
            message = "the program reported an error".into();
        }
        if file != 0 {
            message = format!("{message} ({}:{})", self.text(file)?, line as u32);
        }
        Ok(fault(FaultKind::Reported, message))
    }

    /// Records a message of the program to its user.
    pub(super) fn say(&mut self, text: u64, value: Option<String>) -> ExecResult<u64> {
        let mut line = if text == 0 { String::new() } else { self.text(text)? };
        if let Some(value) = value {
            line = if line.is_empty() { value } else { format!("{line}: {value}") };
        }
        self.machine.messages.push(line);
        Ok(0)
    }

    /// Whether the bytes, which must exist, are all concrete.
    pub(super) fn is_concrete(&self, at: u64, len: u64) -> ExecResult<bool> {
        if len == 0 {
            return Ok(true);
        }
        let (object, offset) = self.state.memory.resolve(at, len, Access::Copy)?;
        Ok(object.is_concrete(offset..offset + len))
    }

    /// Faults if one of the bytes, which must exist, has an undefined bit.
    pub(super) fn check_initialised(&mut self, at: u64, len: u64) -> ExecResult<()> {
        if self.is_concrete(at, len)? {
            return Ok(());
        }
        let (object, offset) = self.state.memory.resolve(at, len, Access::Copy)?;
        let base = object.base;
        self.in_terms(|memory| {
            for at in offset..offset + len {
                let Some(object) = memory.memory.live(base) else { break };
                if matches!(object.byte(at), Byte::Concrete(_)) {
                    continue;
                }
                let term = byte_term(memory.pool, object, at);
                memory.resolver.defined(memory.pool, term, ValueUse::Output)?;
            }
            Ok(())
        })
    }

    /// Faults unless the bytes can be read.
    pub(super) fn check_access(&mut self, at: Value, len: u64) -> ExecResult<()> {
        if len != 0 {
            self.in_terms(|memory| memory.resolve(at, len, Access::Copy))?;
        }
        Ok(())
    }

    /// Allocates an object at an address that the program chose.
    pub(super) fn fixed_object(&mut self, at: u64, size: u64) -> ExecResult<u64> {
        self.state
            .memory
            .allocate_fixed(at, size)
            .ok_or_else(|| unsupported(UnsupportedFeature::FixedAddress(at)))
    }
}
