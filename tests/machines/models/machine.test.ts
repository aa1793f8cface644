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

describe("list of models", () => {
  it("fetches the list every 15 seconds, and every second during an installation", async () => {
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

  it("stops fetching while the tab is hidden, and fetches at once when it is shown", async () => {
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

  it("reports a list that can't be fetched, and retries on request or when the network is back", async () => {
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

  it("fetches a failed list when the tab is shown, and keeps polling", async () => {
    const { clock, fetchModels, visibility } = setUp();
    visibility.say({ type: "page.hidden" });
    await fetchModels.last().reject("network");
    visibility.say({ type: "page.shown" });
    await fetchModels.last().resolve(loading);
    clock.increment(1_000);
    expect(fetchModels.asked).toHaveLength(3);
  });

  it("keeps the list when polling fails, and keeps polling", async () => {
    const { clock, fetchModels, get } = setUp();
    await fetchModels.last().resolve(loading);
    clock.increment(1_000);
    await fetchModels.last().reject("network");
    expect([get(selectAnswer), get(selectPollError), get(selectLoadError)]).toEqual([loading, "network", null]);
    clock.increment(1_000);
    await fetchModels.last().resolve(loading);
    expect(get(selectPollError)).toBeNull();
  });

  it("announces each change of a model once, but not its progress", async () => {
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

describe("command of the model manager", () => {
  it("shows a command's result at once and fetches the list again", async () => {
    const { fetchModels, perform, get, request } = setUp();
    await fetchModels.last().resolve(answerWith(model()));
    request("install");
    expect(get(selectCommands)).toEqual([{ action: "install", id: "whisper-small" }]);
    await perform.last().resolve(installation({ state: "waiting" }));
    expect(get(selectAnswer)?.models[0]?.installation?.state).toBe("waiting");
    expect([get(selectCommands), fetchModels.asked.length]).toEqual([[], 2]);
  });

  it("runs a command once however often it is clicked, one after another", async () => {
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

  it("runs a command that was given before the list was loaded", async () => {
    const { perform, request, get } = setUp();
    request("install");
    await perform.last().resolve(installation());
    expect(get(selectAnswer)).toBeNull();
  });

  it("shows why a command failed until it is repeated or dismissed, and fetches the list again", async () => {
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

  it("asks before a model is removed", async () => {
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

  it("asks nothing about a model that is already gone", async () => {
    const { fetchModels, get, request } = setUp();
    await fetchModels.last().resolve(answerWith());
    request("remove");
    expect(get(selectAskedRemoval)).toBeNull();
  });
});

describe("choices on the models page", () => {
  it("keeps the chosen filter and language", () => {
    const { actor, get } = setUp();
    actor.send({ type: "target.chosen", language: "de" });
    expect(get(selectTarget)).toBe("de");
    actor.send({ type: "filter.changed", filter: { search: "small" } });
    actor.send({ type: "filter.changed", filter: { isWhole: true } });
    expect(get(selectFilter)).toEqual({ ...initialFilter, search: "small", isWhole: true });
    actor.send({ type: "filter.changed", filter: { search: "smal" } });
    expect(get(selectFilter).isWhole).toBe(false);
  });

  it("shows a saved choice before the next list", async () => {
    const { actor, fetchModels, get } = setUp();
    await fetchModels.last().resolve(answerWith(model()));
    const choices = { live: { "de-DE": "whisper-small" }, files: {}, translation: {}, voices: {} };
    actor.send({ type: "choices.saved", choices });
    expect([get(selectAnswer)?.choices, fetchModels.asked.length]).toEqual([choices, 2]);
  });
});
