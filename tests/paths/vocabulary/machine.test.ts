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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const file = Object.assign(new Blob(["Grace"]), { name: "words.txt" });
const long = "x\n".repeat(vocabularyLimits.lines);

function prepare(stage: Stage) {
  const load = stage.asking<VocabularyAnswer>();
  const save = stage.asking<VocabularyAnswer, VocabularyAnswer>();
  const readLines = stage.asking<string, { file: Blob & { name: string } }>();
  const wakeUps = stage.callback<VocabularyEvent>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const textOf = ({ actor }: Rig) => selectText(actor.getSnapshot());
const isLong = (text: string) => text.length >= long.length - 1;
const loading = ({ load }: Rig) => load;
const saving = ({ save }: Rig) => save;
const reading = ({ readLines }: Rig) => readLines;
const next = ({ server }: Rig, text: string): VocabularyAnswer => {
  server.now = { text, revision: server.now.revision + 1 };
  return server.now;
};
const hearsText = ({ actor }: Rig) => actor.getSnapshot().can({ type: "text.changed", text: "" });
/** The person writes; a text that was never there before, unless another is given. */
const writes = (name: string, may: (rig: Rig) => boolean, text: (rig: Rig) => string): Move<Rig> => ({
  name,
  may: (rig) => hearsText(rig) && may(rig),
  happen: (rig) => {
    rig.typed.count += 1;
    rig.actor.send({ type: "text.changed", text: text(rig) });
  },
});
const isChanged = (rig: Rig) => textOf(rig) !== context(rig).saved?.text;

walkTests<Rig>({
  machine: vocabularyMachine,
  prepare,
  moves: [
    writes(
      "a name is typed",
      () => true,
      ({ typed }) => `Ada ${typed.count}`,
    ),
    writes("it is typed back", isChanged, (rig) => context(rig).saved?.text ?? ""),
    writes(
      "a long list is pasted",
      (rig) => !isLong(textOf(rig)),
      () => long,
    ),
    {
      ...sent<VocabularyEvent>({ type: "file.chosen", file }),
      // One after the other, to what fits.
      may: (rig) => hearsText(rig) && context(rig).file === null && !isLong(textOf(rig)),
    },
    sent({ type: "save.requested" }),
    sent({ type: "reload.requested" }),
    answered("it is loaded", loading, ({ server }) => server.now),
    refused("the server has no such call", loading, failure("notOffered")),
    refused("it can't be loaded", loading, failure("network")),
    refused("the server refuses to give it", loading, failure("badRequest")),
    answered("it is saved", saving, (rig, input) => next(rig, input?.text ?? "")),
    {
      name: "it was changed elsewhere",
      may: ({ save }) => save.open().length > 0,
      happen: (rig) => {
        rig.typed.count += 1;
        next(rig, `Theirs ${rig.typed.count}`);
        rig.save.refuse(failure("conflict"));
      },
    },
    refused("it can't be saved", saving, failure("network")),
    refused("the server does not take it", saving, failure("badRequest")),
    answered("the file is read", reading, ({ typed }) => {
      typed.count += 1;
      return `Grace ${typed.count}`;
    }),
    refused("the file is too large", reading, failure("tooLarge")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    untilNextTimer,
  ],
  situation: (rig) => [
    isChanged(rig),
    isLong(textOf(rig)),
    context(rig).sending === textOf(rig),
    context(rig).saved?.text === rig.server.now.text,
    context(rig).saveError,
    context(rig).loadError,
  ],
  rules: {
    "one call at a time": ({ load, save }) => load.open().length + save.open().length <= 1,
    "what is too long is not sent": ({ save }) => save.open().every(({ input }) => !isLong(input?.text ?? "")),
    "what is sent is based on what the server has, or refused": ({ save, server }) =>
      save.open().every(({ input }) => (input?.revision ?? 0) <= server.now.revision),
    "saved means saved": (rig) => !selectIsSaved(rig.actor.getSnapshot()) || textOf(rig) === context(rig).saved?.text,
    "a limit is said as long as the text is beyond it": (rig) =>
      (selectProblem(rig.actor.getSnapshot()) !== null) === isLong(textOf(rig)),
    "what is pending is tried again by itself, or waits for the person": (rig, clock) => {
      const snapshot = rig.actor.getSnapshot();
      const rests = (["tooLong", "refused", "saved"] as const).some((text) => snapshot.matches({ open: { text } }));
      return !snapshot.matches("open") || rests || selectIsSaving(snapshot) || clock.untilNext() !== undefined;
    },
    "a server without the call is left alone": (rig) =>
      !selectIsUnavailable(rig.actor.getSnapshot()) || rig.load.open().length + rig.save.open().length === 0,
  },
});
