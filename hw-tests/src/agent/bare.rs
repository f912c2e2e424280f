//! The yardstick: a program that does nothing but wait for the button's edge, debounced by the kernel, and light the lamp.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gpiocdev::Request;
use gpiocdev::line::{EdgeDetection, EdgeKind, Value};

#[derive(Debug)]
pub(crate) struct Bare {
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Bare {
    pub(crate) fn start(button: &str, lamp: &str, debounce: Duration) -> io::Result<Self> {
        let find = |name: &str| gpiocdev::find_named_line(name).ok_or_else(|| io::Error::other(format!("no {name}")));
        let (from, to) = (find(button)?, find(lamp)?);
        let edges = Request::builder()
            .with_found_line(&from)
            .as_active_low()
            .with_debounce_period(debounce)
            .with_edge_detection(EdgeDetection::BothEdges)
            .request()
            .map_err(io::Error::other)?;
        let lamp =
            Request::builder().with_found_line(&to).as_output(Value::Inactive).request().map_err(io::Error::other)?;
        let end = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&end);
        let offset = to.info.offset;
        let thread = thread::spawn(move || {
            while !ends.load(Ordering::Acquire) {
                if !edges.wait_edge_event(Duration::from_millis(100)).unwrap_or(false) {
                    continue;
                }
                let Ok(edge) = edges.read_edge_event() else { return };
                let level = if edge.kind == EdgeKind::Rising { Value::Active } else { Value::Inactive };
                if lamp.set_value(offset, level).is_err() {
                    return;
                }
            }
        });
        Ok(Self { end, thread: Some(thread) })
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}
