/** The queue: ids that wait for a slot, and ids that have one, in order of arrival. */
export interface Turns {
  waiting: readonly string[];
  sending: readonly string[];
}

export const noTurns: Turns = { waiting: [], sending: [] };

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** Joins the end of the queue. */
export const withWaiting = ({ waiting, sending }: Turns, id: string): Turns => ({
  waiting: [...without(waiting, id), id],
  sending,
});

/** Leaves the queue, and gives its slot back. */
export const withoutTurn = ({ waiting, sending }: Turns, id: string): Turns => ({
  waiting: without(waiting, id),
  sending: without(sending, id),
});

/** @param atOnce the number of slots @returns the ids that get a slot now, and the new queue */
export function nextTurns({ waiting, sending }: Turns, atOnce: number): { given: readonly string[]; turns: Turns } {
  const given = waiting.slice(0, Math.max(0, atOnce - sending.length));
  return { given, turns: { waiting: waiting.slice(given.length), sending: [...sending, ...given] } };
}

export const hasTurns = ({ waiting, sending }: Turns): boolean => waiting.length + sending.length > 0;
