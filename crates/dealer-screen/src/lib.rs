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
    ("/assets/demo.js", SCRIPT, include_bytes!("../assets/demo.js")),
    ("/assets/dom.js", SCRIPT, include_bytes!("../assets/dom.js")),
    ("/assets/enter.js", SCRIPT, include_bytes!("../assets/enter.js")),
    ("/assets/main.js", SCRIPT, include_bytes!("../assets/main.js")),
    ("/assets/offers.js", SCRIPT, include_bytes!("../assets/offers.js")),
    ("/assets/people.js", SCRIPT, include_bytes!("../assets/people.js")),
    ("/assets/send.js", SCRIPT, include_bytes!("../assets/send.js")),
    ("/assets/table.js", SCRIPT, include_bytes!("../assets/table.js")),
    ("/assets/wizard.js", SCRIPT, include_bytes!("../assets/wizard.js")),
];

/// The file at this address.
pub fn asset(path: &str) -> Option<Asset> {
    let found = ASSETS.iter().find(|(known, _, _)| *known == path);
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
        for (path, _, _) in ASSETS {
            let text = text(path);
            for forbidden in
                ["http:", "https:", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", " style=", " onclick="]
            {
                assert!(!text.contains(forbidden), "{path} has {forbidden}");
            }
        }
        for page in ["/", "/enter"] {
            for script in text(page).split("<script").skip(1) {
                assert!(script.split_once("></script>").is_some_and(|(tag, _)| tag.contains("src=")), "{page}");
            }
        }
    }

    #[test]
    fn everything_that_a_file_asks_for_is_there() {
        for (path, _, _) in ASSETS {
            let text = text(path);
            let quoted = text.split('"').filter(|part| part.starts_with("/assets/") || part.starts_with("./"));
            for part in quoted {
                let wanted = part.replacen("./", "/assets/", 1);
                assert!(asset(&wanted).is_some(), "{path} asks for {part}");
            }
        }
        assert_eq!(asset("/assets/../lib.rs"), None);
    }
}
