import { describe, expect, test } from "vitest";
import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { Transcription } from "#contract/index.ts";
import {
  type ConversationEvent,
  conversationMachine,
  type SentNext,
  selectAskedTurn,
  selectConversationId,
  selectHasLoadFailed,
  selectIsLoading,
  selectIsStuck,
  selectSendFailure,
  selectTranscription,
  selectTranscriptionId,
} from "#machines/translator/conversation.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const transcription = (id: string): Transcription => ({
  id,
  title: "",
  text: "",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: "es",
  date: "2026-05-01T10:00:00Z",
  status: "completed",
  origin: "conversation",
  durationSeconds: null,
  hasAudio: false,
  progress: null,
  error: null,
  segments: [],
  fileName: null,
  engine: null,
});
const nothing: SentNext = { conversationId: "", transcription: null, more: false };
const sent = (conversationId: string, id: string, more = false): SentNext => ({
  conversationId,
  transcription: transcription(id),
  more,
});

function setUp(transcriptionId: string | null = null) {
  const load = answering<Transcription, { transcriptionId: string }>();
  const sendNext = answering<SentNext, unknown>();
  let wake: (() => void) | undefined;
  let dropped = 0;
  const clock = new SimulatedClock();
  const machine = conversationMachine.provide({
    actors: {
      load: load.logic,
      sendNext: sendNext.logic,
      wakeUps: fromCallback<ConversationEvent>(({ sendBack }) => {
        wake = () => sendBack({ type: "page.resumed" });
      }),
    },
    actions: {
      dropOldest: () => {
        dropped += 1;
      },
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { id: "c1", transcriptionId } })).start();
  return { load, sendNext, clock, actor, wake: () => wake?.(), dropped: () => dropped, get: () => actor.getSnapshot() };
}

describe("pending changes of a conversation", () => {
  test("pending changes of a conversation are sent at the start and when there are more, one after another", async () => {
    const { sendNext, actor, get } = setUp();
    expect(sendNext.asked).toHaveLength(1);
    await sendNext.last().resolve(sent("c1", "t1", true));
    expect([sendNext.asked.length, selectTranscriptionId(get())]).toEqual([2, "t1"]);
    await sendNext.last().resolve(nothing);
    expect([sendNext.asked.length, selectTranscriptionId(get())]).toEqual([2, "t1"]);
    actor.send({ type: "change.persisted" });
    expect(sendNext.asked).toHaveLength(3);
  });

  test("pending changes of a conversation are sent for an earlier conversation without showing it", async () => {
    const { sendNext, get } = setUp();
    await sendNext.last().resolve(sent("c0", "t0"));
    expect(selectTranscription(get())).toBeNull();
  });

  test.each(["network", "internal", "unauthorized", "tooManyRequests"])(
    "pending changes of a conversation are sent again at growing intervals after %s",
    async (code) => {
      const { sendNext, clock, get } = setUp();
      for (const wait of [1000, 2000, 4000]) {
        await sendNext.last().reject(code);
        expect(selectSendFailure(get())).toBe(code);
        const before = sendNext.asked.length;
        clock.increment(wait - 1);
        expect(sendNext.asked).toHaveLength(before);
        clock.increment(1);
        expect(sendNext.asked).toHaveLength(before + 1);
      }
      await sendNext.last().resolve(sent("c1", "t1"));
      expect(selectSendFailure(get())).toBeNull();
    },
  );

  test("pending changes of a conversation are sent at once when the network is back or on request", async () => {
    const { sendNext, actor, wake } = setUp();
    await sendNext.last().reject("network");
    wake();
    expect(sendNext.asked).toHaveLength(2);
    await sendNext.last().reject("network");
    actor.send({ type: "retry.requested" });
    expect(sendNext.asked).toHaveLength(3);
  });

  test("pending changes of a conversation wait for the person when the server refuses them", async () => {
    const { sendNext, actor, clock, wake, dropped, get } = setUp();
    await sendNext.last().reject("conflict");
    clock.increment(60_000);
    wake();
    expect([selectIsStuck(get()), selectSendFailure(get()), sendNext.asked.length]).toEqual([true, "conflict", 1]);
    actor.send({ type: "retry.requested" });
    await sendNext.last().reject("conflict");
    actor.send({ type: "discard.requested" });
    expect([dropped(), sendNext.asked.length, selectSendFailure(get())]).toEqual([1, 3, null]);
  });

  test("pending changes of a conversation are shown when sent at once because the browser had no room", () => {
    const { actor, get } = setUp();
    actor.send({ type: "change.sent", conversationId: "c1", transcription: transcription("t1") });
    expect(selectTranscriptionId(get())).toBe("t1");
  });
});

