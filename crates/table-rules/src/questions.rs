//! Many questions about one moment: the patterns of what is offered are worked out once.

use crate::engine::Engine;
use crate::input::Input;
use crate::prompt::Offers;

/// A moment of an engine at which somebody asks what would be accepted.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'a> {
    engine: &'a Engine,
    offers: Offers,
}

impl<'a> Questions<'a> {
    pub fn to(engine: &'a Engine) -> Self {
        Self { engine, offers: engine.offers() }
    }

    pub fn engine(&self) -> &'a Engine {
        self.engine
    }

    /// The patterns that would be accepted.
    pub fn offers(&self) -> &Offers {
        &self.offers
    }

    /// Whether exactly this input would be accepted, as [`Engine::offers_input`] says it.
    pub fn takes(&self, input: &Input) -> bool {
        self.engine.offers_input(input)
    }
}
