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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const form: GeneratorForm = { topic: "", tone: "friendly", language: "en", length: "short", audience: "" };
const head = { title: "Notes", summary: "", topics: [] };
const written: Written = { head, text: "Words", language: "en", complete: true };
const post = { ...head, content: "Words", language: "en" };
const stats = v.parse(DiversityStats, {});

function prepare(stage: Stage) {
  const generate = stage.callback<GenerationProgress, GenerationProgress, { mode: GeneratorMode; form: GeneratorForm }>();
  const save = stage.asking<string, { written: Written }>();
  const loadStats = stage.asking<DiversityStats>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const textOf = (rig: Rig) => selectWritten(snapshot(rig))?.text ?? "";
/** States differ by whether there are words at all: more of them change nothing. */
const once = (event: GenerationProgress, may: (rig: Rig) => boolean) => {
  const move = said<Rig, GeneratorEvent & GenerationProgress, GenerationProgress, { mode: GeneratorMode; form: GeneratorForm }>(
    event,
    ({ generate }) => generate,
  );
  return { ...move, may: (rig: Rig, clock: Parameters<typeof move.may>[1]) => may(rig) && move.may(rig, clock) };
};

walkTests<Rig>({
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
    once({ type: "head.came", head }, (rig) => textOf(rig) === ""),
    once({ type: "text.came", text: "Words" }, (rig) => selectWritten(snapshot(rig)) !== null && textOf(rig).length < 15),
    once({ type: "post.came", post }, () => true),
    once({ type: "generation.failed", failure: { code: "chatFailed", detail: null } }, () => true),
    answered(
      "the draft is saved",
      ({ save }: Rig) => save,
      () => "p1",
    ),
    refused("the draft is not saved", ({ save }: Rig) => save, failure("network")),
    answered(
      "the numbers come",
      ({ loadStats }: Rig) => loadStats,
      () => stats,
    ),
    refused("the numbers don't come", ({ loadStats }: Rig) => loadStats, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => [textOf(rig) === "", rig.actor.getSnapshot().context.topicMissing, selectFailure(snapshot(rig)) === null],
  rules: {
    "the model works only while it is said to": (rig) =>
      rig.generate.running() === 0 || (rig.generate.running() === 1 && selectPhase(snapshot(rig)) === "generating"),
    "what is saved is what is shown": (rig) =>
      rig.save.open().every(({ input }) => input?.written === selectWritten(snapshot(rig))),
    "nothing empty is saved": (rig) => rig.save.open().every(({ input }) => (input?.written?.text ?? "") !== ""),
    "what rests is kept, all of it": (rig) =>
      selectIsBusy(snapshot(rig)) || (rig.persisted().written?.text ?? "") === textOf(rig),
    "what became a draft is kept no more": (rig) => selectPhase(snapshot(rig)) !== "saved" || rig.persisted().written === null,
    "a draft is emitted once for each time it was saved": (rig) => rig.drafts.length <= rig.save.times(),
    "a failure is not said while it is tried again": (rig) =>
      !selectIsBusy(snapshot(rig)) || selectFailure(snapshot(rig)) === null,
    "nothing is written about no topic": (rig) =>
      rig.generate.running() === 0 ||
      rig.actor.getSnapshot().context.mode === "surprise" ||
      rig.actor.getSnapshot().context.form.topic !== "",
  },
  unreachable: {
    "generator.writing.generating: generate failed → generator.writing.resting.failed":
      "asking does not throw: what goes wrong is sent as generation.failed",
  },
});
