import { describe, expect, it } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { Installation, ModelsAnswer } from "#contract/index.ts";
import type { ModelCommand, ModelsEvent } from "#machines/models/events.ts";
import { modelsMachine } from "#machines/models/machine.ts";
import { initialFilter } from "#machines/models/rules.ts";
import {
  selectAnswer,
  selectAskedRemoval,
  selectCommands,
  selectFailures,
  selectFilter,
  selectLoadError,
  selectNews,
  selectPollError,
  selectTarget,
} from "#machines/models/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { answerWith, installation, installed, model } from "./harness.ts";

function setUp() {
  const clock = new SimulatedClock();
  const fetchModels = answering<ModelsAnswer>();
  const perform = answering<Installation | null, { command: ModelCommand }>();
  const visibility = talking<ModelsEvent, ModelsEvent>();
  const machine = modelsMachine.provide({
    actors: { fetchModels: fetchModels.logic, perform: perform.logic, visibility: visibility.logic },
  });
  const input = { translatesInto: "es", filter: initialFilter };
  const actor = stopsAfterTest(createActor(machine, { clock, input }).start());
  const get = <Value>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => Value) => select(actor.getSnapshot());
  const request = (action: ModelCommand["action"], id = "whisper-small") =>
    actor.send({ type: "command.requested", command: { action, id } });
  return { actor, clock, fetchModels, perform, visibility, get, request };
}

const loading = answerWith(model({ installation: installation() }));

describe("the list of models", () => {
  it("is fetched every 15 seconds, and every second while something is under way", async () => {
    const { clock, fetchModels } = setUp();
    await fetchModels.last().resolve(answerWith(model()));
    clock.increment(14_999);
    expect(fetchModels.asked).toHaveLength(1);
    clock.increment(1);
    expect(fetchModels.asked).toHaveLength(2);
    await fetchModels.last().resolve(loading);
    clock.increment(1_000);
    expect(fetchModels.asked).toHaveLength(3);
    await fetchModels.last().resolve(answerWith(model({ installation: installation({ state: "paused" }) })));
    clock.increment(14_999);
    expect(fetchModels.asked).toHaveLength(3);
  });

  it("is left alone while nobody looks, and fetched at once when somebody does", async () => {
    const { clock, fetchModels, visibility } = setUp();
    await fetchModels.last().resolve(loading);
    visibility.say({ type: "page.hidden" });
    clock.increment(60_000);
    expect(fetchModels.asked).toHaveLength(1);
    visibility.say({ type: "page.shown" });
    expect(fetchModels.asked).toHaveLength(2);
    await fetchModels.last().resolve(loading);
    clock.increment(1_000);
    expect(fetchModels.asked).toHaveLength(3);
  });

  it("that can't be fetched is said, tried again by the person or when the network is back", async () => {
    const { fetchModels, visibility, actor, get } = setUp();
    await fetchModels.last().reject("network");
    expect([get(selectLoadError), get(selectPollError), get(selectAnswer)]).toEqual(["network", null, null]);
    visibility.say({ type: "page.shown" });
    await fetchModels.last().reject("internal");
    expect(get(selectLoadError)).toBe("internal");
    actor.send({ type: "retry.requested" });
    expect(get(selectLoadError)).toBeNull();
    await fetchModels.last().resolve(loading);
    expect(get(selectAnswer)).toBe(loading);
  });

  it("that could not be fetched while nobody looked is fetched when somebody does, and kept up to date from then on", async () => {
    const { clock, fetchModels, visibility } = setUp();
    visibility.say({ type: "page.hidden" });
    await fetchModels.last().reject("network");
    visibility.say({ type: "page.shown" });
    await fetchModels.last().resolve(loading);
    clock.increment(1_000);
    expect(fetchModels.asked).toHaveLength(3);
  });

  it("stays when the next one can't be fetched, and goes on being asked for", async () => {
    const { clock, fetchModels, get } = setUp();
    await fetchModels.last().resolve(loading);
    clock.increment(1_000);
    await fetchModels.last().reject("network");
    expect([get(selectAnswer), get(selectPollError), get(selectLoadError)]).toEqual([loading, "network", null]);
    clock.increment(1_000);
    await fetchModels.last().resolve(loading);
    expect(get(selectPollError)).toBeNull();
  });

  it("tells what has become of a model, once, and not every byte", async () => {
    const { clock, fetchModels, get } = setUp();
    const then = async (answer: ModelsAnswer) => {
      await fetchModels.last().resolve(answer);
      clock.increment(15_000);
      return get(selectNews);
    };
    expect(await then(answerWith(model()))).toEqual([]);
    expect(await then(loading)).toEqual([{ id: "whisper-small", state: "downloading" }]);
    const told = get(selectNews);
    expect(await then(answerWith(model({ installation: installation({ bytesDone: 60 }) })))).toBe(told);
    expect(await then(answerWith(model({ installation: installation({ state: "verifying" }) })))).toBe(told);
    expect(await then(answerWith(model({ installed })))).toEqual([{ id: "whisper-small", state: "installed" }]);
    expect(await then(answerWith(model()))).toEqual([{ id: "whisper-small", state: "removed" }]);
    const failed = installation({ state: "failed", failure: "diskFull" });
    expect(await then(answerWith(model({ installation: failed })))).toEqual([{ id: "whisper-small", state: "failed" }]);
    expect(await then(answerWith())).toEqual([{ id: "whisper-small", state: "failed" }]);
  });
});