describe("conversation", () => {
  test("a new conversation loads nothing", () => {
    const { load, get } = setUp();
    expect([load.asked.length, selectIsLoading(get())]).toEqual([0, false]);
  });

  test("loads the turns of an open conversation again", async () => {
    const { load, get } = setUp("t1");
    expect([selectIsLoading(get()), load.last().input]).toEqual([true, { transcriptionId: "t1" }]);
    await load.last().resolve(transcription("t1"));
    expect([selectIsLoading(get()), selectTranscription(get())?.id]).toEqual([false, "t1"]);
  });

  test("loads the turns when the network is back, and accepts new turns meanwhile", async () => {
    const { load, actor, sendNext, wake, get } = setUp("t1");
    await sendNext.last().resolve(nothing);
    await load.last().reject("network");
    expect(selectHasLoadFailed(get())).toBe(true);
    actor.send({ type: "change.persisted" });
    expect(sendNext.asked).toHaveLength(2);
    wake();
    expect(load.asked).toHaveLength(2);
    await load.last().resolve(transcription("t1"));
    expect(selectHasLoadFailed(get())).toBe(false);
  });

  test.each(["notFound", "gone"])("starts a new conversation when the open one was deleted elsewhere (%s)", async (code) => {
    const { load, actor, get } = setUp("t1");
    let gone = 0;
    actor.on("transcription.gone", () => {
      gone += 1;
      actor.send({ type: "renew.requested", id: "c2" });
    });
    await load.last().reject(code);
    expect([gone, selectConversationId(get()), selectTranscriptionId(get())]).toEqual([1, "c2", null]);
  });

  test("starts a new conversation on request, without the pending turns of the old one", async () => {
    const { actor, sendNext, get } = setUp();
    await sendNext.last().resolve(sent("c1", "t1", true));
    actor.send({ type: "renew.requested", id: "c2" });
    expect([selectConversationId(get()), selectTranscription(get())]).toEqual(["c2", null]);
    await sendNext.last().resolve(sent("c1", "t1"));
    expect(selectTranscription(get())).toBeNull();
  });

  test("deletes the confirmed turn, and forgets a question about another conversation", () => {
    const { actor, get } = setUp();
    const deleted: string[] = [];
    actor.on("turn.deleted", ({ turnId }) => void deleted.push(turnId));
    actor.send({ type: "deletion.requested", turnId: "a" });
    actor.send({ type: "deletion.cancelled" });
    actor.send({ type: "deletion.confirmed" });
    actor.send({ type: "deletion.requested", turnId: "b" });
    expect(selectAskedTurn(get())).toBe("b");
    actor.send({ type: "deletion.confirmed" });
    actor.send({ type: "deletion.requested", turnId: "c" });
    actor.send({ type: "renew.requested", id: "c2" });
    expect([deleted, selectAskedTurn(get())]).toEqual([["b"], null]);
  });

  test("a conversation ends when all turns were deleted", async () => {
    const { sendNext, get } = setUp();
    await sendNext.last().resolve(sent("c1", "t1", true));
    await sendNext.last().resolve({ conversationId: "c1", transcription: null, more: false });
    expect(selectTranscriptionId(get())).toBeNull();
  });
});
