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
    ("/meters", HTML, include_bytes!("../assets/players/index.html")),
    ("/meters/enter", HTML, include_bytes!("../assets/players/enter.html")),
    ("/assets/core/bar.js", SCRIPT, include_bytes!("../assets/core/bar.js")),
    ("/assets/core/cards.js", SCRIPT, include_bytes!("../assets/core/cards.js")),
    ("/assets/core/decisions.js", SCRIPT, include_bytes!("../assets/core/decisions.js")),
    ("/assets/core/film.js", SCRIPT, include_bytes!("../assets/core/film.js")),
    ("/assets/core/gate.js", SCRIPT, include_bytes!("../assets/core/gate.js")),
    ("/assets/core/inspecting.js", SCRIPT, include_bytes!("../assets/core/inspecting.js")),
    ("/assets/core/insured.js", SCRIPT, include_bytes!("../assets/core/insured.js")),
    ("/assets/core/keys.js", SCRIPT, include_bytes!("../assets/core/keys.js")),
    ("/assets/core/lines.js", SCRIPT, include_bytes!("../assets/core/lines.js")),
    ("/assets/core/money.js", SCRIPT, include_bytes!("../assets/core/money.js")),
    ("/assets/core/offers.js", SCRIPT, include_bytes!("../assets/core/offers.js")),
    ("/assets/core/order.js", SCRIPT, include_bytes!("../assets/core/order.js")),
    ("/assets/core/pages.js", SCRIPT, include_bytes!("../assets/core/pages.js")),
    ("/assets/core/outcome.js", SCRIPT, include_bytes!("../assets/core/outcome.js")),
    ("/assets/core/panes.js", SCRIPT, include_bytes!("../assets/core/panes.js")),
    ("/assets/core/preparing.js", SCRIPT, include_bytes!("../assets/core/preparing.js")),
    ("/assets/core/seats.js", SCRIPT, include_bytes!("../assets/core/seats.js")),
    ("/assets/core/settings.js", SCRIPT, include_bytes!("../assets/core/settings.js")),
    ("/assets/core/signing.js", SCRIPT, include_bytes!("../assets/core/signing.js")),
    ("/assets/core/strip.js", SCRIPT, include_bytes!("../assets/core/strip.js")),
    ("/assets/core/text.js", SCRIPT, include_bytes!("../assets/core/text.js")),
    ("/assets/core/view.js", SCRIPT, include_bytes!("../assets/core/view.js")),
    ("/assets/core/visits.js", SCRIPT, include_bytes!("../assets/core/visits.js")),
    ("/assets/draw/dom.js", SCRIPT, include_bytes!("../assets/draw/dom.js")),
    ("/assets/draw/evidence.js", SCRIPT, include_bytes!("../assets/draw/evidence.js")),
    ("/assets/draw/inspecting.js", SCRIPT, include_bytes!("../assets/draw/inspecting.js")),
    ("/assets/draw/page.js", SCRIPT, include_bytes!("../assets/draw/page.js")),
    ("/assets/draw/table.js", SCRIPT, include_bytes!("../assets/draw/table.js")),
    ("/assets/draw/zones.js", SCRIPT, include_bytes!("../assets/draw/zones.js")),
    ("/assets/enter.js", SCRIPT, include_bytes!("../assets/enter.js")),
    ("/assets/inspecting.css", CSS, include_bytes!("../assets/inspecting.css")),
    ("/assets/main.js", SCRIPT, include_bytes!("../assets/main.js")),
    ("/assets/pages.css", CSS, include_bytes!("../assets/pages.css")),
    ("/assets/pages/alerts.js", SCRIPT, include_bytes!("../assets/pages/alerts.js")),
    ("/assets/pages/amounts.js", SCRIPT, include_bytes!("../assets/pages/amounts.js")),
    ("/assets/pages/cards.js", SCRIPT, include_bytes!("../assets/pages/cards.js")),
    ("/assets/pages/choose.js", SCRIPT, include_bytes!("../assets/pages/choose.js")),
    ("/assets/pages/closing.js", SCRIPT, include_bytes!("../assets/pages/closing.js")),
    ("/assets/pages/day.js", SCRIPT, include_bytes!("../assets/pages/day.js")),
    ("/assets/pages/devices.js", SCRIPT, include_bytes!("../assets/pages/devices.js")),
    ("/assets/pages/floor.js", SCRIPT, include_bytes!("../assets/pages/floor.js")),
    ("/assets/pages/identity.js", SCRIPT, include_bytes!("../assets/pages/identity.js")),
    ("/assets/pages/inspection.js", SCRIPT, include_bytes!("../assets/pages/inspection.js")),
    ("/assets/pages/jackpot.js", SCRIPT, include_bytes!("../assets/pages/jackpot.js")),
    ("/assets/pages/letters.js", SCRIPT, include_bytes!("../assets/pages/letters.js")),
    ("/assets/pages/meters.js", SCRIPT, include_bytes!("../assets/pages/meters.js")),
    ("/assets/pages/number.js", SCRIPT, include_bytes!("../assets/pages/number.js")),
    ("/assets/pages/opening.js", SCRIPT, include_bytes!("../assets/pages/opening.js")),
    ("/assets/pages/problem.js", SCRIPT, include_bytes!("../assets/pages/problem.js")),
    ("/assets/pages/procedure.js", SCRIPT, include_bytes!("../assets/pages/procedure.js")),
    ("/assets/pages/reasons.js", SCRIPT, include_bytes!("../assets/pages/reasons.js")),
    ("/assets/pages/recall.js", SCRIPT, include_bytes!("../assets/pages/recall.js")),
    ("/assets/pages/record.js", SCRIPT, include_bytes!("../assets/pages/record.js")),
    ("/assets/pages/sign.js", SCRIPT, include_bytes!("../assets/pages/sign.js")),
    ("/assets/pages/stopped.js", SCRIPT, include_bytes!("../assets/pages/stopped.js")),
    ("/assets/pages/table.js", SCRIPT, include_bytes!("../assets/pages/table.js")),
    ("/assets/pages/work.js", SCRIPT, include_bytes!("../assets/pages/work.js")),
    ("/assets/players/enter.js", SCRIPT, include_bytes!("../assets/players/enter.js")),
    ("/assets/players/page.js", SCRIPT, include_bytes!("../assets/players/page.js")),
    ("/assets/players/players.css", CSS, include_bytes!("../assets/players/players.css")),
    ("/assets/players/view.js", SCRIPT, include_bytes!("../assets/players/view.js")),
    ("/assets/screen.css", CSS, include_bytes!("../assets/screen.css")),
    ("/assets/send.js", SCRIPT, include_bytes!("../assets/send.js")),
    ("/assets/sheet.css", CSS, include_bytes!("../assets/sheet.css")),
    ("/assets/touch.js", SCRIPT, include_bytes!("../assets/touch.js")),
    ("/assets/visiting.js", SCRIPT, include_bytes!("../assets/visiting.js")),
    ("/assets/zones.css", CSS, include_bytes!("../assets/zones.css")),
];

