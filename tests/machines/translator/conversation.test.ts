import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { Transcription } from "#contract/index.ts";
import {
  type ConversationEvent,
  conversationMachine,
  type SentNext,
  selectConversationId,
  selectHasLoadFailed,
  selectIsLoading,
  selectIsStuck,
  selectSendFailure,
  selectTranscription,
  selectTranscriptionId,
} from "#machines/translator/conversation.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const failure = (code: string) => Object.assign(new Error(code), { code });
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

function answering<Output, Input>() {
  const asked: { input: Input; resolve(output: Output): void; reject(error: unknown): void }[] = [];
  const logic = fromPromise<Output, Input>(({ input }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    asked.push({ input, resolve, reject });
    return promise;
  });
  return {
    logic,
    asked,
    last: () => {
      const ask = asked.at(-1);
      if (ask === undefined) throw new Error("nobody asked");
      return ask;
    },
  };
}

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
  const actor = createActor(machine, { clock, input: { id: "c1", transcriptionId } }).start();
  onTestFinished(() => void actor.stop());
  return { load, sendNext, clock, actor, wake: () => wake?.(), dropped: () => dropped, get: () => actor.getSnapshot() };
}

describe("what waits", () => {
  test("is sent at the start and whenever there is more, one after the other", async () => {
    const { sendNext, actor, get } = setUp();
    expect(sendNext.asked).toHaveLength(1);
    sendNext.last().resolve(sent("c1", "t1", true));
    await tick();
    expect([sendNext.asked.length, selectTranscriptionId(get())]).toEqual([2, "t1"]);
    sendNext.last().resolve(nothing);
    await tick();
    expect([sendNext.asked.length, selectTranscriptionId(get())]).toEqual([2, "t1"]);
    actor.send({ type: "change.persisted" });
    expect(sendNext.asked).toHaveLength(3);
  });

  test("of an earlier conversation is sent, and not shown", async () => {
    const { sendNext, get } = setUp();
    sendNext.last().resolve(sent("c0", "t0"));
    await tick();
    expect(selectTranscription(get())).toBeNull();
  });

  test.each(["network", "internal", "unauthorized", "tooManyRequests"])(
    "and can't be sent (%s) is sent again by itself, later and later",
    async (code) => {
      const { sendNext, clock, get } = setUp();
      for (const wait of [1000, 2000, 4000]) {
        sendNext.last().reject(failure(code));
        await tick();
        expect(selectSendFailure(get())).toBe(code);
        const before = sendNext.asked.length;
        clock.increment(wait - 1);
        expect(sendNext.asked).toHaveLength(before);
        clock.increment(1);
        expect(sendNext.asked).toHaveLength(before + 1);
      }
      sendNext.last().resolve(sent("c1", "t1"));
      await tick();
      expect(selectSendFailure(get())).toBeNull();
    },
  );

  test("is sent at once when the network is back, or the person wants it", async () => {
    const { sendNext, actor, wake } = setUp();
    sendNext.last().reject(failure("network"));
    await tick();
    wake();
    expect(sendNext.asked).toHaveLength(2);
    sendNext.last().reject(failure("network"));
    await tick();
    actor.send({ type: "retry.requested" });
    expect(sendNext.asked).toHaveLength(3);
  });

  test("and is not taken by the server is the person's decision", async () => {
    const { sendNext, actor, clock, wake, dropped, get } = setUp();
    sendNext.last().reject(failure("conflict"));
    await tick();
    clock.increment(60_000);
    wake();
    expect([selectIsStuck(get()), selectSendFailure(get()), sendNext.asked.length]).toEqual([true, "conflict", 1]);
    actor.send({ type: "retry.requested" });
    sendNext.last().reject(failure("conflict"));
    await tick();
    actor.send({ type: "discard.requested" });
    expect([dropped(), sendNext.asked.length, selectSendFailure(get())]).toEqual([1, 3, null]);
  });

  test("that had to be sent at once, without room in the browser, is shown too", () => {
    const { actor, get } = setUp();
    actor.send({ type: "change.sent", conversationId: "c1", transcription: transcription("t1") });
    expect(selectTranscriptionId(get())).toBe("t1");
  });
});

describe("a conversation", () => {
  test("that is new asks for nothing", () => {
    const { load, get } = setUp();
    expect([load.asked.length, selectIsLoading(get())]).toEqual([0, false]);
  });

  test("that was open is read again", async () => {
    const { load, get } = setUp("t1");
    expect([selectIsLoading(get()), load.last().input]).toEqual([true, { transcriptionId: "t1" }]);
    load.last().resolve(transcription("t1"));
    await tick();
    expect([selectIsLoading(get()), selectTranscription(get())?.id]).toEqual([false, "t1"]);
  });

  test("that can't be read is read again when the network is back; saying more goes on meanwhile", async () => {
    const { load, actor, sendNext, wake, get } = setUp("t1");
    sendNext.last().resolve(nothing);
    load.last().reject(failure("network"));
    await tick();
    expect(selectHasLoadFailed(get())).toBe(true);
    actor.send({ type: "change.persisted" });
    expect(sendNext.asked).toHaveLength(2);
    wake();
    expect(load.asked).toHaveLength(2);
    load.last().resolve(transcription("t1"));
    await tick();
    expect(selectHasLoadFailed(get())).toBe(false);
  });

  test.each(["notFound", "gone"])("that was deleted elsewhere (%s) is followed by another one", async (code) => {
    const { load, actor, get } = setUp("t1");
    let gone = 0;
    actor.on("transcription.gone", () => {
      gone += 1;
      actor.send({ type: "renew.requested", id: "c2" });
    });
    load.last().reject(failure(code));
    await tick();
    expect([gone, selectConversationId(get()), selectTranscriptionId(get())]).toEqual([1, "c2", null]);
  });

  test("is followed by another one when somebody wants that; what is still on its way is not shown there", async () => {
    const { actor, sendNext, get } = setUp();
    sendNext.last().resolve(sent("c1", "t1", true));
    await tick();
    actor.send({ type: "renew.requested", id: "c2" });
    expect([selectConversationId(get()), selectTranscription(get())]).toEqual(["c2", null]);
    sendNext.last().resolve(sent("c1", "t1"));
    await tick();
    expect(selectTranscription(get())).toBeNull();
  });

  test("of which every turn was deleted is nothing any more", async () => {
    const { sendNext, get } = setUp();
    sendNext.last().resolve(sent("c1", "t1", true));
    await tick();
    sendNext.last().resolve({ conversationId: "c1", transcription: null, more: false });
    await tick();
    expect(selectTranscriptionId(get())).toBeNull();
  });
});
