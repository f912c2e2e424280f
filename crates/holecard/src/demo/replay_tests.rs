//! The record of a table that really ran, put through the controller once more: restarts, a power cut in a round, and a
//! change of the table's options, which begins a new epoch.

use std::path::Path;
use std::time::{Duration, Instant};

use table_daemon::config::Config;
use table_daemon::table::{NotReplayed, Replay, controller_config, rules_pack, software_hash};
use table_journal::{DirectoryStorage, JournalReader};
use table_rules::game::Game;
use table_simulator::floor::people::Who;
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::Site;

use super::stack::{DEMO, Stack, load, moment};
use super::tests::{PATIENCE, play_rounds};

fn replayed(folder: &Path, config: &Config) -> Replay {
    let controller = controller_config(config, config.rules_table().unwrap(), true);
    let pack = rules_pack(&std::fs::read(&config.rules).unwrap(), &controller);
    let mut replay = Replay::new(controller, pack, vec![software_hash().unwrap()]);
    let storage = DirectoryStorage::for_reading(&folder.join("journal")).unwrap();
    for record in JournalReader::new(storage, None, None).records().unwrap() {
        let record = record.unwrap();
        replay.follow(&record).unwrap_or_else(|difference| panic!("record {}: {difference:?}", record.sequence.0));
    }
    replay
}

/// Until a round is open.
async fn play_into_a_round(stack: &mut Stack, shift: &mut Shift) {
    let until = Instant::now() + PATIENCE;
    while stack.screen()["stage"] != "decisions" {
        assert!(Instant::now() < until, "nobody comes to decide: {}", stack.screen());
        moment(shift, stack).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn what_a_running_table_recorded_is_what_its_inputs_lead_to() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::write(folder.path(), Game::PlayersEdge21, DEMO).unwrap();
    let text = std::fs::read_to_string(&site.config).unwrap();
    let text = text.replace("segment_mib = 1", "segment_mib = 1\ncheckpoint_every_records = 100");
    std::fs::write(&site.config, &text).unwrap();
    let first = load(&site).unwrap().0;
    let mut stack = Stack::start(&site, 7, 300).await.unwrap();
    let mut shift = Shift::new(11);
    play_rounds(&mut stack, &mut shift, 2).await;
    play_into_a_round(&mut stack, &mut shift).await;
    stack.cut_power().await.unwrap();
    play_rounds(&mut stack, &mut shift, 5).await;
    stack.stop().await;
    let replay = replayed(folder.path(), &first);
    let epoch = &replay.epochs()[0];
    assert_eq!((replay.epochs().len(), epoch.skipped, epoch.why), (1, 0, None));
    assert!(epoch.inputs > 100 && epoch.checkpoints > 0, "{epoch:?}");

    std::fs::write(&site.config, text.replace("[table]\n", "[table]\nchip_count = true\n")).unwrap();
    let second = load(&site).unwrap().0;
    let stack = Stack::start(&site, 8, 300).await.unwrap();
    let told = stack.screen();
    assert_eq!(told["stage"], "closed", "another epoch begins with a closed table: {told}");
    stack.say(Who::Dealer, operator_api::Action::SignIn, None).await;
    stack.stop().await;
    for (config, mine, other) in [(&first, 0, 1), (&second, 1, 0)] {
        let replay = replayed(folder.path(), config);
        let (mine, other) = (&replay.epochs()[mine], &replay.epochs()[other]);
        assert_eq!((mine.skipped, mine.why), (0, None));
        assert_eq!((other.inputs, other.why), (0, Some(NotReplayed::OtherRules)));
        assert!(mine.inputs > 0 && other.skipped > 0);
    }
}
