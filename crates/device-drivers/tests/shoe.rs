//! The shoe's driver: cards come in sealed and leave only on the controller's word.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]
#![expect(clippy::wildcard_enum_match_arm, reason = "tests look for one report among many")]

mod support;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::{
    NotOpenable, SealedShoeEvent, Shoe as _, ShoeControl, ShoeReports, ShoeSession, spawn_shoe,
};
use device_drivers::serial::session::Occurrence;
use device_drivers::serial::tap::TapRun;
use device_drivers::serial::{AngelSession, PortOptions, PortReport};
use device_protocols::angel_eye::{AcknowledgeWhen, AngelOptions, OutboundBcc, encode_shoe_frame};
use device_protocols::faults::FaultSet;
use device_protocols::frame::{BootId, Direction, FrameDecoder};
use device_protocols::mask::{MaskedRun, Watching, is_harmless};
use device_protocols::sealed::{Card, DrawNumber, FaceUp, SealedCard};
use device_protocols::shoe::{DrawContext, Shoe, ShoeCommand, ShoeEvent, ShoeState, ShoeStatus};
use support::{Do, PATIENCE, Pty, Socket, Twin, host_config, until, until_up};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

fn ready() -> ShoeEvent {
    ShoeEvent::State(ShoeStatus {
        state: ShoeState::Ready,
        drawn: DrawNumber(0),
        cut_card_seen: false,
        faults: FaultSet::EMPTY,
    })
}

fn drawn(draw: u16, rank: u8, suit: u8) -> Do<ShoeEvent> {
    let card = SealedCard::seal(DrawNumber(draw), Card::new(rank, suit).unwrap());
    Do::Event(ShoeEvent::CardDrawn { context: DrawContext::InPlay, card })
}

fn start(socket: &Socket) -> (ShoeControl, ShoeReports) {
    start_watched(socket, PortOptions::default())
}

fn start_watched(socket: &Socket, options: PortOptions) -> (ShoeControl, ShoeReports) {
    let clock = MonotonicClock::new();
    let session = ShoeSession::new(host_config(), clock.now());
    let (control, reports, _) = spawn_shoe(session, socket.connector(), clock, options, CancellationToken::new());
    (control, reports)
}

fn twin(socket: &Socket) -> Twin<ShoeEvent> {
    let pty = Pty::open();
    socket.plug_in(&pty);
    Twin::start::<Shoe>(pty, 1, "S-1", ready)
}

/// The next draw, made durable.
async fn next_draw(control: &ShoeControl, reports: &mut ShoeReports) -> DrawNumber {
    loop {
        let (id, news) = until(reports, |report| match report {
            PortReport::Event { id, event } => Some((*id, *event)),
            _ => None,
        })
        .await;
        control.durable(id);
        if let SealedShoeEvent::CardDrawn { draw, .. } = news {
            return draw;
        }
    }
}

#[tokio::test]
async fn a_card_is_opened_once_and_only_by_the_word_for_its_own_draw() {
    let socket = Socket::new();
    let shoe = twin(&socket);
    let (control, mut reports) = start(&socket);
    until_up(&mut reports).await;
    shoe.order(drawn(1, 1, 3)).await;
    shoe.order(drawn(2, 13, 2)).await;
    let first = next_draw(&control, &mut reports).await;
    let second = next_draw(&control, &mut reports).await;
    assert_eq!((first, second), (DrawNumber(1), DrawNumber(2)));

    assert_eq!(control.open(first, FaceUp::said_by_controller(second)), Err(NotOpenable::WrongWord(first)));
    assert_eq!(control.open(first, FaceUp::said_by_controller(first)), Ok(Card::new(1, 3).unwrap()));
    assert_eq!(control.open(first, FaceUp::said_by_controller(first)), Err(NotOpenable::NotHere(first)));
    control.discard(second);
    assert_eq!(control.open(second, FaceUp::said_by_controller(second)), Err(NotOpenable::NotHere(second)));
    assert!(format!("{control:?}").contains("SealedSlot(0 draws)"), "{control:?}");
}

/// What a watcher saw of the shoe's line until both draws had gone by.
async fn watched_draws(watching: Watching) -> Vec<MaskedRun> {
    let socket = Socket::new();
    let shoe = twin(&socket);
    let options = PortOptions::default();
    options.watching.set(watching);
    let (control, mut reports) = start_watched(&socket, options);
    let mut tap = control.port().tap().unwrap();
    until_up(&mut reports).await;
    shoe.order(drawn(1, 1, 3)).await;
    shoe.order(drawn(2, 13, 2)).await;
    next_draw(&control, &mut reports).await;
    next_draw(&control, &mut reports).await;

    // The line is shown after its event is handed over.
    let mut seen = Vec::new();
    let gone_by = async {
        let mut draws = 0;
        while draws < 2 {
            let line = tap.recv().await.unwrap();
            let TapRun::Framed(run) = line.run else { panic!("the shoe's own dialect is framed") };
            draws += usize::from(line.direction == Direction::FromDevice && is_draw(&run));
            seen.push(run);
        }
    };
    assert!(tokio::time::timeout(PATIENCE, gone_by).await.is_ok(), "both draws go by: {seen:?}");
    seen
}

