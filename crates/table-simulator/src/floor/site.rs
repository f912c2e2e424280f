//! A site below a folder: its rules, its configuration, and the names of its ports.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use table_rules::game::Game;
use table_rules::wager::WagerId;

/// The rules that are dealt, every wager of the game on offer.
pub const fn rules_of(game: Game) -> &'static str {
    match game {
        Game::Blackjack => include_str!("../../../../firmware-config/submissions/blackjack-all-wagers.toml"),
        Game::Spanish21 => include_str!("../../../../firmware-config/submissions/spanish-21-all-wagers.toml"),
        Game::Pontoon21 => include_str!("../../../../firmware-config/submissions/pontoon-21-all-wagers.toml"),
        Game::PlayersEdge21 => include_str!("../../../../firmware-config/submissions/players-edge-21-all-wagers.toml"),
    }
}

/// Whether a batch shuffler works at the table. At a table of Blackjack it would turn over two batches of decks (3.B), and
/// the cards of one are enough for anybody who looks on; there they are shuffled by hand.
pub const fn has_shuffler(game: Game) -> bool {
    match game {
        Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => true,
        Game::Blackjack => false,
    }
}

/// How the shipped rules have the cards shuffled.
const BY_HAND: &str = "by-hand";

/// The progressive wager of the game, with its one stake in dollars. It has sensors and lamps where the felt has any.
pub const fn progressive(game: Game) -> Option<(WagerId, &'static str)> {
    match game {
        Game::PlayersEdge21 => Some((WagerId::MonsterMatch, "2")),
        Game::Blackjack => Some((WagerId::Blazing7s, "5")),
        Game::Pontoon21 => Some((WagerId::BonusSpin, "5")),
        Game::Spanish21 => None,
    }
}

/// The stable names of the ports below a folder.
#[derive(Clone, Debug)]
pub struct PortPaths {
    pub reader: PathBuf,
    /// `None` where the cards are shuffled by hand: no machine stands there.
    pub shuffler: Option<PathBuf>,
    pub shoe: PathBuf,
}

impl PortPaths {
    fn below(folder: &Path, by_machine: bool) -> Self {
        Self {
            reader: folder.join("reader"),
            shuffler: by_machine.then(|| folder.join("shuffler")),
            shoe: folder.join("shoe"),
        }
    }
}

/// What is wanted of a site beside its game.
#[derive(Clone, Copy, Debug)]
pub struct SiteOptions<'a> {
    pub table_id: &'a str,
    /// On loopback; 0 leaves the choice to the system.
    pub port: u16,
    /// Whether the progressive spots have sensors. Lines and buses are not in the configuration: whoever starts the
    /// daemon in its own process gives it a simulated felt, and a daemon of its own has none.
    pub sensors: bool,
    pub log_level: &'a str,
    /// `by-hand`, `batch` or `continuous`; `None` for what suits the game.
    pub shuffler: Option<&'a str>,
    /// When the gaming day turns, in UTC; a test that counts a day's rounds puts it far away.
    pub day_starts: &'a str,
}

/// The files of a site below a folder.
#[derive(Clone, Debug)]
pub struct Site {
    pub config: PathBuf,
    pub ports: PortPaths,
    pub state: PathBuf,
    pub pepper: PathBuf,
    pub journal: PathBuf,
    pub socket: PathBuf,
    /// Sensor spots of a seat.
    pub spots: u8,
}

impl Site {
    /// Writes what a site needs: its configuration and its rules.
    pub fn write(folder: &Path, game: Game, options: SiteOptions<'_>) -> io::Result<Self> {
        let SiteOptions { table_id, port, sensors, log_level, shuffler, day_starts } = options;
        let shuffler = shuffler.unwrap_or(if has_shuffler(game) { "batch" } else { BY_HAND });
        let ports = PortPaths::below(folder, shuffler != BY_HAND);
        let [as_shipped, as_wanted] = [BY_HAND, shuffler].map(|way| format!("shuffler = \"{way}\""));
        fs::write(folder.join("rules.toml"), rules_of(game).replace(&as_shipped, &as_wanted))?;
        fs::create_dir_all(folder.join("state"))?;
        let sensed = progressive(game).filter(|_| sensors);
        let spots = match sensed {
            Some((wager, stake)) => format!("[spots.1]\nwager = \"{wager}\"\nstake = {stake}\n"),
            None => String::new(),
        };
        let port_of = |device: &str, path: &Path| {
            format!(
                "{device}\nlink = {{ tty = {{ path = \"{}\", baud = 115200 }} }}\nprotection = \"none\"\n\n",
                path.display()
            )
        };
        let devices = [
            Some(port_of("[devices.reader]", &ports.reader)),
            ports.shuffler.as_deref().map(|path| port_of("[devices.shuffler]", path)),
            Some(port_of("[[devices.shoe]]", &ports.shoe)),
        ];
        let devices: String = devices.into_iter().flatten().collect();
        let at = folder.display();
        let text = format!(
            "board = \"simulated\"\n\n[table]\nid = \"{table_id}\"\nrules = \"{at}/rules.toml\"\n\n{spots}\n\
             [day]\nstarts = \"{day_starts}\"\ntime_zone = \"UTC\"\n\n\
             [journal]\ndirectory = \"{at}/journal\"\nkey_file = \"{at}/journal.key\"\nsegment_mib = 1\n\n\
             [state]\ndirectory = \"{at}/state\"\npepper_file = \"{at}/pepper\"\n\n\
             [http]\nlisten = \"127.0.0.1:{port}\"\nhosts = [\"localhost:{port}\"]\ntoken_file = \"{at}/kiosk.token\"\nsocket = \"{at}/holecard.sock\"\n\n\
             [console]\npicture_file = \"{at}/status.json\"\nlast_good_file = \"{at}/last-good.toml\"\nspool_directory = \"{at}/spool\"\n\n\
             [log]\nto = \"text\"\nlevel = \"{log_level}\"\n\n\
             {devices}",
        );
        let config = folder.join("table.toml");
        fs::write(&config, text)?;
        Ok(Self {
            config,
            ports,
            state: folder.join("state"),
            pepper: folder.join("pepper"),
            journal: folder.join("journal"),
            socket: folder.join("holecard.sock"),
            spots: u8::from(sensed.is_some()),
        })
    }
}
