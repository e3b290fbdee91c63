//! A plain line on a terminal when a run takes longer than a second.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

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
        let thread = visible.then(|| thread::spawn(move || show(&seen, &over)));
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

fn show(files: &AtomicUsize, done: &AtomicBool) {
    let mut wait = Duration::from_secs(1);
    let mut printed = false;
    loop {
        thread::park_timeout(wait);
        let mut stderr = std::io::stderr().lock();
        if done.load(Ordering::Relaxed) {
            if printed {
                let _ = write!(stderr, "\r\x1b[2K");
            }
            return;
        }
        let _ = write!(stderr, "\rchecking… {} files", files.load(Ordering::Relaxed));
        let _ = stderr.flush();
        printed = true;
        wait = Duration::from_millis(200);
    }
}
