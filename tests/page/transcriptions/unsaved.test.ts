import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FinalTranscription, Transcription } from "#contract/index.ts";
import { createStorage } from "#src/browser/storage.ts";
import { createUnsaved } from "#src/features/transcriptions/unsaved.ts";
import { transcription } from "#tests/machines/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const environment = {
  userId: null as string | null,
  saveFinal: vi.fn<(json: FinalTranscription, signal?: AbortSignal) => Promise<Transcription>>(),
};
const open = (tab: Parameters<typeof createStorage>[0]) =>
  createUnsaved({ owner: () => environment.userId, save: environment.saveFinal, storage: createStorage(tab) });

let { unsaved, saveFinal } = open(new FakeOrigin().openTab());
let origin: FakeOrigin;
beforeEach(() => {
  origin = new FakeOrigin();
  ({ unsaved, saveFinal } = open(origin.openTab()));
  environment.userId = "anna";
  environment.saveFinal.mockReset();
});

const said = (text: string, parts: Partial<FinalTranscription> = {}): FinalTranscription => ({
  clientId: crypto.randomUUID(),
  title: text,
  text,
  translatedText: "",
  segments: [],
  sourceLanguage: "en",
  targetLanguage: null,
  date: "2026-03-01T10:00:00.000Z",
  ...parts,
});
const texts = () => unsaved.list().map(({ text }) => text);
const raw = () => origin.items.get("transcriptions");

describe("unsaved transcriptions in the browser", () => {
  // SPEC 3: "A local list is also kept in local storage under the key transcriptions."
  test("unsaved transcriptions in the browser are stored under the specification's key, newest first", () => {
    expect(unsaved.keep(said("one"), "anna")).toBe(true);
    expect(unsaved.keep(said("two"), "anna")).toBe(true);
    expect(texts()).toEqual(["two", "one"]);
    expect(raw()).toContain('"two"');
  });

  test("unsaved transcriptions in the browser are stored completely", () => {
    const whole = said("one", {
      recordingId: crypto.randomUUID(),
      translatedText: "uno",
      targetLanguage: "es",
      segments: [{ start: 0, end: 1, text: "one", words: [{ text: "one", start: 0, end: 0.5, confidence: 0.5 }] }],
    });
    unsaved.keep(whole, "anna");
    expect(unsaved.list()).toEqual([whole]);
  });

  test("unsaved transcriptions in the browser are stored once per client id, in the latest version", () => {
    const one = said("one");
    unsaved.keep(one, "anna");
    unsaved.keep({ ...one, text: "one, longer" }, "anna");
    expect(texts()).toEqual(["one, longer"]);
  });

  test("unsaved transcriptions in the browser are dropped one by one, and the key with the last", () => {
    const [one, two] = [said("one"), said("two")];
    unsaved.keep(one, "anna");
    unsaved.keep(two, "anna");
    unsaved.drop(one.clientId);
    unsaved.drop(crypto.randomUUID());
    expect(texts()).toEqual(["two"]);
    unsaved.drop(two.clientId);
    expect([texts(), raw()]).toEqual([[], undefined]);
  });

  test("unsaved transcriptions in the browser report a full storage and keep what was there", () => {
    unsaved.keep(said("one"), "anna");
    origin.full = true;
    expect(unsaved.keep(said("two"), "anna")).toBe(false);
    expect(texts()).toEqual(["one"]);
  });
});

describe("list of unsaved transcriptions", () => {
  test("the list of unsaved transcriptions stays the same array until it changes", () => {
    unsaved.keep(said("one"), "anna");
    const list = unsaved.list();
    expect(unsaved.list()).toBe(list);
    unsaved.keep(said("two"), "anna");
    expect(unsaved.list()).not.toBe(list);
  });

  test("the list of unsaved transcriptions belongs to one person and survives another's changes", () => {
    const annas = said("anna's");
    unsaved.keep(annas, "anna");
    environment.userId = "ben";
    expect(texts()).toEqual([]);
    const bens = said("ben's");
    unsaved.keep(bens, "ben");
    expect(texts()).toEqual(["ben's"]);
    unsaved.drop(bens.clientId);
    environment.userId = "anna";
    expect(texts()).toEqual(["anna's"]);
    environment.userId = null;
    expect(texts()).toEqual([]);
  });

  test.each(["no JSON", "{}", "null", '"text"', "[1,"])(
    "the list of unsaved transcriptions is empty when the storage contains %j",
    (text) => {
      origin.items.set("transcriptions", text);
      expect(texts()).toEqual([]);
      expect(unsaved.keep(said("one"), "anna")).toBe(true);
      expect(texts()).toEqual(["one"]);
    },
  );

  test("leaves unreadable unsaved transcripts in the browser alone", () => {
    const strange = { from: "another version" };
    origin.items.set("transcriptions", JSON.stringify([strange]));
    const one = said("one");
    unsaved.keep(one, "anna");
    expect(texts()).toEqual(["one"]);
    unsaved.drop(one.clientId);
    expect(JSON.parse(raw() ?? "")).toEqual([strange]);
  });

  test("the list of unsaved transcripts notifies listeners, also of another tab's changes", () => {
    const heard: string[][] = [];
    const leave = unsaved.subscribe(() => heard.push(texts()));
    const one = said("one");
    unsaved.keep(one, "anna");
    const other = createStorage(origin.openTab());
    other.remove("transcriptions");
    expect(heard).toEqual([["one"], []]);
    leave();
    unsaved.keep(one, "anna");
    expect(heard).toHaveLength(2);
  });
});

describe("saving of unsaved transcriptions", () => {
  test("removes one from the list once the server has it", async () => {
    const [one, two] = [said("one"), said("two")];
    unsaved.keep(one, "anna");
    unsaved.keep(two, "anna");
    environment.saveFinal.mockResolvedValueOnce(transcription({ title: "saved" }));
    const { signal } = new AbortController();
    const saving = saveFinal(one, signal);
    expect(texts()).toEqual(["two", "one"]);
    expect((await saving).title).toBe("saved");
    expect(environment.saveFinal).toHaveBeenCalledWith(one, signal);
    expect(texts()).toEqual(["two"]);
  });

  test("keeps an unsaved transcript in the browser that could not be saved", async () => {
    const one = said("one");
    unsaved.keep(one, "anna");
    environment.saveFinal.mockRejectedValueOnce(new Error("network"));
    await expect(saveFinal(one)).rejects.toThrow("network");
    expect(texts()).toEqual(["one"]);
  });

  test("sends only the signed-in user's unsaved transcripts", async () => {
    const one = said("one");
    unsaved.keep(one, "anna");
    environment.userId = "ben";
    await expect(saveFinal(one)).rejects.toMatchObject({ code: "unauthorized" });
    expect(environment.saveFinal).not.toHaveBeenCalled();
  });
});
