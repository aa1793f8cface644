import { waitFor } from "xstate";
import { selectLeftovers } from "#machines/dictation/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { openRecorder } from "#src/features/dictation/actor.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { openTryOut } from "./actor.ts";

/** How long the recorder may take to find it; after that the person finishes it there by hand (ms). */
const findingMs = 10_000;

/** What was said without an account becomes a recording of the signed-in person, and is finished like any that was interrupted. */
export function adoptTry(): void {
  const ownerId = currentUserId();
  if (ownerId === null) return;
  const { actor } = openTryOut();
  const listening = actor.on("try.adopted", ({ id }) => {
    listening.unsubscribe();
    void finish(id);
  });
  actor.send({ type: "adoption.requested", ownerId });
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
  await pageRouter().navigate({ to: "/speech-to-text" });
}
