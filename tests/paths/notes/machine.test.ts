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
import type { Stage } from "#tests/paths/harness-stage.ts";
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

function prepare(stage: Stage) {
  const load = stage.asking<Listed<Note>>();
  const save = stage.asking<Note, WrittenNote>();
  const remove = stage.asking<void, { id: string }>();
  const wakeUps = stage.callback<LoadingEvent, EventObject>();
  const machine = notesMachine.provide({
    actors: { load: load.logic, save: save.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const draft = start === "with a draft" ? begun : null;
    const actor = createActor(machine, { clock, inspect, input: { draft } });
    return { actor, load, save, remove, wakeUps, server: { now: [one] as readonly Note[] } };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const saving = ({ save }: Rig) => save;
const removing = ({ remove }: Rig) => remove;

/** One new note is enough: with every further one the list would only grow. */
const once = (event: NotesEvent): Move<Rig> => ({
  ...sent<NotesEvent>(event),
  may: (rig) => snapshot(rig).can(event) && !selectItems(snapshot(rig)).some(({ id }) => id === "new"),
});

walkTests<Rig>({
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
    ...loadingMoves<Rig, Listed<Note>>(({ server }) => ({ items: server.now })),
    answered("it is saved", saving, ({ server }, input) => {
      const note = input === undefined ? one : { ...stored(input), revision: 1 };
      server.now = [...server.now.filter(({ id }) => id !== note.id), note];
      return note;
    }),
    refused("it can't be saved", saving, failure("network")),
    {
      ...refused("it was changed elsewhere meanwhile", saving, failure("conflict")),
      may: ({ save }: Rig) => save.open()[0]?.input?.id === "one",
      happen: ({ save, server }: Rig) => {
        server.now = [theirs];
        save.refuse(failure("conflict"));
      },
    },
    answered("it is deleted", removing, ({ server }, input) => {
      server.now = server.now.filter(({ id }) => id !== input?.id);
    }),
    refused("it can't be deleted", removing, failure("network")),
  ],
  situation: (rig) => [
    selectItems(snapshot(rig)).map(({ id, revision }) => [id, revision]),
    rig.server.now.map(({ id, revision }) => [id, revision]),
    selectDraft(snapshot(rig))?.text,
    selectDraft(snapshot(rig))?.revision,
    snapshot(rig).context.selected !== null,
    snapshot(rig).context.removed?.id,
    selectFailure(snapshot(rig)),
  ],
  entered: (rig) => [selectDraft(snapshot(rig))?.text, snapshot(rig).context.selected],
  rules: {
    "one call at a time": ({ load, save, remove }) => load.open().length + save.open().length + remove.open().length <= 1,
    "what is written is there while its form is": (rig) => !selectIsWriting(snapshot(rig)) || selectDraft(snapshot(rig)) !== null,
    "it says that it saves while the server is asked to": (rig) =>
      rig.save.open().length + rig.remove.open().length === 0 || selectIsSaving(snapshot(rig)),
    "what is deleted can be there again, and is not listed": (rig) => {
      const removed = selectRemoved(snapshot(rig));
      return removed === null || !selectItems(snapshot(rig)).some(({ id }) => id === removed.id);
    },
    "nothing new is offered while something is written": (rig) =>
      !selectIsWriting(snapshot(rig)) || selectSelected(snapshot(rig)) === null,
    "a server without the call is left alone": (rig) =>
      !selectIsUnavailable(snapshot(rig)) || rig.load.open().length + rig.save.open().length === 0,
  },
});
