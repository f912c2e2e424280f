// What the table offers, asked for by word and seat. The page makes no offer of its own.

export const offersOf = (screen, word) => screen.prompt.offers.filter((offer) => offer.word === word);
export const offer = (screen, word) => offersOf(screen, word)[0] ?? null;
export const plainOffer = (screen, word) => offersOf(screen, word).find((each) => !each.seats) ?? null;
export const offerAt = (screen, word, seat, wager) =>
  offersOf(screen, word).find((each) => each.seats?.includes(seat) && (wager === undefined || each.wager === wager)) ?? null;
export const offers = (screen, word) => offersOf(screen, word).length > 0;

export const hasDevice = (screen, part) => screen.devices.some((device) => device.part.startsWith(part) && device.present);
export const deviceUp = (screen, part) => screen.devices.some((device) => device.part.startsWith(part) && device.present && device.up);

// The offer that these words answer: the longest word that they begin with, and the value where it has some.
function offerOf(screen, words) {
  const fits = (each) => (words === each.word || words.startsWith(`${each.word} `)) && (!each.values || each.values.some((value) => words.includes(value)) || !/^(inspect|shuffle|irregularity|peek)$/.test(each.word));
  return screen.prompt.offers.filter(fits).sort((one, other) => other.word.length - one.word.length)[0] ?? null;
}

// Whether somebody has to give their PIN for these words: it is nobody's key at the dealer's screen.
export function needsSignature(screen, words) {
  const asked = offerOf(screen, words);
  return Boolean(asked?.roles) && (asked.signature || !asked.roles.includes("dealer"));
}

// An act as the page hands it on: words for the table, one line or several at once.
export const say = (words) => ({ send: { do: "play", words } });
export const sayAll = (words) => ({ send: { do: "words", words } });
