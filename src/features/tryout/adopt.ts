import { waitFor } from "xstate";
import { selectLeftovers } from "#machines/dictation/selectors.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { isSameUser } from "#src/browser/try-claim.ts";
import { openRecorder } from "#src/features/dictation/actor.ts";
import { currentUserId, openSession } from "#src/features/session/actor.ts";
import { openTryOut } from "./actor.ts";

/** How long the recorder may take to find it; after that the person finishes it there by hand (ms). */
const findingMs = 10_000;
/** Where it is finished, before its transcript opens. */
const place = "/speech-to-text";

/**
 * What was said before this account was created becomes its own.
 * @returns where that is seen; null: nothing is to be kept unasked
 */
export async function adoptSavedTry(): Promise<typeof place | null> {
  const user = selectUser(openSession().getSnapshot());
  return user !== null && isSameUser(user.email) && (await adopt()) ? place : null;
}

/** For whoever was asked. */
export async function adoptOffered(): Promise<void> {
  if (await adopt()) await pageRouter().navigate({ to: place });
}

/**
 * What was said without an account becomes a recording of the signed-in person, is finished like any that was
 * interrupted, and opened.
 * @returns false where there is nothing, or the browser could not store it
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
  // It may have looked for unfinished ones before.
  recorder.send({ type: "reset.requested" });
  const found = waitFor(recorder, (snapshot) => selectLeftovers(snapshot).some((left) => left.id === id), { timeout: findingMs });
  await found.then(
    () => recorder.send({ type: "leftover.resumeRequested", id }),
    () => {},
  );
}
