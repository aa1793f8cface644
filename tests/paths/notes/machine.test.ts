import { createActor, type EventObject } from "xstate";
import type { Note } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectFailure, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectIsWriting, selectItems } from "#machines/collection/selectors.ts";
import type { NotesEvent } from "#machines/notes/events.ts";
import { notesMachine } from "#machines/notes/machine.ts";
import type { WrittenNote } from "#machines/notes/rules.ts";
import { selectDraft, selectIsSaving, selectRemoved, selectSelected } from "#machines/notes/selectors.ts";
import { loadingMoves } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Move } from "#tests/paths/harness-run.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const stored = ({ revision, ...written }: WrittenNote): Note => ({
  ...written,
  revision: revision + 1,
  createdAt: at,
  changedAt: at,
});
const passage = { start: 3, end: 5 };
const one = stored({ id: "one", revision: 0, start: 1, end: 2, colour: "green", text: "" });
const theirs: Note = { ...one, text: "theirs", revision: 7 };
const begun: WrittenNote = { id: "new", revision: 0, ...passage, colour: null, text: "half a" };

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<Note>>();
  const save = stubs.asking<Note, WrittenNote>();
  const remove = stubs.asking<void, { id: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = notesMachine.provide({
    actors: { load: load.logic, save: save.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const draft = start === "with a draft" ? begun : null;
    const actor = createActor(machine, { clock, inspect, input: { draft } });
    return { actor, load, save, remove, wakeUps, server: { now: [one] as readonly Note[] } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const saving = ({ save }: Harness) => save;
const removing = ({ remove }: Harness) => remove;

/** One new note is enough: further ones would only lengthen the list. */
const once = (event: NotesEvent): Move<Harness> => ({
  ...sent<NotesEvent>(event),
  may: (harness) => snapshot(harness).can(event) && !selectItems(snapshot(harness)).some(({ id }) => id === "new"),
});

walkTests<Harness>({
  machine: notesMachine,
  prepare,
  starts: ["", "with a draft"],
  moves: [
    sent({ type: "passage.selected", passage }, "a passage is selected"),
    sent({ type: "passage.selected", passage: null }, "nothing is selected"),
    once({ type: "highlight.requested", id: "new", colour: "blue" }),
    once({ type: "writing.requested", id: "new", passage }),
    sent({ type: "editing.requested", id: "one" }),
    sent({ type: "draft.changed", change: { text: "words" } }, "something is typed"),
    sent({ type: "save.requested" }),
    sent({ type: "draft.dismissed" }),
    sent({ type: "removal.requested", id: "one" }),
    sent({ type: "undo.requested" }),
    ...loadingMoves<Harness, Listed<Note>>(({ server }) => ({ items: server.now })),
    answered("it is saved", saving, ({ server }, input) => {
      const note = input === undefined ? one : { ...stored(input), revision: 1 };
      server.now = [...server.now.filter(({ id }) => id !== note.id), note];
      return note;
    }),
    refused("it can't be saved", saving, failure("network")),
    {
      ...refused("it was changed elsewhere meanwhile", saving, failure("conflict")),
      may: ({ save }: Harness) => save.open()[0]?.input?.id === "one",
      happen: ({ save, server }: Harness) => {
        server.now = [theirs];
        save.refuse(failure("conflict"));
      },
    },
    answered("it is deleted", removing, ({ server }, input) => {
      server.now = server.now.filter(({ id }) => id !== input?.id);
    }),
    refused("it can't be deleted", removing, failure("network")),
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id, revision }) => [id, revision]),
    harness.server.now.map(({ id, revision }) => [id, revision]),
    selectDraft(snapshot(harness))?.text,
    selectDraft(snapshot(harness))?.revision,
    snapshot(harness).context.selected !== null,
    snapshot(harness).context.removed?.id,
    selectFailure(snapshot(harness)),
  ],
  entered: (harness) => [selectDraft(snapshot(harness))?.text, snapshot(harness).context.selected],
  rules: {
    "one call at a time": ({ load, save, remove }) => load.open().length + save.open().length + remove.open().length <= 1,
    "what is written is there while its form is": (harness) =>
      !selectIsWriting(snapshot(harness)) || selectDraft(snapshot(harness)) !== null,
    "it says that it saves while the server is asked to": (harness) =>
      harness.save.open().length + harness.remove.open().length === 0 || selectIsSaving(snapshot(harness)),
    "what is deleted can be there again, and is not listed": (harness) => {
      const removed = selectRemoved(snapshot(harness));
      return removed === null || !selectItems(snapshot(harness)).some(({ id }) => id === removed.id);
    },
    "nothing new is offered while something is written": (harness) =>
      !selectIsWriting(snapshot(harness)) || selectSelected(snapshot(harness)) === null,
    "a server without the call is left alone": (harness) =>
      !selectIsUnavailable(snapshot(harness)) || harness.load.open().length + harness.save.open().length === 0,
  },
});
