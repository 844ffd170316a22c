//! Runs code that may panic and returns the panic's message instead of printing it.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// The result of `f`, or the text of its panic. Nothing is printed; panics elsewhere reach the
/// hook that stood before.
pub(crate) fn quietly<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if QUIET.get() {
                MESSAGE.set(Some(info.to_string().replace('\n', " ")));
            } else {
                before(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(outer);
    match result {
        Ok(value) => Ok(value),
        Err(payload) => Err(MESSAGE.take().unwrap_or_else(|| {
            // Another hook stands in front of ours: what the panic carried still says enough.
            match payload.downcast::<String>() {
                Ok(text) => *text,
                Err(other) => match other.downcast::<&str>() {
                    Ok(text) => (*text).to_owned(),
                    Err(unknown) => panic_any(unknown),
                },
            }
        })),
    }
}
