import { createActor, type EventObject } from "xstate";
import { type VocabularyAnswer, vocabularyLimits } from "#contract/index.ts";
import type { VocabularyEvent } from "#machines/vocabulary/events.ts";
import {
  selectIsSaved,
  selectIsSaving,
  selectIsUnavailable,
  selectProblem,
  selectText,
  vocabularyMachine,
} from "#machines/vocabulary/machine.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const file = Object.assign(new Blob(["Grace"]), { name: "words.txt" });
const long = "x\n".repeat(vocabularyLimits.lines);

function prepare(stubs: Stubs) {
  const load = stubs.asking<VocabularyAnswer>();
  const save = stubs.asking<VocabularyAnswer, VocabularyAnswer>();
  const readLines = stubs.asking<string, { file: Blob & { name: string } }>();
  const wakeUps = stubs.callback<VocabularyEvent>();
  const machine = vocabularyMachine.provide({
    actors: { load: load.logic, save: save.logic, readLines: readLines.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const emitted: string[] = [];
    actor.on("*", ({ type }: EventObject) => emitted.push(type));
    return { actor, load, save, readLines, wakeUps, emitted, server: { now: { text: "", revision: 0 } }, typed: { count: 0 } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const textOf = ({ actor }: Harness) => selectText(actor.getSnapshot());
const isLong = (text: string) => text.length >= long.length - 1;
const loading = ({ load }: Harness) => load;
const saving = ({ save }: Harness) => save;
const reading = ({ readLines }: Harness) => readLines;
const next = ({ server }: Harness, text: string): VocabularyAnswer => {
  server.now = { text, revision: server.now.revision + 1 };
  return server.now;
};
const hearsText = ({ actor }: Harness) => actor.getSnapshot().can({ type: "text.changed", text: "" });
/** The person writes; a text that was never there before, unless another is given. */
const writes = (name: string, may: (harness: Harness) => boolean, text: (harness: Harness) => string): Move<Harness> => ({
  name,
  may: (harness) => hearsText(harness) && may(harness),
  happen: (harness) => {
    harness.typed.count += 1;
    harness.actor.send({ type: "text.changed", text: text(harness) });
  },
});
const isChanged = (harness: Harness) => textOf(harness) !== context(harness).saved?.text;

walkTests<Harness>({
  machine: vocabularyMachine,
  prepare,
  moves: [
    writes(
      "a name is typed",
      () => true,
      ({ typed }) => `Ada ${typed.count}`,
    ),
    writes("it is typed back", isChanged, (harness) => context(harness).saved?.text ?? ""),
    writes(
      "a long list is pasted",
      (harness) => !isLong(textOf(harness)),
      () => long,
    ),
    {
      ...sent<VocabularyEvent>({ type: "file.chosen", file }),
      // One after the other, up to the limit.
      may: (harness) => hearsText(harness) && context(harness).file === null && !isLong(textOf(harness)),
    },
    sent({ type: "save.requested" }),
    sent({ type: "reload.requested" }),
    answered("it is loaded", loading, ({ server }) => server.now),
    refused("the server has no such call", loading, failure("notOffered")),
    refused("it can't be loaded", loading, failure("network")),
    refused("the server refuses to give it", loading, failure("badRequest")),
    answered("it is saved", saving, (harness, input) => next(harness, input?.text ?? "")),
    {
      name: "it was changed elsewhere",
      may: ({ save }) => save.open().length > 0,
      happen: (harness) => {
        harness.typed.count += 1;
        next(harness, `Theirs ${harness.typed.count}`);
        harness.save.refuse(failure("conflict"));
      },
    },
    refused("it can't be saved", saving, failure("network")),
    refused("the server does not take it", saving, failure("badRequest")),
    answered("the file is read", reading, ({ typed }) => {
      typed.count += 1;
      return `Grace ${typed.count}`;
    }),
    refused("the file is too large", reading, failure("tooLarge")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    untilNextTimer,
  ],
  situation: (harness) => [
    isChanged(harness),
    isLong(textOf(harness)),
    context(harness).sending === textOf(harness),
    context(harness).saved?.text === harness.server.now.text,
    context(harness).saveError,
    context(harness).loadError,
  ],
  rules: {
    "one call at a time": ({ load, save }) => load.open().length + save.open().length <= 1,
    "what is too long is not sent": ({ save }) => save.open().every(({ input }) => !isLong(input?.text ?? "")),
    "what is sent is based on what the server has, or refused": ({ save, server }) =>
      save.open().every(({ input }) => (input?.revision ?? 0) <= server.now.revision),
    "saved means saved": (harness) =>
      !selectIsSaved(harness.actor.getSnapshot()) || textOf(harness) === context(harness).saved?.text,
    "a limit is said as long as the text is beyond it": (harness) =>
      (selectProblem(harness.actor.getSnapshot()) !== null) === isLong(textOf(harness)),
    "what is pending is tried again by itself, or waits for the person": (harness, clock) => {
      const snapshot = harness.actor.getSnapshot();
      const rests = (["tooLong", "refused", "saved"] as const).some((text) => snapshot.matches({ open: { text } }));
      return !snapshot.matches("open") || rests || selectIsSaving(snapshot) || clock.untilNext() !== undefined;
    },
    "a server without the call is left alone": (harness) =>
      !selectIsUnavailable(harness.actor.getSnapshot()) || harness.load.open().length + harness.save.open().length === 0,
  },
});
