// Insurance that was taken at this screen, in its order, so that a second tap on a seat takes it back. The rules take steps
// back from the last one on: the seats that insured after it are told again in the same request, all or nothing.

const seatOf = (words) => Number(/^(?:insure|even-money) (\d+)/.exec(words)?.[1]);

// Something was taken by the table and left it at `sequence`. `number`: the prompt that it answered.
export function noteInsured(before, action, number, sequence) {
  const words = action.do === "words" ? action.words : action.do === "play" ? [action.words] : [];
  const told = words.filter((said) => seatOf(said));
  const undone = words.filter((said) => said === "undo").length;
  if (words.length === 0 || told.length + undone !== words.length) return null;
  // A list that was not for this very order says nothing about it any more.
  const list = before && before.number === number ? before.list : [];
  return { number: null, sequence, list: [...list.slice(0, list.length - undone), ...told] };
}

// The list holds for the order of the very screen that the last of it has left; any other change makes it void.
export function insuredNow(before, screen) {
  if (!before || !screen || screen.stage !== "insurance") return null;
  if (before.number !== null) return before.number === screen.prompt_number ? before : null;
  if (screen.sequence < before.sequence) return before;
  return screen.sequence === before.sequence ? { ...before, number: screen.prompt_number } : null;
}

// The words that take a seat's insurance back; nothing where somebody else has told it.
export function takeBack(insured, screen, seat) {
  const at = insured?.list.findIndex((words) => seatOf(words) === seat) ?? -1;
  if (at < 0 || insured.number !== screen.prompt_number) return null;
  const later = insured.list.slice(at + 1);
  return [...Array.from({ length: later.length + 1 }, () => "undo"), ...later];
}
