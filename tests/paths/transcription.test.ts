import { createActor, type EventObject } from "xstate";
import type { FeedEvent } from "../../machines/feed.ts";
import {
  selectIsMissing,
  selectTranscription,
  type TranscriptionEvent,
  transcriptionMachine,
} from "../../machines/transcription.ts";
import type { Changes } from "../../machines/transcription-changes.ts";
import type { ExportFormat, Transcription } from "../../src/api/contract/index.ts";
import { transcription } from "../machines/history-rig.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "./harness-moves.ts";
import type { Stage } from "./harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "./harness-walk.ts";

/** What the server makes of changes. */
function applied(server: Transcription, changes: Changes): Transcription {
  const segments = server.segments.map((segment, index) => ({ ...segment, text: changes.edits[index] ?? segment.text }));
  return { ...server, title: changes.title ?? server.title, text: changes.text ?? server.text, segments };
}

function prepare(stage: Stage) {
  const calls = {
    load: stage.asking<Transcription, { id: string }>(),
    save: stage.asking<Transcription, { id: string; changes: Changes }>(),
    exportFile: stage.asking<void, { id: string; format: ExportFormat }>(),
    copyText: stage.asking<void, { text: string }>(),
  };
  const news = stage.telling<TranscriptionEvent, TranscriptionEvent, { id: string }>();
  const wakeUps = stage.telling<FeedEvent>();
  const { load, save, exportFile, copyText } = calls;
  const machine = transcriptionMachine.provide({
    actors: {
      ...{ load: load.logic, save: save.logic, exportFile: exportFile.logic, copyText: copyText.logic },
      ...{ news: news.logic, wakeUps: wakeUps.logic },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const draft = start === "with a draft" ? { edits: { 0: "typed before" } } : null;
    const actor = createActor(machine, { clock, inspect, input: { id: "t", draft } });
    const told: string[] = [];
    actor.on("*", ({ type }: EventObject) => told.push(type));
    const typed = { count: 0, segment: draft?.edits[0] ?? "one", title: "talk" };
    return { actor, ...calls, news, wakeUps, told, typed, server: { now: transcription() } };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const isOpen = ({ actor }: Rig) => actor.getSnapshot().matches("open");
const kinds = ({ edits, title, text, targetLanguage, retry }: Changes) => [
  ...[Object.keys(edits).length > 0 || title !== undefined || text !== undefined, targetLanguage !== undefined, retry],
];
/** What leads nowhere new is left out while something else is on its way. */
const isCalm = (rig: Rig) =>
  rig.actor.getSnapshot().matches({ open: { output: "idle" } }) && kinds(context(rig).pending).every((kind) => !kind);

const correct: Move<Rig> = {
  name: "a segment is corrected",
  may: isOpen,
  happen: (rig) => {
    rig.typed.count += 1;
    rig.typed.segment = `typed ${rig.typed.count}`;
    rig.actor.send({ type: "segment.edited", index: 0, text: rig.typed.segment });
  },
};
const rename: Move<Rig> = {
  name: "the title is changed",
  may: isCalm,
  happen: (rig) => {
    rig.typed.count += 1;
    rig.typed.title = `title ${rig.typed.count}`;
    rig.actor.send({ type: "title.edited", title: rig.typed.title });
  },
};
const whenCalm = (event: TranscriptionEvent): Move<Rig> => ({ ...sent<TranscriptionEvent>(event), may: isCalm });
const saving = ({ save }: Rig) => save;

walkTests<Rig>({
  machine: transcriptionMachine,
  prepare,
  starts: ["as it is", "with a draft"],
  moves: [
    correct,
    rename,
    whenCalm({ type: "text.edited", text: "all of it" }),
    whenCalm({ type: "translation.requested", targetLanguage: "es" }),
    whenCalm({ type: "retry.requested" }),
    sent({ type: "save.requested" }),
    sent({ type: "reload.requested" }),
    whenCalm({ type: "export.requested", format: "srt" }),
    whenCalm({ type: "copy.requested" }),
    answered(
      "it is loaded",
      ({ load }: Rig) => load,
      ({ server }) => server.now,
    ),
    refused("it is gone", ({ load }: Rig) => load, failure("gone")),
    refused("it can't be loaded", ({ load }: Rig) => load, failure("network")),
    answered("the changes are saved", saving, ({ server }, input) => {
      server.now = applied(server.now, input?.changes ?? { edits: {} });
      return server.now;
    }),
    refused("it is gone when it is saved", saving, failure("notFound")),
    refused("the changes can't be saved", saving, failure("network")),
    answered(
      "the file is there",
      ({ exportFile }: Rig) => exportFile,
      () => undefined,
    ),
    refused("the file can't be had", ({ exportFile }: Rig) => exportFile, failure("internal")),
    answered(
      "it is copied",
      ({ copyText }: Rig) => copyText,
      () => undefined,
    ),
    refused("it can't be copied", ({ copyText }: Rig) => copyText, failure("internal")),
    said({ type: "transcription.updated", transcription: transcription() }, ({ news }: Rig) => news),
    said({ type: "woke" }, ({ wakeUps }: Rig) => wakeUps),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { pending, sending, loadError, saveError, saved } = context(rig);
    return [kinds(pending), kinds(sending), loadError, saveError, saved !== null];
  },
  rules: {
    "it is saved once at a time": ({ save }) => save.open().length <= 1,
    "what was typed is what is shown, whatever the server and the network do": (rig) =>
      !isOpen(rig) || selectTranscription(rig.actor.getSnapshot())?.segments[0]?.text === rig.typed.segment,
    "corrections that could not be saved are tried again within 15 s": (rig, clock) =>
      !rig.actor.getSnapshot().matches({ open: { changes: "unsaved" } }) || (clock.untilNext() ?? Number.NaN) <= 15_000,
    "one word about failing to save, until it works again": ({ told }) =>
      told.slice(told.lastIndexOf("changed") + 1).filter((type) => type === "save.failed").length <= 1,
    "it is followed exactly while it is open": (rig) => rig.news.running() === (isOpen(rig) ? 1 : 0),
    "nothing is exported or copied twice at once": (rig) => rig.exportFile.open().length + rig.copyText.open().length <= 1,
    "what is missing is not asked for by itself": (rig) =>
      !selectIsMissing(rig.actor.getSnapshot()) || rig.load.open().length + rig.save.open().length === 0,
  },
});
