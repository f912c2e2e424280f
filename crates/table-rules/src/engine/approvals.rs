//! What waits for somebody's approval: the walk before a progressive win, corrections, irregularities, inspections, a waived
//! burn; and who approves it.

use super::Engine;
use super::state::{BurnDue, Burns, Pending, Phase, Rest, Walk};
use crate::event::{Event, Sink};
use crate::game::Game;
use crate::input::{InputKind, Inspection};
use crate::line::{Approval, Line};
use crate::refusal::{Reason, Refusal};
use crate::source::Point;

/// What a floorperson's `approve` is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Approves {
    Line,
    /// What an irregularity's clause names the floorperson for.
    Irregularity,
    /// The dealer's look at the decks, or the number of torn tens (4.A, H22).
    Inspection(Rest),
    /// A new dealer's burn is waived (blackjack 7.B(4)).
    NoBurn,
}

impl Engine {
    pub(super) fn open_line_needs_approval(&self) -> bool {
        self.now.lines[self.now.confirmed..].iter().any(|line| line.approval.is_asked())
    }

    /// What a floorperson's word would be about.
    pub(super) fn check_floor_approve(&self) -> Result<Approves, Refusal> {
        if self.floor_is_asked() {
            Ok(Approves::Line)
        } else if let Some(point) = self.look_due() {
            self.refuse(Reason::LookFirst, point)
        } else if self.floor_answer_is_blocked() {
            self.refuse(Reason::JackpotPaid, Point::JackpotPaid)
        } else if self.floor_is_to_answer() {
            Ok(Approves::Irregularity)
        } else if let Phase::Resting(rest @ (Rest::FloorVerifies | Rest::TensConfirmed)) = self.now.phase {
            Ok(Approves::Inspection(rest))
        } else if self.burn_may_be_waived() {
            Ok(Approves::NoBurn)
        } else {
            self.refuse(Reason::NothingToApprove, self.due())
        }
    }

    pub(super) fn on_floor_approve(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        let point = match (self.check_floor_approve()?, self.now.current_line().copied()) {
            (Approves::Line, Some(line)) => {
                self.now.walk = match line.approval {
                    Approval::ProgressiveBySecond => Walk::FloorApproved,
                    Approval::NotNeeded | Approval::Answered | Approval::Floor | Approval::Progressive => {
                        Walk::Complete
                    }
                };
                self.approval_point(&line)
            }
            (Approves::Irregularity, _) => {
                self.floor_answers(out);
                return Ok(());
            }
            (Approves::Inspection(rest), _) => {
                self.inspected(Inspection::Floor, rest, out);
                return Ok(());
            }
            (Approves::NoBurn, _) | (Approves::Line, None) => {
                self.now.set_burns(Burns { new_dealer: false, ..self.now.between.burns });
                Point::BurnForNewDealer
            }
        };
        out.push(Event::Approved { by: InputKind::FloorApprove, source: self.cite(point) });
        Ok(())
    }

    #[inline]
    pub(super) fn approval_waits(&self) -> bool {
        self.now.pending.has(Pending::APPROVALS)
            && self.now.walk != Walk::Complete
            && self.now.current_line().is_some_and(|line| line.approval.is_asked())
    }

    pub(super) fn floor_is_asked(&self) -> bool {
        self.approval_waits() && self.now.walk < Walk::FloorApproved && self.look_due().is_none()
    }

    pub(super) fn second_person_is_asked(&self) -> bool {
        self.approval_waits() && self.now.walk == Walk::FloorApproved
    }

    /// A jackpot was paid before the reader failed: a manager may let the round be voided all the same (X3).
    pub(super) fn manager_may_allow_void(&self) -> bool {
        let in_play = !matches!(self.now.phase, Phase::Wagering | Phase::Resting(_) | Phase::Settlement);
        in_play && self.jackpots_paid() > 0 && !self.now.manager_approved
    }

    pub(super) fn check_manager_approve(&self) -> Result<(), Refusal> {
        if self.second_person_is_asked() || self.manager_may_allow_void() {
            return Ok(());
        }
        self.refuse(Reason::NothingToApprove, self.due())
    }

    pub(super) fn on_manager_approve(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_manager_approve()?;
        let point = if self.second_person_is_asked() {
            self.now.walk = Walk::Complete;
            Point::FloorValidates
        } else {
            self.now.manager_approved = true;
            Point::JackpotPaid
        };
        out.push(Event::Approved { by: InputKind::ManagerApprove, source: self.cite(point) });
        Ok(())
    }

    pub(super) fn approval_point(&self, line: &Line) -> Point {
        match line.approval {
            Approval::Progressive | Approval::ProgressiveBySecond => Point::FloorValidates,
            Approval::NotNeeded | Approval::Answered | Approval::Floor => {
                let is_one_of = |points: &[Point]| points.iter().any(|&point| self.cite(point) == line.source);
                if is_one_of(&[Point::SecondFaceUp, Point::SecondTen, Point::VoidReturnsWagers]) {
                    Point::VoidGivesBack
                } else if is_one_of(&[Point::NoCardsDead, Point::SecondCardRefused, Point::MissedCardDead]) {
                    Point::OnOnePersonsWord
                } else {
                    Point::FloorAction
                }
            }
        }
    }

    /// What the dealer has to look at before a floorperson validates a progressive win: the hand, then the lamp
    /// (players-edge-21 7.O(1)(a), (b)).
    pub(super) fn look_due(&self) -> Option<Point> {
        match self.now.current_line()?.approval {
            Approval::Progressive | Approval::ProgressiveBySecond => {}
            Approval::NotNeeded | Approval::Answered | Approval::Floor => return None,
        }
        match self.now.walk {
            Walk::Start => Some(Point::VerifyHand),
            Walk::HandVerified => Some(Point::VerifyLamp),
            Walk::LampVerified | Walk::FloorApproved | Walk::Complete => None,
        }
    }

    /// `next` says that the dealer has looked.
    #[inline]
    pub(super) fn walks_on(&self, kind: InputKind) -> bool {
        kind == InputKind::Next && self.look_due().is_some()
    }

    pub(super) fn walk_on(&mut self, out: &mut impl Sink) {
        let lamp = self.now.walk == Walk::HandVerified;
        self.now.walk = if lamp { Walk::LampVerified } else { Walk::HandVerified };
        let point = if lamp { Point::VerifyLamp } else { Point::VerifyHand };
        out.push(Event::Verified { lamp, source: self.cite(point) });
    }

    /// blackjack 7.B(4): a floorperson may waive a new dealer's burn card.
    pub(super) fn burn_may_be_waived(&self) -> bool {
        self.table.game == Game::Blackjack
            && self.now.between.burns.next() == BurnDue::NewDealer
            && self.before_first_card()
    }
}
