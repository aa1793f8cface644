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

describe("a transcription that is being made", () => {
  test("is followed with its segments to its end", async () => {
    const { now, emit } = await beginWorking();
    emit({ type: "transcription.updated", transcription: summary(), segments: [segment("one")] });
    // An update without segments leaves those that are there.
    const progress = { stage: "recognizing", fraction: 0.5, secondsLeft: 9 } as const;
    emit({ type: "transcription.updated", transcription: summary({ progress }) });
    expect(selectProcessed(now())).toMatchObject({ progress, segments: [{ text: "one" }] });
    expect(selectIsCompleted(now())).toBe(false);
    emit({ type: "transcription.updated", transcription: summary({ status: "completed" }), segments: [segment("two")] });
    expect([selectIsCompleted(now()), selectProcessed(now())?.segments[0]?.text]).toEqual([true, "two"]);
  });

  test("that is finished already is so at once", async () => {
    const { loads, now } = begin();
    loads[0]?.resolve(full({ status: "completed" }));
    await settle();
    expect(selectIsCompleted(now())).toBe(true);
  });

  test("that is not there is said to be missing, and is looked for again when asked to", async () => {
    const { loads, now, actor } = begin();
    loads[0]?.reject(refusal(404, "notFound"));
    await settle();
    expect(selectIsMissing(now())).toBe(true);
    actor.send({ type: "reload.requested" });
    expect(loads).toHaveLength(2);
  });

  test("that can't be reached is asked for again after 1, 2, 4 … s, and meanwhile it says why", async () => {
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

describe("a device that wakes", () => {
  const resumed = { type: "page.resumed" } as const;

  test("asks at once for what it could not reach, and for what may have changed meanwhile", async () => {
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

  test("waits no longer afterwards than after a first failure, once it was reached", async () => {
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

describe("one that has failed", () => {
  test("says why, is set going again, and is followed again", async () => {
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

  test("with a status that nobody knows has failed, too", async () => {
    const { now, emit } = await beginWorking();
    emit({ type: "transcription.updated", transcription: summary({ status: "exploded" }) });
    expect(selectProcessingFailure(now())).toBe("internal");
  });
});
