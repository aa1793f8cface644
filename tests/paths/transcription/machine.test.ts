import { createActor, type EventObject } from "xstate";
import { regroupedSegments, type Transcription } from "#contract/index.ts";
import { type Changes, isEmpty } from "#machines/transcription/changes.ts";
import { type TranscriptionEvent, transcriptionMachine } from "#machines/transcription/machine.ts";
import type { EditEvent } from "#machines/transcription/rules.ts";
import { selectIsMissing, selectIsRefused, selectTranscription } from "#machines/transcription/selectors.ts";
import type { Spans } from "#machines/transcription/spans.ts";
import type { EventStreamEvent } from "#machines/transcriptions/event-stream.ts";
import { transcription } from "#tests/machines/harness.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** The server's result of changes. */
function applied(server: Transcription, changes: Changes): Transcription {
  const edited = server.segments.map((segment, index) => ({ ...segment, text: changes.edits[index] ?? segment.text }));
  const segments = regroupedSegments(edited, changes.regroups ?? [], (segment, text) => ({ ...segment, text, words: [] }));
  return { ...server, title: changes.title ?? server.title, text: changes.text ?? server.text, segments };
}

/** The required text of the first segment, and its earlier and later texts by undo and redo. */
interface Typed {
  count: number;
  segment: string;
  done: [before: string, after: string][];
  undone: [before: string, after: string][];
}

