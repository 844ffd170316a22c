//! Ctrl-C: once asks the work to stop at the block's end, twice ends the process.

use crate::Exit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// The flag that Ctrl-C (or a polite kill) raises. The first call installs the handler, so that
/// commands which never look end at once, as usual.
///
/// The second Ctrl-C exits with [`Exit::Inconclusive`]: what was journaled is kept.
pub fn flag() -> &'static AtomicBool {
    INSTALL.call_once(|| {
        // Without a handler the signal still ends the process, and the journal is still good.
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::SeqCst) {
                std::process::exit(i32::from(Exit::Inconclusive.code()));
            }
            crate::out::diagnostic("stopping at the end of the block; Ctrl-C again stops at once");
        });
    });
    &ASKED
}

/// Whether Ctrl-C was pressed.
#[must_use]
pub fn requested() -> bool {
    flag().load(Ordering::SeqCst)
}