/// A whole frame with a draw, without its delimiters. Of what this shoe says, draws alone have this length.
const DRAW_LENGTH: usize = 17;

fn is_draw(run: &MaskedRun) -> bool {
    match run {
        MaskedRun::Sealed { message_type, payload_length, .. } => (*message_type, *payload_length) == (0x20, 5),
        MaskedRun::Length { length } => *length == DRAW_LENGTH,
        MaskedRun::Open { bytes } => {
            assert_ne!(bytes.len(), DRAW_LENGTH, "nothing else is as long: {run}");
            false
        }
        MaskedRun::Protected { .. } | MaskedRun::Hidden { .. } => false,
    }
}

#[tokio::test]
async fn no_watcher_sees_a_card_in_any_mode() {
    for watching in [Watching::InRound, Watching::BetweenRounds] {
        let seen = watched_draws(watching).await;
        assert!(seen.iter().all(|run| matches!(run, MaskedRun::Length { .. })), "{watching:?}: {seen:?}");
    }

    let seen = watched_draws(Watching::InService).await;
    let mut decoder = FrameDecoder::default();
    let mut shown = 0;
    for run in &seen {
        if let MaskedRun::Open { bytes } = run {
            let frames = bytes.iter().chain([&0]).filter_map(|byte| decoder.handle_byte(*byte));
            for frame in frames {
                assert!(is_harmless(&frame.unwrap()), "{run}");
                shown += 1;
            }
        }
    }
    assert!(shown > 0, "what is no card is shown in service mode: {seen:?}");
}

#[tokio::test]
async fn a_draw_number_that_comes_twice_opens_nothing() {
    let socket = Socket::new();
    let shoe = twin(&socket);
    let (control, mut reports) = start(&socket);
    shoe.order(drawn(7, 5, 0)).await;
    shoe.order(drawn(7, 6, 0)).await;
    let seventh = next_draw(&control, &mut reports).await;
    let repeated = until(&mut reports, |report| match report {
        PortReport::Occurred(Occurrence::DrawNumberRepeated { draw }) => Some(*draw),
        _ => None,
    })
    .await;
    assert_eq!(repeated, seventh);
    assert_eq!(control.open(seventh, FaceUp::said_by_controller(seventh)), Err(NotOpenable::CameTwice(seventh)));
    control.discard_all();
    assert_eq!(control.open(seventh, FaceUp::said_by_controller(seventh)), Err(NotOpenable::NotHere(seventh)));
}

#[tokio::test]
async fn the_real_dialect_goes_through_the_same_slot() {
    let socket = Socket::new();
    let mut pty = Pty::open();
    socket.plug_in(&pty);
    let clock = MonotonicClock::new();
    let options = AngelOptions {
        outbound_bcc: OutboundBcc::WithStx,
        acknowledge_when: AcknowledgeWhen::Durable,
        boot: BootId::new(9).unwrap(),
    };
    let session = AngelSession::new(options, clock.now());
    let (control, mut reports, _) =
        spawn_shoe(session, socket.connector(), clock, PortOptions::default(), CancellationToken::new());
    until_up(&mut reports).await;

    // A spade ace for the first place.
    pty.master.write_all(&encode_shoe_frame(0x30, &[b'D', 0x91, 0xB1])).await.unwrap();
    let draw = next_draw(&control, &mut reports).await;
    assert_eq!(control.open(draw, FaceUp::said_by_controller(draw)), Ok(Card::new(1, 3).unwrap()));
    let mut answer = [0; 1];
    pty.master.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, [0x06], "acknowledged once it is durable");

    let ticket = control.command(ShoeCommand::Lock).unwrap();
    let mut lock = [0; 10];
    pty.master.read_exact(&mut lock).await.unwrap();
    assert_eq!(&lock, b"\x02OPLK02\x031B");
    pty.master.write_all(&[0x06]).await.unwrap();
    let accepted = until(&mut reports, |report| match report {
        PortReport::CommandAccepted { ticket } => Some(*ticket),
        _ => None,
    })
    .await;
    assert_eq!(accepted, ticket);
}
