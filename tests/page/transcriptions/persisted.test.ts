import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Transcription } from "#contract/index.ts";
import { createStorage } from "#src/browser/storage.ts";
import { setSession } from "#src/features/session/actor.ts";
import { createSession, type Session } from "#src/features/session/create-session.ts";
import { type EffectsEnvironment, followSession } from "#src/features/session/effects.ts";
import { createSessionStore } from "#src/features/session/store.ts";
import {
  dropPersisted,
  loadPersisted,
  maxAllPersistedBytes,
  maxPersisted,
  maxPersistedBytes,
  persistedTranscriptions,
  persistTranscription,
} from "#src/features/transcriptions/persisted.ts";
import { hour, stored, token } from "#tests/machines/session/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const now = Date.UTC(2026, 10, 20, 12);
const day = 24 * hour;

/** The part of the browser's caches that the code under test uses. */
function fakeCaches() {
  const all = new Map<string, Map<string, Response>>();
  const cacheOf = (kept: Map<string, Response>) => ({
    keys: async () => [...kept.keys()],
    match: async (url: string) => kept.get(url)?.clone(),
    // Putting an existing URL again moves it to the end.
    put: async (url: string, response: Response) => {
      kept.delete(url);
      kept.set(url, response);
    },
    delete: async (url: string) => kept.delete(url),
  });
  const open = async (name: string) => {
    const kept = all.get(name) ?? new Map<string, Response>();
    all.set(name, kept);
    return cacheOf(kept);
  };
  return { all, caches: { open, keys: async () => [...all.keys()], delete: async (name: string) => all.delete(name) } };
}

const nothing = () => {};
const environment: EffectsEnvironment = {
  router: () => ({
    clearCache: nothing,
    history: { replace: nothing },
    latestLocation: { href: "/dashboard" },
    wantedRoutes: () => [],
    isIdle: () => true,
    invalidate: nothing,
    toSignIn: nothing,
  }),
  target: { take: () => "/dashboard", clear: nothing, remember: nothing },
  toast: nothing,
};

function openSession(): Session {
  const session = createSession({
    store: createSessionStore(createStorage(new FakeOrigin().openTab())),
    refresh: async () => ({ kind: "refused" }),
    logout: async () => {},
    loadProfile: () => new Promise(nothing),
    now: () => Date.now(),
    listen: () => nothing,
  });
  followSession(session, environment);
  session.start();
  setSession(session);
  return session;
}

const made = (id: string, changes: Partial<Transcription> = {}): Transcription => ({
  id,
  title: id,
  text: "Hello.",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: null,
  date: "2026-03-01T10:00:00.000Z",
  status: "completed",
  origin: "dictation",
  durationSeconds: 2,
  hasAudio: true,
  progress: null,
  error: null,
  segments: [{ start: 0, end: 2, text: "Hello.", words: [{ text: "Hello.", start: 0, end: 2 }] }],
  fileName: null,
  engine: null,
  ...changes,
});

async function kept(): Promise<string[]> {
  await loadPersisted();
  return persistedTranscriptions.get().map(({ transcription }) => transcription.id);
}

let browser = fakeCaches();
let session = openSession();
const signIn = (name: string) => session.send({ type: "token.stored", stored: stored(token(name, hour, name)) });
const cachesLeft = () => vi.waitFor(() => expect([...browser.all.keys()]).toEqual([]));

vi.stubGlobal("window", new EventTarget());
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ["Date"] });
  browser = fakeCaches();
  vi.stubGlobal("caches", browser.caches);
  session = openSession();
  signIn("ada");
});
afterEach(() => {
  session.stop();
  vi.useRealTimers();
});

test("stores the last 20 opened transcripts, without word times", async () => {
  for (let index = 0; index <= maxPersisted; index += 1) await persistTranscription(made(`t${index}`));
  await persistTranscription(made("t1"));
  await persistTranscription(made("t99", { status: "processing" }));
  const found = await kept();
  expect([found.length, found[0], found[1], found.at(-1)]).toEqual([maxPersisted, "t1", `t${maxPersisted}`, "t2"]);
  expect(persistedTranscriptions.get()[0]?.transcription.segments).toEqual([{ start: 0, end: 2, text: "Hello.", words: [] }]);
});

test("stores no transcript that is too large, and no more than fit", async () => {
  await persistTranscription(made("first"));
  await persistTranscription(made("large", { text: "x".repeat(maxPersistedBytes) }));
  expect(await kept()).toEqual(["first"]);
  const share = Math.floor(maxAllPersistedBytes / maxPersistedBytes);
  const text = "x".repeat(maxPersistedBytes - 1000);
  for (let index = 0; index <= share; index += 1) await persistTranscription(made(`t${index}`, { text }));
  expect(await kept()).toHaveLength(share);
});

test("drops a transcript that the server removes, and each after 30 days", async () => {
  void persistTranscription(made("shared"));
  await dropPersisted(["shared"]);
  expect(await kept()).toEqual([]);
  await persistTranscription(made("old"));
  vi.setSystemTime(now + 30 * day + 1);
  expect(await kept()).toEqual([]);
});

// PROMISE offline: The 20 transcripts opened last can be read without a network, by nobody else
test.each<[string, () => void]>([
  ["signs out", () => session.send({ type: "signOut.requested" })],
  ["is signed out by force", () => session.send({ type: "forceLogout.heard" })],
])("deletes all stored transcripts when the person %s", async (_, end) => {
  await persistTranscription(made("a"));
  expect(browser.all.size).toBe(1);
  end();
  await cachesLeft();
  await persistTranscription(made("late"));
  expect([browser.all.size, await kept()]).toEqual([0, []]);
});

test("deletes all stored transcripts when the server ended the session", async () => {
  await persistTranscription(made("a"));
  session.send({ type: "unauthorized.answered", refused: token("ada", hour, "ada").value });
  await cachesLeft();
});

test("deletes all stored transcripts when another person signs in", async () => {
  await persistTranscription(made("a"));
  signIn("bob");
  await cachesLeft();
  expect(await kept()).toEqual([]);
});
