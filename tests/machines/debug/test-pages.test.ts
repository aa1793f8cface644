import { describe, expect, test } from "vitest";
import { createActor, fromCallback, fromPromise } from "xstate";
import {
  type ChunkReport,
  type ChunkRun,
  chunkedTranscriptionMachine,
  selectChunkCount,
  selectChunkReports,
  selectChunksCode,
  selectIsCutting,
  selectIsDone,
  selectIsSending,
} from "#machines/debug/chunked-transcription.ts";
import {
  type LiveRun,
  type RealtimeTranscriptionEvent,
  realtimeTranscriptionMachine,
  selectIsRunning,
  selectLiveCode,
  selectLiveStage,
} from "#machines/debug/realtime-transcription.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const chunkRun: ChunkRun = { source: "fixture", seconds: 4, language: "en" };
const report = (index: number): ChunkReport => ({
  index,
  start: index * 4,
  seconds: 4,
  bytes: 10,
  uploaded: 1,
  finished: 2,
  text: `chunk ${index}`,
  code: null,
  raw: "",
});

describe("chunked transcription test", () => {
  function start(count: number, sendChunk: (index: number) => Promise<ChunkReport>) {
    const machine = chunkedTranscriptionMachine.provide({
      actors: {
        cut: fromPromise<number, ChunkRun>(async () => count),
        sendChunk: fromPromise<ChunkReport, { run: ChunkRun; index: number }>(({ input }) => sendChunk(input.index)),
      },
    });
    const actor = createActor(machine).start();
    actor.send({ type: "run.requested", run: chunkRun });
    return actor;
  }

  test("sends chunks one after another, in order, and reports each", async () => {
    const sent: number[] = [];
    const actor = start(3, async (index) => {
      sent.push(index);
      return report(index);
    });
    await expect.poll(() => actor.getSnapshot().value).toBe("done");
    expect(sent).toEqual([0, 1, 2]);
    expect(selectChunkReports(actor.getSnapshot()).map(({ text }) => text)).toEqual(["chunk 0", "chunk 1", "chunk 2"]);
  });

  test("ends when a chunk can't be sent, with the reason, and keeps earlier reports", async () => {
    const actor = start(3, async (index) => {
      if (index === 1) throw Object.assign(new Error("signed out"), { code: "unauthorized" });
      return report(index);
    });
    await expect.poll(() => actor.getSnapshot().value).toBe("failed");
    expect(selectChunksCode(actor.getSnapshot())).toBe("unauthorized");
    expect(selectChunkReports(actor.getSnapshot())).toHaveLength(1);
  });

  test("the test of a live engine stops, and starts again without the earlier reports", async () => {
    const actor = start(2, () => new Promise(() => {}));
    await expect.poll(() => actor.getSnapshot().value).toBe("sending");
    actor.send({ type: "stop.requested" });
    expect(actor.getSnapshot().value).toBe("stopped");
    actor.send({ type: "run.requested", run: chunkRun });
    expect(selectChunkReports(actor.getSnapshot())).toEqual([]);
    actor.stop();
  });
});

describe("cutting of the test audio", () => {
  const setUp = () => {
    const cut = answering<number, ChunkRun>();
    const send = answering<ChunkReport, { run: ChunkRun; index: number }>();
    const machine = chunkedTranscriptionMachine.provide({ actors: { cut: cut.logic, sendChunk: send.logic } });
    const actor = stopsAfterTest(createActor(machine)).start();
    const state = () => {
      const now = actor.getSnapshot();
      return [selectIsCutting(now), selectIsSending(now), selectIsDone(now), selectChunkCount(now)];
    };
    const run = () => actor.send({ type: "run.requested", run: chunkRun });
    return { actor, cut, send, state, run, get: () => actor.getSnapshot() };
  };

  test("cuts and sends the audio, and reports each step and the number of chunks", async () => {
    const { cut, send, state, run } = setUp();
    expect(state()).toEqual([false, false, false, 0]);
    run();
    expect([cut.inputs(), state()]).toEqual([[chunkRun], [true, false, false, 0]]);
    await cut.last().resolve(2);
    expect([send.inputs(), state()]).toEqual([[{ run: chunkRun, index: 0 }], [false, true, false, 2]]);
    await send.last().resolve(report(0));
    expect([send.last().input.index, state()]).toEqual([1, [false, true, false, 2]]);
    await send.last().resolve(report(1));
    expect([send.asked.length, state()]).toEqual([2, [false, false, true, 2]]);
    run();
    expect(state()).toEqual([true, false, false, 0]);
  });

  test("finishes at once for empty audio, and shows why audio can't be cut", async () => {
    const { cut, send, state, run, get } = setUp();
    run();
    await cut.last().resolve(0);
    expect([state(), send.asked]).toEqual([[false, false, true, 0], []]);
    run();
    await cut.last().reject("unreadable");
    expect([state(), selectChunksCode(get())]).toEqual([[false, false, false, 0], "unreadable"]);
    run();
    expect(selectChunksCode(get())).toBeNull();
  });

  test("sends nothing more after a stop during cutting or sending", async () => {
    const { actor, cut, send, state, run } = setUp();
    run();
    actor.send({ type: "stop.requested" });
    expect([state(), cut.last().signal.aborted]).toEqual([[false, false, false, 0], true]);
    run();
    await cut.last().resolve(2);
    actor.send({ type: "stop.requested" });
    expect([state(), send.last().signal.aborted]).toEqual([[false, false, false, 2], true]);
  });
});

