import { type ActorRefFrom, createActor, fromPromise, type SnapshotFrom, waitFor } from "xstate";
import type { VocabularyEvent } from "#machines/vocabulary/events.ts";
import {
  selectIsLoading,
  selectIsOpen,
  selectIsSaved,
  selectIsSaving,
  selectProblem,
  selectSaveError,
  selectText,
  vocabularyMachine,
} from "#machines/vocabulary/machine.ts";
import { withLines } from "#machines/vocabulary/rules.ts";
import { createVocabularyApi } from "#src/api/vocabulary.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps, holdPage } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { readLines } from "./file.ts";

const api = createVocabularyApi(call);

const machine = vocabularyMachine.provide({
  actors: {
    load: fromPromise(({ signal }) => api.get(signal)),
    save: fromPromise(({ input, signal }) => api.put(input, signal)),
    readLines: fromPromise(({ input }) => readLines(input.file)),
    wakeUps: createWakeUps<VocabularyEvent>(),
  },
});
export type Vocabulary = ActorRefFrom<typeof machine>;

function create(): Vocabulary {
  const actor = createActor(machine, inspected());
  actor.on("vocabulary.merged", () => toast({ kind: "plain", key: "vocabulary:merged" }));
  actor.on("lines.imported", ({ count }) =>
    toast({ kind: "success", key: "vocabulary:imported", values: { number: String(count) } }),
  );
  actor.on("import.failed", ({ code }) => toast({ kind: "error", key: `vocabulary:importFailed.${code}` }));
  let release: (() => void) | undefined;
  const hold = (held: boolean) => {
    if (held) release ??= holdPage();
    else {
      release?.();
      release = undefined;
    }
  };
  actor.subscribe({
    next: (snapshot) => hold(selectIsOpen(snapshot) && !selectIsSaved(snapshot)),
    complete: () => hold(false),
  });
  return actor.start();
}

/** How long a save may take after the user has left the page (ms). */
const leaveTimeoutMs = 10_000;

/** Saves the last input, then stops the actor. */
function end(actor: Vocabulary): void {
  actor.send({ type: "save.requested" });
  waitFor(actor, (snapshot) => !selectIsSaving(snapshot), { timeout: leaveTimeoutMs })
    .catch(() => undefined)
    .finally(() => actor.stop());
}

const opened = perOwner<Vocabulary>({ end });

/** Opens the signed-in user's vocabulary and loads it. Returns the same actor until the user leaves the page. */
export const enterVocabulary = (): Vocabulary => opened.open(create);

/** Called when the user leaves the page. */
export const leaveVocabulary = opened.close;

/** Adds a line to the signed-in user's vocabulary and saves it. @returns whether it was saved */
export async function expectWord(line: string): Promise<boolean> {
  const vocabulary = enterVocabulary();
  const settled = (until: (snapshot: ReturnType<typeof vocabulary.getSnapshot>) => boolean) =>
    waitFor(vocabulary, until, { timeout: leaveTimeoutMs });
  try {
    const loaded = await settled((snapshot) => !selectIsLoading(snapshot));
    vocabulary.send({ type: "text.changed", text: withLines(selectText(loaded), line).text });
    vocabulary.send({ type: "save.requested" });
    const now = await settled((one) => !selectIsOpen(one) || selectIsSaved(one) || hasFailed(one));
    return selectIsSaved(now);
  } catch {
    return false;
  } finally {
    leaveVocabulary();
  }
}

const hasFailed = (snapshot: SnapshotFrom<typeof machine>) =>
  selectSaveError(snapshot) !== null || selectProblem(snapshot) !== null;
