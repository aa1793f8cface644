import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { notesMachine } from "#machines/notes/machine.ts";
import { selectDraft } from "#machines/notes/selectors.ts";
import { createNotesApi } from "#src/api/notes.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { noteDraftOf } from "./drafts.ts";

const api = createNotesApi(ownCall);

export type Notes = ActorRefFrom<typeof notesMachine>;

interface OpenNotes {
  /** Of the transcription. */
  id: string;
  actor: Notes;
}

const opened = perOwner<OpenNotes>({ end: ({ actor }) => actor.stop() });

function create(transcription: string, ownerId: string): OpenNotes {
  const machine = notesMachine.provide({
    actors: {
      load: fromPromise(async ({ signal }) => ({ items: await api.list(transcription, signal) })),
      save: fromPromise(({ input: { id, ...change }, signal }) => api.put(transcription, id, change, signal)),
      remove: fromPromise(({ input, signal }) => api.remove(transcription, input.id, signal)),
      wakeUps: createWakeUps(),
    },
  });
  const drafts = noteDraftOf(ownerId, transcription);
  const actor = createActor(machine, { ...inspected(), input: { draft: drafts.read() } });
  let persisted = selectDraft(actor.getSnapshot());
  actor.subscribe((snapshot) => {
    const draft = selectDraft(snapshot);
    if (draft !== persisted) drafts.keep(draft);
    persisted = draft;
  });
  actor.on("note.saved", () => toast({ kind: "success", key: "toast.saved" }));
  return { id: transcription, actor: actor.start() };
}

/**
 * The notes of the transcript whose page is open.
 * @param onLeave is given what is to be called when the page is left
 */
export function openNotes(id: string, onLeave: (left: () => void) => void): Notes {
  const known = opened.mine();
  if (known?.id === id) return known.actor;
  onLeave(opened.close);
  return opened.replace((ownerId) => create(id, ownerId ?? "")).actor;
}
