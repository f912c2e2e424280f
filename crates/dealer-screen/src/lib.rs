//! The dealer's page: its files, built in. Nothing here decides anything; the page shows what it is sent.
#![forbid(unsafe_code)]

/// One file as a browser gets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asset {
    pub content_type: &'static str,
    pub bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Path, type, content.
const ASSETS: &[(&str, &str, &[u8])] = &[
    ("/", HTML, include_bytes!("../assets/index.html")),
    ("/enter", HTML, include_bytes!("../assets/enter.html")),
    ("/assets/screen.css", CSS, include_bytes!("../assets/screen.css")),
    ("/assets/enter.js", SCRIPT, include_bytes!("../assets/enter.js")),
];

/// The file at this address.
pub fn asset(path: &str) -> Option<Asset> {
    let found = ASSETS.iter().find(|(known, _, _)| *known == path);
    found.map(|&(_, content_type, bytes)| Asset { content_type, bytes })
}
