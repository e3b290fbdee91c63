//! A plain line on a terminal when a run takes longer than a second.
//!
//! The line lives on the error stream and is erased when [`Progress`] is dropped, before anything else is printed.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::summary::thousands;

/// Quicker runs say nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);

/// Counts files while it lives, and says so on the error stream if it takes long.
#[derive(Debug)]
pub struct Progress {
    files: Arc<AtomicUsize>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Start. `visible` is whether the error stream is a terminal that should show it.
    pub fn start(visible: bool) -> Self {
        let files = Arc::new(AtomicUsize::new(0));
        let done = Arc::new(AtomicBool::new(false));
        let (seen, over) = (Arc::clone(&files), Arc::clone(&done));
        let show = move || show(&seen, &over, PATIENCE, &mut std::io::stderr());
        let thread = visible.then(|| thread::spawn(show));
        Self { files, done, thread }
    }

    /// The counter.
    pub fn files(&self) -> &AtomicUsize {
        &self.files
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It prints and cannot fail in a way that matters.
            let _ = thread.join();
        }
    }
}

fn show(files: &AtomicUsize, done: &AtomicBool, patience: Duration, err: &mut dyn Write) {
    let mut next = Instant::now() + patience;
    // Columns that the last line took; nothing but blanks erases a line on every terminal.
    let mut shown = 0;
    while !done.load(Ordering::Relaxed) {
        // A thread may wake up without a reason, so the clock decides.
        let wait = next.saturating_duration_since(Instant::now());
        if !wait.is_zero() {
            thread::park_timeout(wait);
            continue;
        }
        next += INTERVAL;
        let line = format!("checking… {} files", thousands(files.load(Ordering::Relaxed)));
        let _ = write!(err, "\r{line}").and_then(|()| err.flush());
        shown = line.chars().count();
    }
    if shown > 0 {
        let _ = write!(err, "\r{:shown$}\r", "").and_then(|()| err.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_erased_at_the_end() {
        let files = AtomicUsize::new(1_234);
        let done = AtomicBool::new(false);
        let mut err = Vec::new();
        thread::scope(|scope| {
            let shower = scope.spawn(|| show(&files, &done, Duration::ZERO, &mut err));
            // Long enough for a line; a slow machine shows none, and the test still holds.
            thread::sleep(Duration::from_millis(50));
            done.store(true, Ordering::Relaxed);
            shower.thread().unpark();
        });
        let printed = String::from_utf8(err).unwrap();
        let line = "\rchecking… 1,234 files";
        let blanks = format!("\r{}\r", " ".repeat(line.chars().count() - 1));
        assert!(printed.is_empty() || printed.starts_with(line), "{printed:?}");
        assert!(printed.is_empty() || printed.ends_with(&blanks), "{printed:?}");
    }

    #[test]
    fn a_quick_run_says_nothing() {
        let (files, done) = (AtomicUsize::new(9), AtomicBool::new(true));
        let mut err = Vec::new();
        show(&files, &done, PATIENCE, &mut err);
        assert!(err.is_empty());
    }
}
