//! Ctrl-C. The first request to stop sets a flag that the run polls; a second one ends the
//! process at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::exit;

/// A static, because a signal handler has no other access to data; an `Arc`, because the solver
/// polls it too.
static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

extern "C" fn on_signal(_: libc::c_int) {
    // Initialised before the handler is installed, so this takes no lock.
    let Some(requested) = REQUESTED.get() else { return };
    if requested.swap(true, Ordering::Relaxed) {
        // SAFETY: _exit is safe to call from a signal handler.
        unsafe { libc::_exit(exit::INTERRUPTED.into()) }
    }
}

/// Makes SIGINT and SIGTERM set the flag. A signal that is ignored (as under nohup) stays
/// ignored.
pub fn install() {
    flag();
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the structures are plain data, zero is a valid value for each of
        // their fields, and the handler calls only async-signal-safe functions.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut old) != 0
                || old.sa_sigaction == libc::SIG_IGN
            {
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int) = on_signal;
            new.sa_sigaction = handler as libc::sighandler_t;
            // No SA_RESTART: a blocking read of a terminal must return.
            libc::sigaction(signal, &new, std::ptr::null_mut());
        }
    }
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.get().is_some_and(|requested| requested.load(Ordering::Relaxed))
}

/// Forgets the request: what was to be stopped has stopped, and its results are processed. The
/// next Ctrl-C stops that.
pub fn clear() {
    flag().store(false, Ordering::Relaxed);
}

/// The flag, to be shared with the solver.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(REQUESTED.get_or_init(Arc::default))
}
