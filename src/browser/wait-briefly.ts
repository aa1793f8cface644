import { type AnyActorRef, type SnapshotFrom, waitFor } from "xstate";

/** The maximum time that missing data may delay the opening of a page (ms). */
const longestWaitMs = 2_000;

/** Resolves when the condition holds, or after the time limit; the page then opens without the data. Never rejects. */
export const waitBriefly = async <Waited extends AnyActorRef>(
  actor: Waited,
  isThere: (snapshot: SnapshotFrom<Waited>) => boolean,
): Promise<void> => void (await waitFor(actor, isThere, { timeout: longestWaitMs }).catch(() => undefined));
