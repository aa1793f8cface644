import * as v from "valibot";
import { createActor } from "xstate";
import { DiversityStats, type GenerationProgress, type GeneratorForm, type GeneratorMode } from "#contract/index.ts";
import {
  type GeneratorEvent,
  generatorMachine,
  type PersistedGeneration,
  type Written,
} from "#machines/blog-admin/generator/machine.ts";
import { selectFailure, selectIsBusy, selectPhase, selectWritten } from "#machines/blog-admin/generator/selectors.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const form: GeneratorForm = { topic: "", tone: "friendly", language: "en", length: "short", audience: "" };
const head = { title: "Notes", summary: "", topics: [] };
const written: Written = { head, text: "Words", language: "en", complete: true };
const post = { ...head, content: "Words", language: "en" };
const stats = v.parse(DiversityStats, {});

function prepare(stubs: Stubs) {
  const generate = stubs.callback<GenerationProgress, GenerationProgress, { mode: GeneratorMode; form: GeneratorForm }>();
  const save = stubs.asking<string, { written: Written }>();
  const loadStats = stubs.asking<DiversityStats>();
  return ({ start, clock, inspect }: RunOptions) => {
    let persisted: PersistedGeneration = { form, written: start === "a text was kept" ? written : null };
    const machine = generatorMachine.provide({
      actors: {
        generate: generate.logic,
        save: save.logic,
        loadStats: loadStats.logic,
      },
      actions: {
        persist: ({ context }) => {
          persisted = { form: context.form, written: context.written };
        },
      },
    });
    const actor = createActor(machine, { clock, inspect, input: persisted });
    const drafts: string[] = [];
    actor.on("draft.saved", ({ id }) => drafts.push(id));
    return { actor, generate, save, loadStats, drafts, persisted: () => persisted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const textOf = (harness: Harness) => selectWritten(snapshot(harness))?.text ?? "";
/** Only the presence of words distinguishes states: more words change nothing. */
const once = (event: GenerationProgress, may: (harness: Harness) => boolean) => {
  const move = said<
    Harness,
    GeneratorEvent & GenerationProgress,
    GenerationProgress,
    { mode: GeneratorMode; form: GeneratorForm }
  >(event, ({ generate }) => generate);
  return { ...move, may: (harness: Harness, clock: Parameters<typeof move.may>[1]) => may(harness) && move.may(harness, clock) };
};

walkTests<Harness>({
  machine: generatorMachine,
  prepare,
  starts: ["nothing was kept", "a text was kept"],
  moves: [
    sent({ type: "form.changed", change: { topic: "tea" } }),
    sent({ type: "generate.requested", mode: "topic" }, "a post about the topic"),
    sent({ type: "generate.requested", mode: "surprise" }, "a surprise"),
    sent({ type: "stop.requested" }),
    sent({ type: "save.requested" }),
    sent({ type: "discard.requested" }),
    sent({ type: "stats.requested" }),
    sent({ type: "page.hidden" }),
    once({ type: "step.came", step: "writing" }, () => true),
    once({ type: "head.came", head }, (harness) => textOf(harness) === ""),
    once(
      { type: "text.came", text: "Words" },
      (harness) => selectWritten(snapshot(harness)) !== null && textOf(harness).length < 15,
    ),
    once({ type: "post.came", post }, () => true),
    once({ type: "generation.failed", failure: { code: "chatFailed", detail: null } }, () => true),
    answered(
      "the draft is saved",
      ({ save }: Harness) => save,
      () => "p1",
    ),
    refused("the draft is not saved", ({ save }: Harness) => save, failure("network")),
    answered(
      "the numbers come",
      ({ loadStats }: Harness) => loadStats,
      () => stats,
    ),
    refused("the numbers don't come", ({ loadStats }: Harness) => loadStats, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [
    textOf(harness) === "",
    harness.actor.getSnapshot().context.topicMissing,
    selectFailure(snapshot(harness)) === null,
  ],
  rules: {
    "the model works only while it is said to": (harness) =>
      harness.generate.running() === 0 || (harness.generate.running() === 1 && selectPhase(snapshot(harness)) === "generating"),
    "what is saved is what is shown": (harness) =>
      harness.save.open().every(({ input }) => input?.written === selectWritten(snapshot(harness))),
    "nothing empty is saved": (harness) => harness.save.open().every(({ input }) => (input?.written?.text ?? "") !== ""),
    "what rests is kept, all of it": (harness) =>
      selectIsBusy(snapshot(harness)) || (harness.persisted().written?.text ?? "") === textOf(harness),
    "what became a draft is kept no more": (harness) =>
      selectPhase(snapshot(harness)) !== "saved" || harness.persisted().written === null,
    "a draft is emitted once for each time it was saved": (harness) => harness.drafts.length <= harness.save.times(),
    "a failure is not said while it is tried again": (harness) =>
      !selectIsBusy(snapshot(harness)) || selectFailure(snapshot(harness)) === null,
    "nothing is written about no topic": (harness) =>
      harness.generate.running() === 0 ||
      harness.actor.getSnapshot().context.mode === "surprise" ||
      harness.actor.getSnapshot().context.form.topic !== "",
  },
  unreachable: {
    "generator.writing.generating: generate failed → generator.writing.resting.failed":
      "asking does not throw: what goes wrong is sent as generation.failed",
  },
});
