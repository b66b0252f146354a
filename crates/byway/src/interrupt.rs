//! Ctrl-C. The first request to stop sets a flag that the run looks at; a second
//! one ends the process at once, in case the first is not heard.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::exit;

/// A signal handler can reach nothing but a static. It is shared, so that the solver
/// can look at it too.
static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

extern "C" fn on_signal(_: libc::c_int) {
    // Set before the handler is installed; reading it takes no lock.
    let Some(requested) = REQUESTED.get() else { return };
    if requested.swap(true, Ordering::Relaxed) {
        // SAFETY: _exit is safe to call from a signal handler.
        unsafe { libc::_exit(exit::INTERRUPTED.into()) }
    }
}

/// Makes Ctrl-C, and a polite request to terminate, set the flag. A signal that
/// was being ignored (as under nohup) stays ignored.
pub fn install() {
    flag();
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the structures are plain data, zero is a valid value for each of
        // their fields, and the handler does only what a handler may do.
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
            // No SA_RESTART: a read of a terminal that waits must return.
            libc::sigaction(signal, &new, std::ptr::null_mut());
        }
    }
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.get().is_some_and(|requested| requested.load(Ordering::Relaxed))
}

/// The flag itself.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(REQUESTED.get_or_init(Arc::default))
}