/// The rail that stands for the felt at a demo; no part of what is installed at a table.
#[cfg(feature = "demo")]
const DEMO: &[(&str, &str, &[u8])] = &[
    ("/demo", HTML, include_bytes!("../assets/demo/index.html")),
    ("/demo/enter", HTML, include_bytes!("../assets/demo/enter.html")),
    ("/assets/demo/coach.js", SCRIPT, include_bytes!("../assets/demo/coach.js")),
    ("/assets/demo/enter.js", SCRIPT, include_bytes!("../assets/demo/enter.js")),
    ("/assets/demo/rail.css", CSS, include_bytes!("../assets/demo/rail.css")),
    ("/assets/demo/rail.js", SCRIPT, include_bytes!("../assets/demo/rail.js")),
];
#[cfg(not(feature = "demo"))]
const DEMO: &[(&str, &str, &[u8])] = &[];

/// The file at this address.
pub fn asset(path: &str) -> Option<Asset> {
    let found = ASSETS.iter().chain(DEMO).find(|(known, _, _)| *known == path);
    found.map(|&(_, content_type, bytes)| Asset { content_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        String::from_utf8(asset(path).unwrap().bytes.to_vec()).unwrap()
    }

    /// The policy that the daemon sends forbids inline scripts and styles, and anything from elsewhere.
    #[test]
    fn pages_have_nothing_inline_and_nothing_from_elsewhere() {
        for (path, _, _) in ASSETS.iter().chain(DEMO) {
            // A name, which no browser asks for.
            let text = text(path).replace("http://www.w3.org/2000/svg", "");
            for forbidden in
                ["http:", "https:", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", " style=", " onclick="]
            {
                assert!(!text.contains(forbidden), "{path} has {forbidden}");
            }
        }
        for (page, _, _) in ASSETS.iter().chain(DEMO).filter(|(_, content_type, _)| *content_type == HTML) {
            for script in text(page).split("<script").skip(1) {
                assert!(script.split_once("></script>").is_some_and(|(tag, _)| tag.contains("src=")), "{page}");
            }
        }
    }

    /// What is installed at a table has no word of the demo in it, and its address only where the demo is built in.
    #[test]
    fn a_table_has_no_rail() {
        for (path, _, _) in ASSETS {
            assert!(!text(path).to_lowercase().contains("demo"), "{path}");
        }
        for path in ["/demo", "/demo/enter", "/assets/demo/rail.js"] {
            assert_eq!(asset(path).is_some(), cfg!(feature = "demo"), "{path}");
        }
    }

    /// No file lies beside the lists, nor is one listed twice: each folder's files, the demo's only with the demo.
    #[test]
    fn every_file_is_listed_once() {
        let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let files_in = |folder: &str| {
            let entries = std::fs::read_dir(assets.join(folder)).unwrap();
            entries.filter(|entry| entry.as_ref().unwrap().file_type().unwrap().is_file()).count()
        };
        let table: usize = [".", "core", "draw", "pages", "players"].map(files_in).iter().sum();
        assert_eq!(ASSETS.len(), table);
        assert_eq!(DEMO.len(), if cfg!(feature = "demo") { files_in("demo") } else { 0 });
        let paths: std::collections::BTreeSet<_> = ASSETS.iter().chain(DEMO).map(|(path, _, _)| path).collect();
        assert_eq!(paths.len(), ASSETS.len() + DEMO.len());
    }

    #[test]
    fn everything_that_a_file_asks_for_is_there() {
        for (path, _, _) in ASSETS.iter().chain(DEMO) {
            let text = text(path);
            let folder = path.rsplit_once('/').unwrap().0;
            let quoted =
                text.split('"').filter(|part| ["/assets/", "./", "../"].iter().any(|start| part.starts_with(start)));
            for part in quoted {
                let wanted = match (part.strip_prefix("./"), part.strip_prefix("../")) {
                    (Some(beside), _) => format!("{folder}/{beside}"),
                    (None, Some(above)) => format!("{}/{above}", folder.rsplit_once('/').unwrap().0),
                    (None, None) => part.to_owned(),
                };
                assert!(asset(&wanted).is_some(), "{path} asks for {part}");
            }
        }
        assert_eq!(asset("/assets/../lib.rs"), None);
    }
}
