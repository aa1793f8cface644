import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { createActor, fromCallback, SimulatedClock } from "xstate";
import { DiversityStats, type GenerationProgress, type GeneratorForm, type GeneratorMode } from "#contract/index.ts";
import { generatorMachine, type PersistedGeneration, type Written } from "#machines/blog-admin/generator/machine.ts";
import {
  selectFailure,
  selectForm,
  selectHasStatsFailed,
  selectIsAvailable,
  selectIsBusy,
  selectIsLoadingStats,
  selectIsTopicMissing,
  selectMode,
  selectPhase,
  selectSavedId,
  selectStats,
  selectStep,
  selectWritten,
} from "#machines/blog-admin/generator/selectors.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const form: GeneratorForm = { topic: "notes", tone: "friendly", language: "de", length: "short", audience: "" };
const head = { title: "Notes", summary: "Short.", topics: ["notes"] };
const post = { ...head, content: "All of it.", language: "de" };
const part: Written = { head, text: "All of", language: "de", complete: false };
const whole: Written = { head, text: "All of it.", language: "de", complete: true };

function setUp(input: PersistedGeneration = { form, written: null }) {
  const clock = new SimulatedClock();
  const save = answering<string, { written: Written }>();
  const loadStats = answering<DiversityStats, unknown>();
  const asked: { mode: GeneratorMode; form: GeneratorForm }[] = [];
  let say: ((event: GenerationProgress) => void) | undefined;
  const keeps: PersistedGeneration[] = [];
  const machine = generatorMachine.provide({
    actors: {
      save: save.logic,
      loadStats: loadStats.logic,
      generate: fromCallback<GenerationProgress, { mode: GeneratorMode; form: GeneratorForm }>(({ input, sendBack }) => {
        asked.push(input);
        say = sendBack;
        return () => {
          say = undefined;
        };
      }),
    },
    actions: { persist: ({ context }) => keeps.push({ form: context.form, written: context.written }) },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input }));
  const drafts: string[] = [];
  actor.on("draft.saved", ({ id }) => drafts.push(id));
  actor.start();
  return {
    clock,
    save,
    loadStats,
    asked,
    keeps,
    drafts,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
    /** The server sends these events, unless the call has ended. */
    say: (...events: GenerationProgress[]) => {
      for (const one of events) say?.(one);
    },
    isAsked: () => say !== undefined,
  };
}

function begun(mode: GeneratorMode = "topic") {
  const generator = setUp();
  generator.send({ type: "generate.requested", mode });
  return generator;
}

function halfway() {
  const generator = begun();
  generator.say({ type: "step.came", step: "writing" }, { type: "head.came", head }, { type: "text.came", text: "All " });
  generator.say({ type: "text.came", text: "of" });
  return generator;
}

describe("generation of a post", () => {
  test("requests a post as the form says, and shows the text as it arrives", () => {
    const { asked, get } = halfway();
    expect(asked).toEqual([{ mode: "topic", form }]);
    expect([get(selectPhase), get(selectStep), get(selectIsBusy)]).toEqual(["generating", "writing", true]);
    expect(get(selectWritten)).toEqual(part);
  });

  test("requires a topic, except for a surprise", () => {
    const { send, get, asked } = setUp();
    send({ type: "form.changed", change: { topic: "  " } });
    send({ type: "generate.requested", mode: "topic" });
    expect([get(selectPhase), get(selectIsTopicMissing), asked]).toEqual(["idle", true, []]);
    send({ type: "form.changed", change: { tone: "neutral" } });
    expect(get(selectIsTopicMissing)).toBe(true);
    send({ type: "form.changed", change: { topic: "tea" } });
    expect(get(selectIsTopicMissing)).toBe(false);
    send({ type: "form.changed", change: { topic: "" } });
    send({ type: "generate.requested", mode: "surprise" });
    expect([get(selectPhase), get(selectMode), asked.length]).toEqual(["generating", "surprise", 1]);
  });

  test("saves the finished post as a draft, emits the draft, and stores nothing more", async () => {
    const { say, save, get, keeps, drafts } = halfway();
    say({ type: "post.came", post });
    expect([get(selectPhase), save.inputs(), keeps.at(-1)]).toEqual(["saving", [{ written: whole }], { form, written: whole }]);
    await save.last().resolve("p1");
    expect([get(selectPhase), get(selectSavedId), get(selectWritten), drafts]).toEqual(["saved", "p1", null, ["p1"]]);
    expect(keeps.at(-1)).toEqual({ form, written: null });
  });

  test("stops the server's work on request, and offers the partial text as a draft", async () => {
    const { send, get, isAsked, save, keeps, drafts } = halfway();
    send({ type: "stop.requested" });
    expect([get(selectPhase), isAsked(), get(selectWritten)]).toEqual(["stopped", false, part]);
    expect(keeps.at(-1)).toEqual({ form, written: part });
    send({ type: "save.requested" });
    expect(save.inputs()).toEqual([{ written: part }]);
    await save.last().resolve("p2");
    expect(drafts).toEqual(["p2"]);
  });

  test("offers no draft when generation was stopped before any text arrived", () => {
    const { send, get } = begun();
    send({ type: "stop.requested" });
    send({ type: "save.requested" });
    expect([get(selectPhase), get(selectWritten)]).toEqual(["stopped", null]);
  });

  test("shows why generation failed, and keeps the text until a retry brings new text", () => {
    const { say, send, get, asked } = halfway();
    say({ type: "generation.failed", failure: { code: "chatFailed", detail: "It broke off." } });
    expect([get(selectPhase), get(selectFailure), get(selectWritten)]).toEqual([
      "failed",
      { code: "chatFailed", detail: "It broke off." },
      part,
    ]);
    send({ type: "generate.requested", mode: "surprise" });
    expect([get(selectFailure), get(selectStep), get(selectWritten), asked.length]).toEqual([null, null, part, 2]);
    say({ type: "generation.failed", failure: { code: "noNewTopic", detail: null } });
    expect(get(selectWritten)).toEqual(part);
    send({ type: "generate.requested", mode: "topic" });
    say({ type: "head.came", head: { ...head, title: "New" } }, { type: "text.came", text: "Other" });
    expect(get(selectWritten)).toMatchObject({ head: { title: "New" }, text: "Other" });
  });

  test("discards the generated text", () => {
    const { send, get, keeps } = halfway();
    send({ type: "stop.requested" });
    send({ type: "discard.requested" });
    expect([get(selectPhase), get(selectWritten), keeps.at(-1)]).toEqual(["idle", null, { form, written: null }]);
  });
});

