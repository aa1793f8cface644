import { afterEach, describe, expect, test } from "vitest";
import { type AnyActor, createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { Segment, Transcription } from "#contract/index.ts";
import {
  type ProcessingEvent,
  processingMachine,
  selectIsCompleted,
  selectIsMissing,
  selectIsRetrying,
  selectProcessed,
  selectProcessingFailure,
  selectUnreachable,
} from "#machines/uploads/processing.ts";
import { refusal, settle, summary } from "./harness.ts";

const started: AnyActor[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

const full = (changes: Parameters<typeof summary>[0] = {}): Transcription => ({
  ...summary(changes),
  segments: [],
  fileName: null,
  engine: null,
});
const segment = (text: string): Segment => ({ start: 0, end: 1, text, words: [] });

function begin() {
  const clock = new SimulatedClock();
  const loads: PromiseWithResolvers<Transcription>[] = [];
  const retries: PromiseWithResolvers<Transcription>[] = [];
  const listeners = new Set<(event: ProcessingEvent) => void>();
  const asking = (list: PromiseWithResolvers<Transcription>[]) =>
    fromPromise<Transcription, { id: string }>(() => {
      const asked = Promise.withResolvers<Transcription>();
      list.push(asked);
      return asked.promise;
    });
  const updates = fromCallback<ProcessingEvent, { id: string }>(({ sendBack }) => {
    listeners.add(sendBack);
    return () => listeners.delete(sendBack);
  });
  const wakeUps = fromCallback<ProcessingEvent>(({ sendBack }) => {
    listeners.add(sendBack);
    return () => listeners.delete(sendBack);
  });
  const machine = processingMachine.provide({ actors: { load: asking(loads), reprocess: asking(retries), updates, wakeUps } });
  const actor = createActor(machine, { clock, input: { id: "t1" } }).start();
  started.push(actor);
  const emit = (event: ProcessingEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  return { actor, clock, loads, retries, emit, now: () => actor.getSnapshot() };
}

async function beginWorking() {
  const harness = begin();
  harness.loads[0]?.resolve(full());
  await settle();
  return harness;
}

describe("transcription in progress", () => {
  test("the transcription in progress is followed with its segments to its end", async () => {
    const { now, emit } = await beginWorking();
    emit({ type: "transcription.updated", transcription: summary(), segments: [segment("one")] });
    // An update without segments keeps the known ones.
    const progress = { stage: "recognizing", fraction: 0.5, secondsLeft: 9 } as const;
    emit({ type: "transcription.updated", transcription: summary({ progress }) });
    expect(selectProcessed(now())).toMatchObject({ progress, segments: [{ text: "one" }] });
    expect(selectIsCompleted(now())).toBe(false);
    emit({ type: "transcription.updated", transcription: summary({ status: "completed" }), segments: [segment("two")] });
    expect([selectIsCompleted(now()), selectProcessed(now())?.segments[0]?.text]).toEqual([true, "two"]);
  });

  test("the transcription in progress is shown as finished at once if it already is", async () => {
    const { loads, now } = begin();
    loads[0]?.resolve(full({ status: "completed" }));
    await settle();
    expect(selectIsCompleted(now())).toBe(true);
  });

  test("the transcription in progress is reported missing, and looked for again on request", async () => {
    const { loads, now, actor } = begin();
    loads[0]?.reject(refusal(404, "notFound"));
    await settle();
    expect(selectIsMissing(now())).toBe(true);
    actor.send({ type: "reload.requested" });
    expect(loads).toHaveLength(2);
  });

  test("the transcription in progress is requested again after 1, 2, 4 … s, with the reason shown", async () => {
    const { loads, now, clock } = begin();
    for (const [index, seconds] of [1, 2, 4, 8].entries()) {
      loads[index]?.reject(refusal(0, "network"));
      await settle();
      expect(selectUnreachable(now())).toBe("network");
      clock.increment(seconds * 1000);
      expect(loads).toHaveLength(index + 2);
    }
    loads[4]?.resolve(full());
    await settle();
    expect(selectUnreachable(now())).toBeNull();
  });
});

describe("device that wakes", () => {
  const resumed = { type: "page.resumed" } as const;

  test("requests at once after waking what it could not reach or may have missed", async () => {
    const { loads, emit, actor, now } = begin();
    loads[0]?.reject(refusal(0, "network"));
    await settle();
    emit(resumed);
    expect(loads).toHaveLength(2);
    loads[1]?.reject(refusal(0, "internal"));
    await settle();
    expect(selectUnreachable(now())).toBe("internal");
    actor.send({ type: "reload.requested" });
    expect(loads).toHaveLength(3);
    loads[2]?.resolve(full());
    await settle();
    emit(resumed);
    expect([loads.length, selectUnreachable(now()), selectProcessed(now())?.id]).toEqual([4, null, "t1"]);
  });

  test("following a transcription waits briefly again after it has reached the server", async () => {
    const { loads, clock, emit } = begin();
    for (const index of [0, 1]) {
      loads[index]?.reject(refusal(0, "network"));
      await settle();
      emit(resumed);
    }
    loads[2]?.resolve(full());
    await settle();
    emit(resumed);
    loads[3]?.reject(refusal(0, "network"));
    await settle();
    clock.increment(999);
    expect(loads).toHaveLength(4);
    clock.increment(1);
    expect(loads).toHaveLength(5);
  });
});

describe("failed transcription", () => {
  test("a failed transcription shows the reason, is retried, and is followed again", async () => {
    const { now, emit, actor, retries } = await beginWorking();
    const error = { message: "No.", code: "engineFailed" } as const;
    emit({ type: "transcription.updated", transcription: summary({ status: "failed", error }) });
    expect(selectProcessingFailure(now())).toBe("engineFailed");
    actor.send({ type: "retry.requested" });
    expect([selectIsRetrying(now()), selectProcessingFailure(now())]).toEqual([true, "engineFailed"]);
    retries[0]?.reject(refusal(0, "network"));
    await settle();
    expect([selectIsRetrying(now()), selectProcessingFailure(now())]).toEqual([false, "network"]);
    actor.send({ type: "retry.requested" });
    retries[1]?.resolve(full());
    await settle();
    expect(selectProcessingFailure(now())).toBeNull();
    emit({ type: "transcription.updated", transcription: summary({ status: "completed" }) });
    expect(selectIsCompleted(now())).toBe(true);
  });

  test("follows a transcription with an unknown status", async () => {
    const { now, emit } = await beginWorking();
    emit({ type: "transcription.updated", transcription: summary({ status: "exploded" }) });
    expect(selectProcessingFailure(now())).toBe("internal");
  });
});
