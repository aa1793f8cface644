import { type AnyActorRef, type SnapshotFrom, waitFor } from "xstate";

/** How long what is to be seen may keep a page from being opened (ms). */
const longestWaitMs = 2_000;

/** Resolves when it is so, or it takes too long: the page then opens without it. Never rejects. */
export const waitBriefly = async <Waited extends AnyActorRef>(
  actor: Waited,
  isThere: (snapshot: SnapshotFrom<Waited>) => boolean,
): Promise<void> => void (await waitFor(actor, isThere, { timeout: longestWaitMs }).catch(() => undefined));
