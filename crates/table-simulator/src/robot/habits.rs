//! How people play: what they do out of habit, and how often.

/// How these people play, in thousandths of the chances they get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// The card comes first and the word after it.
    pub late_word_per_mille: u16,
    /// A stand is told by tapping the next seat.
    pub seat_tap_per_mille: u16,
    /// A hit is tapped before its card.
    pub tap_hit_per_mille: u16,
    pub insure_per_mille: u16,
    /// A chip whose value nobody tells.
    pub unknown_amount_per_mille: u16,
    /// A chip that comes after the lock.
    pub late_chip_per_mille: u16,
    /// The first card is drawn without pressing lock-out.
    pub forget_lock_per_mille: u16,
    /// All lines are confirmed with one tap.
    pub settle_all_per_mille: u16,
    /// A clumsy insertion: half, askew, or pulled out too early.
    pub fumble_per_mille: u16,
    pub face_down_double_per_mille: u16,
    pub dealer_change_per_mille: u16,
}

impl Habits {
    /// People as they are.
    pub const USUAL: Self = Self {
        late_word_per_mille: 150,
        seat_tap_per_mille: 200,
        tap_hit_per_mille: 100,
        insure_per_mille: 200,
        unknown_amount_per_mille: 60,
        late_chip_per_mille: 30,
        forget_lock_per_mille: 50,
        settle_all_per_mille: 300,
        fumble_per_mille: 60,
        face_down_double_per_mille: 150,
        dealer_change_per_mille: 20,
    };
    /// People as the manual wants them.
    pub const PERFECT: Self = Self {
        late_word_per_mille: 0,
        seat_tap_per_mille: 0,
        tap_hit_per_mille: 0,
        insure_per_mille: 200,
        unknown_amount_per_mille: 0,
        late_chip_per_mille: 0,
        forget_lock_per_mille: 0,
        settle_all_per_mille: 0,
        fumble_per_mille: 0,
        face_down_double_per_mille: 0,
        dealer_change_per_mille: 0,
    };
}