describe("a command", () => {
  it("shows its result at once, and has the list fetched", async () => {
    const { fetchModels, perform, get, request } = setUp();
    await fetchModels.last().resolve(answerWith(model()));
    request("install");
    expect(get(selectCommands)).toEqual([{ action: "install", id: "whisper-small" }]);
    await perform.last().resolve(installation({ state: "waiting" }));
    expect(get(selectAnswer)?.models[0]?.installation?.state).toBe("waiting");
    expect([get(selectCommands), fetchModels.asked.length]).toEqual([[], 2]);
  });

  it("is done once however often it is clicked, one after another", async () => {
    const { fetchModels, perform, request } = setUp();
    await fetchModels.last().resolve(answerWith(model(), model({ id: "b" })));
    request("install");
    request("install");
    request("install", "b");
    expect(perform.asked).toHaveLength(1);
    await perform.last().resolve(installation());
    await perform.last().resolve(installation());
    expect(perform.inputs().map(({ command }) => command.id)).toEqual(["whisper-small", "b"]);
  });

  it("that was given before there is a list is done all the same", async () => {
    const { perform, request, get } = setUp();
    request("install");
    await perform.last().resolve(installation());
    expect(get(selectAnswer)).toBeNull();
  });

  it("that fails says why until it is given again or the person has read it, and has the list fetched", async () => {
    const { actor, fetchModels, perform, get, request } = setUp();
    await fetchModels.last().resolve(answerWith(model()));
    request("pause");
    await perform.last().reject("conflict");
    expect(get(selectFailures)).toEqual({ "whisper-small": { action: "pause", id: "whisper-small", code: "conflict" } });
    expect(fetchModels.asked).toHaveLength(2);
    request("pause");
    expect(get(selectFailures)).toEqual({});
    await perform.last().reject("network");
    actor.send({ type: "failure.dismissed", id: "whisper-small" });
    expect(get(selectFailures)).toEqual({});
  });

  it("to remove a model is asked about first", async () => {
    const { actor, fetchModels, perform, get, request } = setUp();
    await fetchModels.last().resolve(answerWith(model({ installed })));
    request("remove");
    expect([get(selectAskedRemoval)?.id, get(selectCommands), perform.asked]).toEqual(["whisper-small", [], []]);
    actor.send({ type: "command.dismissed" });
    expect(get(selectAskedRemoval)).toBeNull();
    request("remove");
    actor.send({ type: "command.confirmed" });
    expect(get(selectCommands)).toHaveLength(1);
    await perform.last().resolve(null);
    expect([get(selectCommands), fetchModels.asked.length]).toEqual([[], 2]);
  });

  it("to remove a model that is gone meanwhile asks about nothing that could be shown", async () => {
    const { fetchModels, get, request } = setUp();
    await fetchModels.last().resolve(answerWith());
    request("remove");
    expect(get(selectAskedRemoval)).toBeNull();
  });
});

describe("what the person has chosen on the page", () => {
  it("is kept", () => {
    const { actor, get } = setUp();
    actor.send({ type: "target.chosen", language: "de" });
    expect(get(selectTarget)).toBe("de");
    actor.send({ type: "filter.changed", filter: { search: "small" } });
    actor.send({ type: "filter.changed", filter: { isWhole: true } });
    expect(get(selectFilter)).toEqual({ ...initialFilter, search: "small", isWhole: true });
    actor.send({ type: "filter.changed", filter: { search: "smal" } });
    expect(get(selectFilter).isWhole).toBe(false);
  });

  it("among the models is shown as it was saved, before the next list", async () => {
    const { actor, fetchModels, get } = setUp();
    await fetchModels.last().resolve(answerWith(model()));
    const choices = { live: { "de-DE": "whisper-small" }, files: {}, translation: {}, voices: {} };
    actor.send({ type: "choices.saved", choices });
    expect([get(selectAnswer)?.choices, fetchModels.asked.length]).toEqual([choices, 2]);
  });
});
