import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { notesMachine } from "#machines/notes/machine.ts";
import { selectDraft } from "#machines/notes/selectors.ts";
import { createNotesApi } from "#src/api/notes.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perRecord } from "#src/features/session/per-owner.ts";
import { noteDraftOf } from "./drafts.ts";

const api = createNotesApi(ownCall);

export type Notes = ActorRefFrom<typeof notesMachine>;

function create(transcription: string): Notes {
  const machine = notesMachine.provide({
    actors: {
      load: fromPromise(async ({ signal }) => ({ items: await api.list(transcription, signal) })),
      save: fromPromise(({ input: { id, ...change }, signal }) => api.put(transcription, id, change, signal)),
      remove: fromPromise(({ input, signal }) => api.remove(transcription, input.id, signal)),
      wakeUps: createWakeUps(),
    },
  });
  const drafts = noteDraftOf(currentUserId() ?? "", transcription);
  const actor = createActor(machine, { ...inspected(), input: { draft: drafts.read() } });
  let persisted = selectDraft(actor.getSnapshot());
  actor.subscribe((snapshot) => {
    const draft = selectDraft(snapshot);
    if (draft !== persisted) drafts.keep(draft);
    persisted = draft;
  });
  actor.on("note.saved", () => toast({ kind: "success", key: "toast.saved" }));
  return actor.start();
}

/** The notes of the open page's transcript. */
export const openNotes = perRecord(create, (notes) => notes.stop());
