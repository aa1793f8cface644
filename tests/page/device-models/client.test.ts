import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createActor, fromCallback, fromPromise } from "xstate";
import type { DeviceModelEvent, StoredModel } from "#machines/device-models/events.ts";
import { deviceModelMachine } from "#machines/device-models/machine.ts";
import { selectFailure, selectIsTooSlow, selectPhase } from "#machines/device-models/selectors.ts";
import { createClient } from "#src/features/device-models/client.ts";
import type { ModelFile, ModelFiles } from "#src/features/device-models/files.ts";
import type { Answer, Question, TranslatorAnswer, TranslatorQuestion } from "#src/features/device-models/messages.ts";
import { createTranslator } from "#src/features/device-models/translator.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

// The messages between the page and the workers of models.

class FakeWorker extends EventTarget {
  static readonly started: FakeWorker[] = [];
  readonly asked: (Question | TranslatorQuestion)[] = [];
  isTerminated = false;
  constructor() {
    super();
    FakeWorker.started.push(this);
  }
  postMessage(question: Question | TranslatorQuestion) {
    this.asked.push(question);
  }
  terminate() {
    this.isTerminated = true;
  }
  say(answer: Answer | TranslatorAnswer) {
    this.dispatchEvent(new MessageEvent("message", { data: answer }));
  }
}

const file: ModelFile = { url: "/assets/file.bin", bytes: 1, sha256: "", isGzipped: true };
const files: ModelFiles = { encoder: file, decoder: file, tokens: file, silero: file, wasm: file };
const segment = { start: 0, end: 1, text: "hello", words: [] };

let releaseLock: () => void;

