import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import type { VocabularyAnswer } from "#contract/index.ts";
import type { VocabularyEvent } from "#machines/vocabulary/events.ts";
import { selectIsOpen, selectIsSaved, selectIsSaving, vocabularyMachine } from "#machines/vocabulary/machine.ts";
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
    load: fromPromise<VocabularyAnswer>(({ signal }) => api.get(signal)),
    save: fromPromise<VocabularyAnswer, VocabularyAnswer>(({ input, signal }) => api.put(input, signal)),
    readLines: fromPromise<string, { file: Blob & { name: string } }>(({ input }) => readLines(input.file)),
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

/** How long a save may take after the page was left (ms). */
const leaveTimeoutMs = 10_000;

/** What was typed last is saved before it stops. */
function end(actor: Vocabulary): void {
  actor.send({ type: "save.requested" });
  waitFor(actor, (snapshot) => !selectIsSaving(snapshot), { timeout: leaveTimeoutMs })
    .catch(() => undefined)
    .finally(() => actor.stop());
}

const opened = perOwner<Vocabulary>({ end });

/** The signed-in person's vocabulary, loaded: the same until the page is left. */
export const enterVocabulary = (): Vocabulary => opened.open(create);

/** The page is left. */
export const leaveVocabulary = opened.close;
