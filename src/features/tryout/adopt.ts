import { waitFor } from "xstate";
import { selectLeftovers } from "#machines/dictation/selectors.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { isSameUser } from "#src/browser/try-claim.ts";
import { openRecorder } from "#src/features/dictation/actor.ts";
import { currentUserId, openSession } from "#src/features/session/actor.ts";
import { openTryOut } from "./actor.ts";

/**
 * How long the recorder may take to find the recording (ms). After that, the user finishes it on the recorder's page.
 */
const findingMs = 10_000;
/** The page that finishes the recording before its transcript opens. */
const place = "/speech-to-text";

/**
 * Moves the recording into the account if it was made just before this account was created.
 * @returns the page that shows it; null: there is nothing to move without asking
 */
export async function adoptSavedTry(): Promise<typeof place | null> {
  const user = selectUser(openSession().getSnapshot());
  return user !== null && isSameUser(user.email) && (await adopt()) ? place : null;
}

/** Moves the recording into the account after the user has agreed. */
export async function adoptOffered(): Promise<void> {
  if (await adopt()) await pageRouter().navigate({ to: place });
}

/**
 * Turns a recording without an account into one of the signed-in user. The recorder finishes it like any interrupted
 * recording, and opens its transcript.
 * @returns false when there is none, or the browser could not store it
 */
async function adopt(): Promise<boolean> {
  const ownerId = currentUserId();
  if (ownerId === null) return false;
  const { actor } = openTryOut();
  const event = { type: "adoption.requested", ownerId } as const;
  const ready = await waitFor(actor, (snapshot) => snapshot.hasTag("idle") || snapshot.can(event));
  if (!ready.can(event)) return false;
  let adopted: string | undefined;
  const listening = actor.on("try.adopted", ({ id }) => {
    adopted = id;
  });
  actor.send(event);
  await waitFor(actor, (snapshot) => !snapshot.hasTag("busy"));
  listening.unsubscribe();
  if (adopted !== undefined) await finish(adopted);
  return adopted !== undefined;
}

async function finish(id: string): Promise<void> {
  const recorder = openRecorder().actor;
  // The recorder may have looked for unfinished recordings before.
  recorder.send({ type: "reset.requested" });
  const found = waitFor(recorder, (snapshot) => selectLeftovers(snapshot).some((left) => left.id === id), { timeout: findingMs });
  await found.then(
    () => recorder.send({ type: "leftover.resumeRequested", id }),
    () => {},
  );
}
