//! Sensors and lamps as the board's own wiring file has them, for as many seats as the table has wired.

/// What `docs/technician/wiring.md` draws, by board.
const WIRINGS: &[(&str, &str)] = &[
    ("raspberry-pi-4", include_str!("../../../../../firmware-config/wiring/raspberry-pi-4.toml")),
    ("raspberry-pi-5", include_str!("../../../../../firmware-config/wiring/raspberry-pi-5.toml")),
    ("cm4", include_str!("../../../../../firmware-config/wiring/cm4.toml")),
];

/// The seats with a sensor in the wiring of this board; none where no wiring is shipped for it.
pub(super) fn seats_most(board: &str) -> u8 {
    parts(board).filter_map(seat_of).max().unwrap_or(0)
}

/// The blocks of the table's file for the seats up to this one.
pub(super) fn blocks(board: &str, seats: u8) -> Result<String, String> {
    let most = seats_most(board);
    if seats > most {
        return Err(format!(
            "sensors: {seats} seats, but the wiring of {board} has {most}; write 0 and add the others to the table's file"
        ));
    }
    // What belongs to no seat, the expanders, is there for all of them.
    let wanted = |part: &&str| seats > 0 && seat_of(part).is_none_or(|seat| seat <= seats);
    Ok(parts(board).filter(wanted).map(|part| format!("{part}\n\n")).collect())
}

/// Expanders, sensors and lamps of the board's wiring, a block each.
fn parts(board: &str) -> impl Iterator<Item = &'static str> {
    let text = WIRINGS.iter().find(|(name, _)| *name == board).map_or("", |(_, text)| text);
    // A block ends with an empty line; what stands above its name is for people.
    text.split("\n\n").filter_map(|block| {
        let names = ["[devices.expanders]", "[[devices.sensor]]", "[[devices.lamp]]"];
        let begins = names.iter().find_map(|name| block.find(name))?;
        Some(block[begins..].trim_end())
    })
}

fn seat_of(part: &str) -> Option<u8> {
    part.lines().find_map(|line| line.strip_prefix("seat = ")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_a_sensor_and_a_lamp_for_each_seat_and_only_the_seats_that_are_wanted() {
        for (board, _) in WIRINGS {
            assert_eq!(seats_most(board), 7, "{board}");
            for seats in 0..=7_u8 {
                let text = blocks(board, seats).unwrap();
                let count = |name: &str| text.matches(name).count();
                let expanders = usize::from(seats > 0);
                let found = ["[[devices.sensor]]", "[[devices.lamp]]", "[devices.expanders]"].map(count);
                assert_eq!(found, [usize::from(seats), usize::from(seats), expanders], "{board}, {seats} seats");
            }
            assert!(blocks(board, 8).is_err());
        }
        assert_eq!(seats_most("simulated"), 0);
    }
}