describe("realtime transcription test", () => {
  function start() {
    const heard: RealtimeTranscriptionEvent[] = [];
    const line: { send: (event: RealtimeTranscriptionEvent) => void; open: boolean } = { send: () => {}, open: false };
    const machine = realtimeTranscriptionMachine.provide({
      actors: {
        connection: fromCallback<RealtimeTranscriptionEvent, LiveRun>(({ sendBack, receive }) => {
          line.send = sendBack;
          line.open = true;
          receive((event) => heard.push(event));
          return () => {
            line.open = false;
          };
        }),
      },
    });
    const actor = createActor(machine).start();
    actor.send({ type: "run.requested", run: { source: "fixture", pace: "real", language: "en" } });
    return { actor, heard, line };
  }

  test("the test of a live engine goes from the connection to the last word", () => {
    const { actor, line } = start();
    const stages = [selectLiveStage(actor.getSnapshot())];
    for (const type of ["connection.opened", "sound.ended", "words.complete"] as const) {
      line.send({ type });
      stages.push(selectLiveStage(actor.getSnapshot()));
    }
    expect(stages).toEqual(["connecting", "speaking", "finishing", "done"]);
    expect(line.open).toBe(false);
  });

  test("ends the audio on stop and waits for its words", () => {
    const { actor, heard, line } = start();
    line.send({ type: "connection.opened" });
    actor.send({ type: "stop.requested" });
    expect(heard).toEqual([{ type: "stop.requested" }]);
    expect([selectLiveStage(actor.getSnapshot()), line.open]).toEqual(["finishing", true]);
  });

  test("runs until its end, and can be canceled before", () => {
    for (const [events, stage] of [
      [["stop.requested"], "idle"],
      [["connection.opened", "cancel.requested"], "idle"],
      [["connection.opened", "stop.requested", "cancel.requested"], "idle"],
      [["cancel.requested"], "idle"],
    ] as const) {
      const { actor, line } = start();
      expect(selectIsRunning(actor.getSnapshot())).toBe(true);
      for (const type of events) actor.send({ type });
      expect([selectLiveStage(actor.getSnapshot()), selectIsRunning(actor.getSnapshot()), line.open]).toEqual([
        stage,
        false,
        false,
      ]);
      actor.stop();
    }
  });

  test("the test of a live engine can start again after its end", () => {
    const { actor, line } = start();
    line.send({ type: "words.complete" });
    actor.send({ type: "run.requested", run: { source: "microphone", pace: "fast", language: "de" } });
    expect([selectLiveStage(actor.getSnapshot()), line.open]).toEqual(["connecting", true]);
    actor.stop();
  });

  test("shows why the connection was lost until it starts again", () => {
    const { actor, line } = start();
    line.send({ type: "connection.lost", code: "limitReached" });
    expect([selectLiveStage(actor.getSnapshot()), selectLiveCode(actor.getSnapshot())]).toEqual(["failed", "limitReached"]);
    actor.send({ type: "run.requested", run: { source: "microphone", pace: "real", language: "en" } });
    expect([selectLiveStage(actor.getSnapshot()), selectLiveCode(actor.getSnapshot())]).toEqual(["connecting", null]);
    actor.stop();
  });
});
