//! Counters and gauges, and the text that Prometheus reads. Nothing here may depend on a card that lies face down.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Goes up and down.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    pub fn set(&self, value: i64) {
        self.0.store(value, Ordering::Relaxed);
    }

    pub fn add(&self, change: i64) {
        self.0.fetch_add(change, Ordering::Relaxed);
    }

    pub fn value(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone, Debug)]
enum Series {
    Counter(Arc<Counter>),
    Gauge(Arc<Gauge>),
}

#[derive(Debug)]
struct Family {
    help: &'static str,
    /// By the labels as they are printed.
    series: BTreeMap<String, Series>,
}

/// All that is measured. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    families: Arc<Mutex<BTreeMap<&'static str, Family>>>,
}

impl Metrics {
    /// The counter of this name and these labels, made at the first call.
    pub fn counter(&self, name: &'static str, help: &'static str, labels: &[(&str, &str)]) -> Arc<Counter> {
        let made = Arc::new(Counter::default());
        match self.series(name, help, labels, Series::Counter(Arc::clone(&made))) {
            Series::Counter(counter) => counter,
            // A name that is used for both is a slip; its second use counts for itself alone.
            Series::Gauge(_) => made,
        }
    }

    /// The gauge of this name and these labels, made at the first call.
    pub fn gauge(&self, name: &'static str, help: &'static str, labels: &[(&str, &str)]) -> Arc<Gauge> {
        let made = Arc::new(Gauge::default());
        match self.series(name, help, labels, Series::Gauge(Arc::clone(&made))) {
            Series::Gauge(gauge) => gauge,
            Series::Counter(_) => made,
        }
    }

    fn series(&self, name: &'static str, help: &'static str, labels: &[(&str, &str)], new: Series) -> Series {
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let family = families.entry(name).or_insert_with(|| Family { help, series: BTreeMap::new() });
        family.series.entry(printed(labels)).or_insert(new).clone()
    }

    /// The text form, in the order of the names.
    pub fn render(&self) -> String {
        let families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for (name, family) in families.iter() {
            let kind = match family.series.values().next() {
                Some(Series::Counter(_)) => "counter",
                Some(Series::Gauge(_)) => "gauge",
                None => continue,
            };
            // Writing to a text cannot fail.
            let _ = write!(text, "# HELP {name} {}\n# TYPE {name} {kind}\n", family.help);
            for (labels, series) in &family.series {
                let _ = match series {
                    Series::Counter(counter) => writeln!(text, "{name}{labels} {}", counter.value()),
                    Series::Gauge(gauge) => writeln!(text, "{name}{labels} {}", gauge.value()),
                };
            }
        }
        text
    }
}

fn printed(labels: &[(&str, &str)]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let pairs: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    format!("{{{}}}", pairs.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_shared_by_name_and_labels_and_printed_in_order() {
        let metrics = Metrics::default();
        metrics.gauge("holecard_streams", "Open streams.", &[]).set(2);
        metrics.counter("holecard_replies_total", "Replies.", &[("status", "4xx")]).add(3);
        metrics.counter("holecard_replies_total", "Replies.", &[("status", "2xx")]).add(1);
        metrics.clone().counter("holecard_replies_total", "Replies.", &[("status", "4xx")]).add(1);
        assert_eq!(
            metrics.render(),
            "# HELP holecard_replies_total Replies.\n# TYPE holecard_replies_total counter\n\
             holecard_replies_total{status=\"2xx\"} 1\nholecard_replies_total{status=\"4xx\"} 4\n\
             # HELP holecard_streams Open streams.\n# TYPE holecard_streams gauge\nholecard_streams 2\n"
        );
    }

    #[test]
    fn labels_cannot_break_a_line() {
        let metrics = Metrics::default();
        metrics.gauge("g", "G.", &[("part", "a\"b\\c\nd")]).set(-1);
        assert!(metrics.render().ends_with("g{part=\"a\\\"b\\\\c\\nd\"} -1\n"));
    }
}
