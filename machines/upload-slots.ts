/** The queue: ids that wait for a slot, and ids that have one, in order of arrival. */
export interface UploadSlots {
  waiting: readonly string[];
  sending: readonly string[];
}

export const noSlots: UploadSlots = { waiting: [], sending: [] };

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** Joins the end of the queue. */
export const withWaiting = ({ waiting, sending }: UploadSlots, id: string): UploadSlots => ({
  waiting: [...without(waiting, id), id],
  sending,
});

/** Leaves the queue, and gives its slot back. */
export const withoutSlot = ({ waiting, sending }: UploadSlots, id: string): UploadSlots => ({
  waiting: without(waiting, id),
  sending: without(sending, id),
});

/** @param atOnce the number of slots @returns the ids that get a slot now, and the new queue */
export function giveSlots({ waiting, sending }: UploadSlots, atOnce: number): { given: readonly string[]; slots: UploadSlots } {
  const given = waiting.slice(0, Math.max(0, atOnce - sending.length));
  return { given, slots: { waiting: waiting.slice(given.length), sending: [...sending, ...given] } };
}

export const hasSlots = ({ waiting, sending }: UploadSlots): boolean => waiting.length + sending.length > 0;
