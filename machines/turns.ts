/** Who waits for a turn, and who has one; ids, in the order in which they came. */
export interface Turns {
  waiting: readonly string[];
  sending: readonly string[];
}

export const noTurns: Turns = { waiting: [], sending: [] };

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** It wants a turn, after all others that do. */
export const withWaiting = ({ waiting, sending }: Turns, id: string): Turns => ({
  waiting: [...without(waiting, id), id],
  sending,
});

/** It wants none any more, and has none. */
export const withoutTurn = ({ waiting, sending }: Turns, id: string): Turns => ({
  waiting: without(waiting, id),
  sending: without(sending, id),
});

/** @param atOnce how many may have a turn at a time @returns whose turn it is now, and what comes of that */
export function nextTurns({ waiting, sending }: Turns, atOnce: number): { given: readonly string[]; turns: Turns } {
  const given = waiting.slice(0, Math.max(0, atOnce - sending.length));
  return { given, turns: { waiting: waiting.slice(given.length), sending: [...sending, ...given] } };
}

export const hasTurns = ({ waiting, sending }: Turns): boolean => waiting.length + sending.length > 0;