beforeEach(() => {
  FakeWorker.started.length = 0;
  vi.stubGlobal("Worker", FakeWorker);
  const request = (_: string, { signal }: { signal: AbortSignal }, then: () => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => reject(signal.reason));
    releaseLock = resolve;
    return promise.then(then);
  };
  vi.stubGlobal("navigator", { locks: { request } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

type Run = ReturnType<typeof createClient>["run"];

async function startMachine(run: Run, kept: StoredModel["kept"] = "whole") {
  const machine = deviceModelMachine.provide({
    actors: {
      check: fromPromise(async (): Promise<StoredModel> => ({ kept, wasReplaced: false })),
      worker: fromCallback<DeviceModelEvent>(run),
      otherTabs: fromCallback<DeviceModelEvent>(() => {}),
    },
  });
  const actor = stopsAfterTest(createActor(machine)).start();
  await vi.waitUntil(() => selectPhase(actor.getSnapshot()) !== "checking");
  return actor;
}

const worker = () => {
  const last = FakeWorker.started.at(-1);
  if (last === undefined) throw new Error("No worker was started.");
  return last;
};

async function start(kept?: StoredModel["kept"]) {
  const client = createClient("/assets/recogniser.worker.js", files, (event) => actor.send(event));
  const actor = await startMachine(client.run, kept);
  const heard: string[] = [];
  const listener = {
    onInterim: (text: string) => heard.push(`interim ${text}`),
    onFinal: ({ text }: { text: string }) => heard.push(`final ${text}`),
    onFailed: (code: string) => heard.push(`failed ${code}`),
  };
  return { actor, client, heard, listener, worker, phase: () => selectPhase(actor.getSnapshot()) };
}

test("recognizes live speech that may arrive before the model is open", async () => {
  const { actor, client, heard, listener, worker, phase } = await start();
  const stream = client.listen(listener);
  stream.write(new Uint8Array(4));
  expect([phase(), worker().asked.map(({ type }) => type)]).toEqual(["loading", ["open", "listen", "write"]]);
  worker().say({ type: "opened" });
  worker().say({ type: "interim", id: 1, text: "hel" });
  worker().say({ type: "final", id: 1, segment });
  const ended = stream.end();
  expect(phase()).toBe("running");
  worker().say({ type: "done", id: 1, segments: [segment] });
  expect(await ended).toEqual([segment]);
  expect([heard, phase(), actor.getSnapshot().context.uses]).toEqual([["interim hel", "final hello"], "idle", 0]);
});

test("reports once to listener and machine that live speech is too slow", async () => {
  const { actor, client, heard, listener, worker } = await start();
  const stream = client.listen(listener);
  worker().say({ type: "opened" });
  worker().say({ type: "failed", id: 1, code: "tooSlow" });
  await expect(stream.end()).rejects.toMatchObject({ code: "tooSlow" });
  expect([heard, selectIsTooSlow(actor.getSnapshot())]).toEqual([["failed tooSlow"], true]);
});

test("the device's recognizer recognizes a recording and stops when aborted", async () => {
  const { client, worker, phase } = await start();
  const [first, second] = [new AbortController(), new AbortController()];
  const fractions: number[] = [];
  const onProgress = (fraction: number) => fractions.push(fraction);
  const done = client.transcribe(new Blob(), { onProgress, signal: first.signal });
  const aborted = client.transcribe(new Blob(), { onProgress, signal: second.signal });
  worker().say({ type: "opened" });
  second.abort(new Error("given up"));
  await expect(aborted).rejects.toThrow("given up");
  expect(worker().asked.at(-1)).toEqual({ type: "cancel", id: 2 });
  worker().say({ type: "progress", id: 1, fraction: 0.5 });
  worker().say({ type: "done", id: 1, segments: [segment] });
  expect([await done, fractions, phase()]).toEqual([[segment], [0.5], "idle"]);
});

test.each(["its lock is free", "it has crashed"])("fails requests of a lost worker when %s, and starts another", async (how) => {
  const { actor, client, heard, listener, worker, phase } = await start();
  const stream = client.listen(listener);
  const recording = client.transcribe(new Blob(), { onProgress: () => {}, signal: new AbortController().signal });
  worker().say({ type: "begun" });
  worker().say({ type: "opened" });
  if (how === "it has crashed") worker().dispatchEvent(new Event("error"));
  else releaseLock();
  await expect(stream.end()).rejects.toMatchObject({ code: "workerLost" });
  await expect(recording).rejects.toMatchObject({ code: "workerLost" });
  expect([heard, worker().isTerminated]).toEqual([["failed workerLost"], true]);
  expect([phase(), selectFailure(actor.getSnapshot())]).toEqual(["ready", "workerLost"]);
  client.listen(listener);
  expect([FakeWorker.started.length, phase(), actor.getSnapshot().context.uses]).toEqual([2, "loading", 1]);
});

test("fails at once when there is no model on this device", async () => {
  const { client, listener, heard } = await start("nothing");
  await expect(client.listen(listener).end()).rejects.toMatchObject({ code: "absent" });
  expect([heard, FakeWorker.started]).toEqual([["failed absent"], []]);
});

test("translates, stops when aborted, and fails all waiting requests when the engine breaks", async () => {
  const { run, translate } = createTranslator({
    url: "/assets/translator.worker.js",
    cache: "device-translation en es",
    files: () => [{ ...file, part: "model" }],
    target: "es",
    send: (event) => actor.send(event),
  });
  const actor = await startMachine(run);
  const [first, second] = [new AbortController(), new AbortController()];
  const [done, aborted] = [translate(["house", "big"], first.signal), translate(["house"], second.signal)];
  expect(worker().asked.map(({ type }) => type)).toEqual(["open", "translate", "translate"]);
  worker().say({ type: "opened" });
  second.abort(new Error("given up"));
  await expect(aborted).rejects.toThrow("given up");
  expect(worker().asked.at(-1)).toEqual({ type: "cancel", id: 2 });
  worker().say({ type: "translated", id: 1, texts: ["casa", "grande"] });
  expect([await done, selectPhase(actor.getSnapshot())]).toEqual([["casa", "grande"], "idle"]);
  const broken = translate(["house"], first.signal);
  worker().say({ type: "closed", code: "internal" });
  await expect(broken).rejects.toMatchObject({ code: "internal" });
  expect([worker().isTerminated, selectPhase(actor.getSnapshot())]).toEqual([true, "ready"]);
});
