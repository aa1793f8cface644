import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ConversationTurn, Transcription, TranscriptionUpdate } from "#contract/index.ts";
import { createStorage, type PageStorage } from "#src/browser/storage.ts";
import { createOutbox as outboxOf } from "#src/features/translator/conversation-outbox.ts";
import { createOutboxEntries, type OutboxTurn } from "#src/features/translator/outbox-entries.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const environment = {
  userId: null as string | null,
  saveTurn: vi.fn<(conversationId: string, turnId: string, turn: ConversationTurn) => Promise<Transcription>>(),
  removeTurn: vi.fn<(conversationId: string, turnId: string) => Promise<Transcription>>(),
  get: vi.fn<(id: string) => Promise<Transcription>>(),
  update: vi.fn<(id: string, update: TranscriptionUpdate) => Promise<Transcription>>(),
};
let storage: PageStorage;
const createOutbox = (ownerId: string) =>
  outboxOf(ownerId, {
    entries: createOutboxEntries({ owner: () => environment.userId, storage }),
    conversations: environment,
    transcriptions: environment,
  });

const { signal } = new AbortController();
const conversationId = crypto.randomUUID();
const failure = (code: string) => Object.assign(new Error(code), { code });
const transcription = (turns: readonly string[]): Transcription => ({
  id: "t1",
  title: "",
  text: "",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: "es",
  date: "2026-05-01T10:00:00Z",
  status: "completed",
  origin: "conversation",
  durationSeconds: 3,
  hasAudio: true,
  progress: null,
  error: null,
  fileName: null,
  engine: null,
  segments: turns.map((turn, i) => ({ start: i, end: i + 1, text: "hello", words: [], turn })),
});
const turn = (turnId = crypto.randomUUID()): OutboxTurn => ({
  kind: "turn",
  clientId: crypto.randomUUID(),
  conversationId,
  turnId,
  turn: {
    languages: ["en", "es-ES"],
    sourceLanguage: "en",
    targetLanguage: "es",
    segments: [],
    title: "",
    date: "2026-05-01T10:00:00Z",
  },
});

let origin: FakeOrigin;
beforeEach(() => {
  origin = new FakeOrigin();
  storage = createStorage(origin.openTab());
  environment.userId = "anna";
  for (const call of [environment.saveTurn, environment.removeTurn, environment.get, environment.update]) call.mockReset();
});

describe("turn in the outbox", () => {
  test("the turn in the outbox is sent in order and kept until the server has it", async () => {
    const outbox = createOutbox("anna");
    const [one, two] = [turn(), turn()];
    outbox.add(one);
    outbox.add(two);
    environment.saveTurn.mockRejectedValueOnce(failure("network"));
    await expect(outbox.sendNext(signal)).rejects.toMatchObject({ code: "network" });
    expect(outbox.get()).toBe(2);
    environment.saveTurn.mockResolvedValue(transcription([one.turnId]));
    expect(await outbox.sendNext(signal)).toMatchObject({ conversationId, transcription: { id: "t1" }, more: true });
    expect(await outbox.sendNext(signal)).toMatchObject({ more: false });
    expect(environment.saveTurn.mock.calls.map(([, id]) => id)).toEqual([one.turnId, one.turnId, two.turnId]);
    expect([outbox.get(), origin.items.get("conversationChanges")]).toEqual([0, undefined]);
    expect(await outbox.sendNext(signal)).toEqual({ conversationId: "", transcription: null, more: false });
  });

  test("waits for its translation, and is sent without it by another visit", () => {
    const outbox = createOutbox("anna");
    const held = turn();
    expect(outbox.hold(held, "anna")).toBe(true);
    expect([outbox.get(), createOutbox("anna").get()]).toEqual([0, 1]);
    outbox.add(held);
    expect(outbox.ready()).toEqual([held]);
  });

  test("the turn in the outbox belongs to one person", () => {
    createOutbox("anna").add(turn());
    environment.userId = "bob";
    expect(createOutbox("bob").get()).toBe(0);
  });

  test("the turn in the outbox is reported if the browser has no room for it", () => {
    origin.full = true;
    expect(createOutbox("anna").add(turn())).toBe(false);
  });

  test("the turn in the outbox is given up only on request when the server refuses it", async () => {
    const outbox = createOutbox("anna");
    outbox.add(turn());
    environment.saveTurn.mockRejectedValue(failure("badRequest"));
    await expect(outbox.sendNext(signal)).rejects.toThrow();
    outbox.dropOldest();
    expect(outbox.get()).toBe(0);
  });
});

describe("correction in the outbox", () => {
  const setUp = () => {
    const outbox = createOutbox("anna");
    outbox.learn(conversationId, "t1");
    const [other, own] = [crypto.randomUUID(), crypto.randomUUID()];
    const names = { clientId: crypto.randomUUID(), conversationId, turnId: own };
    outbox.add({ ...names, kind: "correction", index: 1, text: "hallo" });
    return { outbox, other, own };
  };

  test("the outbox finds a turn's current place on the server", async () => {
    const { outbox, other, own } = setUp();
    environment.get.mockResolvedValue(transcription([other, own, own]));
    environment.update.mockResolvedValue(transcription([own]));
    await outbox.sendNext(signal);
    expect(environment.update.mock.calls[0]?.slice(0, 2)).toEqual(["t1", { edits: [{ index: 2, text: "hallo" }] }]);
    expect(outbox.get()).toBe(0);
  });

  test("the correction in the outbox is dropped if the turn was deleted elsewhere", async () => {
    const { outbox, other } = setUp();
    environment.get.mockResolvedValue(transcription([other]));
    expect(await outbox.sendNext(signal)).toMatchObject({ transcription: { id: "t1" } });
    expect(environment.update).not.toHaveBeenCalled();
    const gone = setUp();
    environment.get.mockRejectedValue(failure("notFound"));
    expect(await gone.outbox.sendNext(signal)).toMatchObject({ transcription: null });
  });
});

describe("deletion in the outbox", () => {
  test("the deletion in the outbox is sent, and done if the turn is already gone", async () => {
    const outbox = createOutbox("anna");
    const deletion = () =>
      ({ clientId: crypto.randomUUID(), conversationId, turnId: crypto.randomUUID(), kind: "deletion" }) as const;
    outbox.add(deletion());
    environment.removeTurn.mockResolvedValueOnce(transcription([]));
    expect(await outbox.sendNext(signal)).toMatchObject({ transcription: { id: "t1" } });
    outbox.add(deletion());
    environment.removeTurn.mockRejectedValueOnce(failure("notFound"));
    expect(await outbox.sendNext(signal)).toMatchObject({ transcription: null, more: false });
  });
});