function prepare(stubs: Stubs) {
  const calls = {
    load: stubs.asking<Transcription, { id: string }>(),
    save: stubs.asking<Transcription, { id: string; changes: Changes; based: Changes; spans: Spans }>(),
  };
  const updates = stubs.callback<TranscriptionEvent, TranscriptionEvent, { id: string }>();
  const wakeUps = stubs.callback<EventStreamEvent>();
  const { load, save } = calls;
  const machine = transcriptionMachine.provide({
    actors: {
      load: load.logic,
      save: save.logic,
      updates: updates.logic,
      wakeUps: wakeUps.logic,
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const draft = start === "with a draft" ? { edits: { 0: "typed before" } } : null;
    const actor = createActor(machine, { clock, inspect, input: { id: "t", draft } });
    const emitted: string[] = [];
    actor.on("*", ({ type }: EventObject) => emitted.push(type));
    const typed: Typed = { count: 0, segment: draft?.edits[0] ?? "one", done: [], undone: [] };
    return { actor, ...calls, updates, wakeUps, emitted, typed, server: { now: transcription() } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const isOpen = ({ actor }: Harness) => actor.getSnapshot().matches("open");
const kinds = ({ targetLanguage, retry, diarize, recognize, ...draft }: Changes) => [
  !isEmpty(draft),
  targetLanguage !== undefined,
  retry,
  diarize !== undefined,
  recognize,
];
/** Moves without a new effect are left out while other changes are in flight. */
const isCalm = (harness: Harness) => isOpen(harness) && kinds(context(harness).pending).every((kind) => !kind);

const passages = (harness: Harness) => selectTranscription(harness.actor.getSnapshot())?.segments.length ?? 0;
const isWhole = (harness: Harness) => isCalm(harness) && passages(harness) === 2;
const isSplit = (harness: Harness) => isCalm(harness) && passages(harness) === 3;

/** The person does something that can be undone. */
function does(name: string, may: (harness: Harness) => boolean, event: (harness: Harness) => EditEvent): Move<Harness> {
  return {
    name,
    may,
    happen: (harness) => {
      const { typed, actor } = harness;
      typed.count += 1;
      const edited = event(harness);
      const after = edited.type === "segment.edited" ? edited.text : typed.segment;
      typed.done.push([typed.segment, after]);
      typed.undone = [];
      typed.segment = after;
      actor.send(edited);
    },
  };
}
const undo: Move<Harness> = {
  ...sent<TranscriptionEvent>({ type: "undo.requested" }),
  happen: ({ typed, actor }) => {
    const step = typed.done.pop();
    if (step !== undefined) typed.undone.push(step);
    typed.segment = step?.[0] ?? typed.segment;
    actor.send({ type: "undo.requested" });
  },
};
const redo: Move<Harness> = {
  ...sent<TranscriptionEvent>({ type: "redo.requested" }),
  happen: ({ typed, actor }) => {
    const step = typed.undone.pop();
    if (step !== undefined) typed.done.push(step);
    typed.segment = step?.[1] ?? typed.segment;
    actor.send({ type: "redo.requested" });
  },
};
const discard: Move<Harness> = {
  ...sent<TranscriptionEvent>({ type: "discard.requested" }),
  happen: ({ typed, server, actor }) => {
    typed.segment = server.now.segments[0]?.text ?? "";
    actor.send({ type: "discard.requested" });
  },
};
const whenCalm = (event: TranscriptionEvent): Move<Harness> => ({ ...sent<TranscriptionEvent>(event), may: isCalm });
const saving = ({ save }: Harness) => save;
const other = { id: "6f9619ff-8b86-4d01-b42d-00c04fc964ff", text: "TWO", by: "anna@example.org" };

walkTests<Harness>({
  machine: transcriptionMachine,
  prepare,
  starts: ["as it is", "with a draft"],
  moves: [
    does("a segment is corrected", isOpen, ({ typed }) => ({ type: "segment.edited", index: 0, text: `typed ${typed.count}` })),
    does("the title is changed", isCalm, ({ typed }) => ({ type: "title.edited", title: `title ${typed.count}` })),
    does("the whole text is changed", isCalm, ({ typed }) => ({ type: "text.edited", text: `all ${typed.count}` })),
    does("something is replaced", isCalm, ({ typed }) => ({ type: "segments.replaced", edits: { 1: `other ${typed.count}` } })),
    does("a speaker is named", isCalm, ({ typed }) => ({ type: "speaker.named", segments: [1], name: `name ${typed.count}` })),
    does("a passage is split", isWhole, () => ({ type: "segment.split", index: 1, before: "tw", after: "o" })),
    does("passages are merged", isSplit, () => ({ type: "segment.merged", index: 2 })),
    whenCalm({ type: "segment.split", index: 1, before: "", after: "two" }),
    whenCalm({ type: "segment.merged", index: 0 }),
    does("a translation is corrected", isCalm, ({ typed }) => ({
      type: "translation.edited",
      index: 1,
      text: `es ${typed.count}`,
    })),
    does("what somebody else has written is left out", isCalm, () => ({ type: "other.settled", index: 1, other, take: false })),
    does("a word is right", isCalm, () => ({ type: "word.confirmed", start: 1, text: "two" })),
    undo,
    redo,
    discard,
    whenCalm({ type: "typing.changed", key: "1", text: "half a word" }),
    whenCalm({ type: "translation.requested", targetLanguage: "es" }),
    whenCalm({ type: "retry.requested" }),
    whenCalm({ type: "diarization.requested", speakers: 2 }),
    whenCalm({ type: "recognition.requested" }),
    whenCalm({ type: "track.requested", track: 2, sourceLanguage: "en" }),
    sent({ type: "save.requested" }),
    sent({ type: "reload.requested" }),
    answered(
      "it is loaded",
      ({ load }: Harness) => load,
      ({ server }) => server.now,
    ),
    refused("it is gone", ({ load }: Harness) => load, failure("gone")),
    refused("it can't be loaded", ({ load }: Harness) => load, failure("network")),
    answered("the changes are saved", saving, ({ server }, input) => {
      server.now = applied(server.now, input?.changes ?? { edits: {} });
      return server.now;
    }),
    refused("it is gone when it is saved", saving, failure("notFound")),
    refused("the changes can't be saved", saving, failure("network")),
    refused("the server does not take the changes", saving, failure("badRequest")),
    said({ type: "transcription.updated", transcription: transcription() }, ({ updates }: Harness) => updates),
    said({ type: "access.withdrawn" }, ({ updates }: Harness) => updates),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { pending, sending, loadError, saveError, saved, history } = context(harness);
    const steps = [history.done.length > 0, history.undone.length > 0];
    return [kinds(pending), kinds(sending), loadError, saveError, saved !== null, steps, passages(harness)];
  },
  rules: {
    "it is saved once at a time": ({ save }) => save.open().length <= 1,
    "what was typed is what is shown, whatever the server and the network do": (harness) =>
      !isOpen(harness) || selectTranscription(harness.actor.getSnapshot())?.segments[0]?.text === harness.typed.segment,
    "corrections that could not be saved are tried again within 15 s": (harness, clock) =>
      !harness.actor.getSnapshot().matches({ open: "unsaved" }) || (clock.untilNext() ?? Number.NaN) <= 15_000,
    "one word about failing to save, until it works again": ({ emitted }) =>
      emitted.slice(emitted.lastIndexOf("transcription.changed") + 1).filter((type) => type === "save.failed").length <= 1,
    "it is followed exactly while it is open": (harness) => harness.updates.running() === (isOpen(harness) ? 1 : 0),
    "what the server does not take is not sent again by itself": (harness, clock) =>
      !selectIsRefused(harness.actor.getSnapshot()) || (clock.untilNext() === undefined && harness.save.open().length === 0),
    "what is missing is not asked for by itself": (harness) =>
      !selectIsMissing(harness.actor.getSnapshot()) || harness.load.open().length + harness.save.open().length === 0,
  },
});
