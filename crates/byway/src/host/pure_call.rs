//! Calls pure functions of this machine's C library.
//!
//! A call runs in a process of its own, which can do nothing but compute, write the result and end:
//! the kernel kills it at any other system call (strict seccomp).

use std::ffi::CString;
use std::fs::File;
use std::io::Read;
use std::mem::transmute;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use byway_engine::PureFunction;
use byway_ir::Ty;

/// The library that has them.
const LIBRARY: &std::ffi::CStr = c"libm.so.6";

/// Where a function of the library is.
type FunctionAddress = *mut libc::c_void;

/// Calls a function with the bits of its arguments; `None` if the library lacks it, or the process
/// could not be made.
pub fn call(function: &PureFunction, args: &[u64]) -> Option<u64> {
    let code = find(function.name)?;
    let (reader, writer) = pipe()?;
    // SAFETY: the child makes only system calls and calls of functions that allocate nothing and take
    // no lock.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => {
            compute(code, function, args, &writer);
            // SAFETY: ends the child; `_exit` would use a system call that is forbidden.
            unsafe { libc::syscall(libc::SYS_exit, 0) };
            unreachable!("the process has ended")
        }
        child => {
            drop(writer);
            let mut bytes = [0; 8];
            let read = File::from(reader).read_exact(&mut bytes);
            wait(child);
            read.ok().map(|()| u64::from_le_bytes(bytes))
        }
    }
}

/// Finds a function. The library stays loaded.
fn find(name: &str) -> Option<FunctionAddress> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a C string, and the C library's own libraries have harmless constructors.
    let library = unsafe { libc::dlopen(LIBRARY.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is one of `dlopen`.
    let code = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!code.is_null()).then_some(code)
}

fn pipe() -> Option<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: there is room for two descriptors.
    match unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } {
        // SAFETY: both descriptors were just opened, and nothing else owns them.
        0 => unsafe { Some((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))) },
        _ => None,
    }
}

/// In the child: gives up everything but computing, calls the function and writes its result.
fn compute(code: FunctionAddress, function: &PureFunction, args: &[u64], writer: &OwnedFd) {
    // SAFETY: a system call without pointers.
    let is_confined =
        unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_STRICT, 0, 0, 0) } == 0;
    if !is_confined {
        return;
    }
    // SAFETY: the table of pure functions has the signatures of the C standard.
    let Some(result) = (unsafe { apply(code, function, args) }) else { return };
    let bytes = result.to_le_bytes();
    // SAFETY: pointer and length are those of a live array.
    unsafe { libc::write(writer.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
}

/// Calls the function; `None` for a signature that no function has.
///
/// # Safety
/// The address is that of `function`.
unsafe fn apply(at: FunctionAddress, function: &PureFunction, args: &[u64]) -> Option<u64> {
    const LONG: Ty = Ty::Int(64);
    let double = |index: usize| f64::from_bits(args[index]);
    let float = |index: usize| f32::from_bits(args[index] as u32);
    // SAFETY: each arm names the types of the signature that it matched.
    Some(unsafe {
        match (function.params, function.result) {
            ([Ty::F64], Ty::F64) => {
                transmute::<FunctionAddress, extern "C" fn(f64) -> f64>(at)(double(0)).to_bits()
            }
            ([Ty::F64], Ty::F32) => {
                transmute::<FunctionAddress, extern "C" fn(f64) -> f32>(at)(double(0))
                    .to_bits()
                    .into()
            }
            ([Ty::F64], LONG) => {
                transmute::<FunctionAddress, extern "C" fn(f64) -> i64>(at)(double(0)) as u64
            }
            ([Ty::F32], Ty::F32) => {
                transmute::<FunctionAddress, extern "C" fn(f32) -> f32>(at)(float(0))
                    .to_bits()
                    .into()
            }
            ([Ty::F32], LONG) => {
                transmute::<FunctionAddress, extern "C" fn(f32) -> i64>(at)(float(0)) as u64
            }
            ([Ty::F64, Ty::F64], Ty::F64) => transmute::<
                FunctionAddress,
                extern "C" fn(f64, f64) -> f64,
            >(at)(double(0), double(1))
            .to_bits(),
            ([Ty::F64, Ty::F64], Ty::F32) => {
                let call = transmute::<FunctionAddress, extern "C" fn(f64, f64) -> f32>(at);
                call(double(0), double(1)).to_bits().into()
            }
            ([Ty::F32, Ty::F32], Ty::F32) => {
                let call = transmute::<FunctionAddress, extern "C" fn(f32, f32) -> f32>(at);
                call(float(0), float(1)).to_bits().into()
            }
            ([Ty::F64, Ty::F64, Ty::F64], Ty::F32) => {
                let call = transmute::<FunctionAddress, extern "C" fn(f64, f64, f64) -> f32>(at);
                call(double(0), double(1), double(2)).to_bits().into()
            }
            _ => return None,
        }
    })
}

fn wait(child: libc::pid_t) {
    let mut status = 0;
    // SAFETY: `status` is a live integer.
    while unsafe { libc::waitpid(child, &mut status, 0) } == -1
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

#[cfg(test)]
mod tests {
    use byway_engine::pure_function;

    use super::*;

    fn called(name: &str, args: &[u64]) -> Option<u64> {
        call(pure_function(name).expect("a pure function"), args)
    }

    #[test]
    fn functions_of_each_signature_are_called() {
        let bits = f64::to_bits;
        assert_eq!(called("nextup", &[bits(1.0)]), Some(bits(1.0) + 1));
        assert_eq!(called("nextdownf", &[1.0f32.to_bits().into()]), Some(0x3f7f_ffff));
        assert_eq!(called("roundeven", &[bits(2.5)]), Some(bits(2.0)));
        assert_eq!(called("llogb", &[bits(0.25)]), Some(-2i64 as u64));
        assert_eq!(called("llogbf", &[8.0f32.to_bits().into()]), Some(3));
        assert_eq!(called("fmaxmag", &[bits(-3.0), bits(2.0)]), Some(bits(-3.0)));
        let floats = [1.5f32, 2.5].map(|it| it.to_bits().into());
        assert_eq!(called("fminmagf", &floats), Some(1.5f32.to_bits().into()));
        assert_eq!(called("fadd", &[bits(0.1), bits(0.2)]), Some(0.3f32.to_bits().into()));
        assert_eq!(called("fsqrt", &[bits(9.0)]), Some(3.0f32.to_bits().into()));
        let product = [bits(2.0), bits(3.0), bits(0.5)];
        assert_eq!(called("ffma", &product), Some(6.5f32.to_bits().into()));
    }

    #[test]
    fn a_function_that_the_library_lacks_has_no_result() {
        let missing = PureFunction { name: "no_such_function", params: &[], result: Ty::F64 };
        assert_eq!(call(&missing, &[]), None);
        let unknown = PureFunction { name: "nextup", params: &[], result: Ty::F64 };
        assert_eq!(call(&unknown, &[]), None, "a signature that no function has");
    }
}
