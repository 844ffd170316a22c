//! Ctrl-C: once asks the work to stop at the block's end, twice ends the process.

use crate::Exit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
static WATCHED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// Installs the handler, so that from the first moment an interruption ends with the stated exit
/// code and never by signal. Until somebody looks at the [`flag`] there is no block to finish, and
/// the process ends at once; files are published whole or not at all.
pub fn install() {
    INSTALL.call_once(|| {
        // Without a handler the signal still ends the process, and the journal is still good.
        let _ = ctrlc::set_handler(|| {
            let again = ASKED.swap(true, Ordering::SeqCst);
            if again || !WATCHED.load(Ordering::SeqCst) {
                crate::out::diagnostic("interrupted");
                std::process::exit(i32::from(Exit::Inconclusive.code()));
            }
            crate::out::diagnostic("stopping at the end of the block; Ctrl-C again stops at once");
        });
    });
}

/// The flag that Ctrl-C (or a polite kill) raises. Whoever takes it will look at it.
///
/// The second Ctrl-C exits with [`Exit::Inconclusive`]: what was journaled is kept.
pub fn flag() -> &'static AtomicBool {
    WATCHED.store(true, Ordering::SeqCst);
    install();
    &ASKED
}

/// Whether Ctrl-C was pressed.
#[must_use]
pub fn requested() -> bool {
    flag().load(Ordering::SeqCst)
}