describe("generated draft that could not be saved", () => {
  test("keeps an unsaved draft and saves it on retry", async () => {
    const { say, send, save, get, drafts } = halfway();
    say({ type: "post.came", post });
    await save.last().reject("network");
    expect([get(selectPhase), get(selectFailure), get(selectWritten)]).toEqual([
      "notSaved",
      { code: "network", detail: null },
      whole,
    ]);
    send({ type: "save.requested" });
    expect([get(selectPhase), get(selectFailure)]).toEqual(["saving", null]);
    await save.last().resolve("p3");
    expect(drafts).toEqual(["p3"]);
  });
});

describe("generated text in browser storage", () => {
  test("stores the text within half a second, and at once when the page is hidden", () => {
    const { clock, say, send, keeps } = halfway();
    expect(keeps).toEqual([]);
    clock.increment(499);
    say({ type: "text.came", text: " it" });
    expect(keeps).toEqual([]);
    clock.increment(1);
    expect(keeps.map(({ written }) => written?.text)).toEqual(["All of it"]);
    clock.increment(5000);
    expect(keeps).toHaveLength(1);
    say({ type: "text.came", text: "." });
    send({ type: "page.hidden" });
    expect(keeps.map(({ written }) => written?.text)).toEqual(["All of it", "All of it."]);
  });

  test.each([
    ["in part", part],
    ["whole", whole],
  ])("restores the generated text of the last visit, %s", async (_, written) => {
    const { get, send, save } = setUp({ form, written });
    expect([get(selectPhase), get(selectWritten), get(selectForm)]).toEqual(["recovered", written, form]);
    send({ type: "save.requested" });
    expect(save.inputs()).toEqual([{ written }]);
  });

  test("stores the generator's form as the user types", () => {
    const { send, keeps } = setUp();
    send({ type: "form.changed", change: { topic: "tea", language: "fr" } });
    expect(keeps).toEqual([{ form: { ...form, topic: "tea", language: "fr" }, written: null }]);
  });
});

describe("diversity stats of the generator", () => {
  const stats = v.parse(DiversityStats, { posts: 3, available: false });

  test("loads the stats by itself, and generates nothing when no model is set up", async () => {
    const { get, loadStats, send, asked } = setUp();
    expect([get(selectIsLoadingStats), get(selectIsAvailable)]).toEqual([true, true]);
    await loadStats.last().resolve(stats);
    expect([get(selectStats), get(selectIsLoadingStats), get(selectIsAvailable)]).toEqual([stats, false, false]);
    send({ type: "generate.requested", mode: "surprise" });
    send({ type: "generate.requested", mode: "topic" });
    expect([get(selectPhase), asked, get(selectIsTopicMissing)]).toEqual(["idle", [], false]);
  });

  test("works without the stats, and fetches them again on request", async () => {
    const { get, loadStats, send } = setUp();
    await loadStats.last().reject("network");
    expect([get(selectHasStatsFailed), get(selectIsAvailable), get(selectStats)]).toEqual([true, true, null]);
    send({ type: "generate.requested", mode: "topic" });
    expect(get(selectPhase)).toBe("generating");
    send({ type: "stats.requested" });
    await loadStats.last().resolve({ ...stats, available: true });
    expect([get(selectHasStatsFailed), get(selectStats)?.posts]).toEqual([false, 3]);
    send({ type: "stats.requested" });
    expect([get(selectIsLoadingStats), get(selectStats)?.posts]).toEqual([true, 3]);
  });
});

test("fails with a clear message when an actor was not provided", () => {
  const actor = stopsAfterTest(createActor(generatorMachine, { input: { form, written: null } }));
  actor.start();
  actor.send({ type: "generate.requested", mode: "topic" });
  expect([selectPhase(actor.getSnapshot()), selectFailure(actor.getSnapshot())]).toEqual([
    "failed",
    { code: "internal", detail: null },
  ]);
});
