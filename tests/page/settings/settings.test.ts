import "#tests/page/indexed-db.ts";
import { openDB } from "idb";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { ProfileChange, type UserProfile } from "#contract/index.ts";
import { selectData, selectIsLoading } from "#machines/query.ts";
import { type Message, selectFieldErrors, selectMessage, type Values } from "#machines/submission.ts";
import { ApiError, createCall, createPlainSend, type Send } from "#src/api/http.ts";
import { createSettingsApi } from "#src/api/settings.ts";
import { createRecordingDb } from "#src/audio/recording-db.ts";
import { createStorage } from "#src/browser/storage.ts";
import type { Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { createActiveSessions } from "#src/features/settings/active-sessions.ts";
import { clearDatabasesOf, clearLocalStorageOf } from "#src/features/settings/clear-data-of-person.ts";
import {
  deletionPart,
  emailPart,
  languagePart,
  namePart,
  passwordPart,
  pictureProblem,
  type SettingsEnvironment,
} from "#src/features/settings/forms.ts";
import { createLeftoverDb } from "#src/features/vault/leftovers.ts";
import { ada, settled } from "#tests/machines/session/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

/** The settings' environment with a server that gives these answers. */
function environmentOf(answer: (path: string, method: string, json: unknown) => unknown, user: Partial<UserProfile> = {}) {
  const updated: UserProfile[] = [];
  const asked: string[] = [];
  const ask = async (url: string | URL | Request, init?: RequestInit) => {
    const [path, method] = [String(url), init?.method ?? "GET"];
    asked.push(`${method} ${path}`);
    const json = answer(path, method, init?.body === undefined ? undefined : JSON.parse(String(init.body)));
    if (json instanceof ApiError) return Response.json({ code: json.code, message: "" }, { status: json.status });
    return json === undefined ? new Response(null, { status: 204 }) : Response.json(json);
  };
  const plain: Send = createPlainSend("", ask);
  const calls: string[] = [];
  const environment: SettingsEnvironment = {
    api: createSettingsApi(createCall(plain), plain),
    user: () => updated.at(-1) ?? { ...ada, ...user },
    updateProfile: (profile) => void updated.push(profile),
    speak: async (language) => void calls.push(`speak ${language}`),
    resend: async (email) => {
      calls.push(`resend ${email}`);
      return "sent";
    },
    aloneNow: () => void calls.push("alone"),
    download: () => void calls.push("download"),
  };
  return { environment, asked, updated, calls };
}

async function send(part: Part, values: Values = {}): Promise<{ said: Message | null; refused: Message | null; wrong: Values }> {
  part.get().form.send({ type: "submit.requested", values });
  for (let turn = 0; turn < 4; turn++) await settled();
  const { said, form } = part.get();
  return { said, refused: selectMessage(form.getSnapshot()), wrong: selectFieldErrors(form.getSnapshot()) };
}

const loaded = <Data>(query: Query<Data>) => expect.poll(() => selectIsLoading(query.getSnapshot())).toBe(false);

const done = { message: "" };

test("saves a setting repeatedly, and shows the server's profile", async () => {
  const { environment, updated } = environmentOf((_path, _method, json) => ({ ...ada, ...v.parse(ProfileChange, json) }));
  const name = namePart(environment);
  for (const wanted of ["Ada", "Countess"]) {
    expect(await send(name, { name: wanted })).toMatchObject({ said: { key: "settings:name.saved" }, refused: null });
    expect(updated.at(-1)?.name).toBe(wanted);
  }
  expect(name.get().completions).toBe(2);
  name.stop();
});

test("keeps what was typed after a failure, and shows the reason", async () => {
  const { environment } = environmentOf(() => new ApiError(403, "wrongPassword"));
  const email = emailPart(environment);
  const { refused, said } = await send(email, { email: "new@example.org", password: "guess" });
  expect([said, refused]).toEqual([null, { key: "errors.wrongPassword" }]);
  expect(email.get().form.getSnapshot().context.values).toEqual({ email: "new@example.org", password: "guess" });
  email.stop();
});

describe("password in the settings", () => {
  test("the password in the settings is required before a change, and must be long enough", async () => {
    const { environment, asked } = environmentOf(() => done);
    expect((await send(emailPart(environment), { email: "new@example.org" })).wrong).toEqual({
      password: "account.passwordRequired",
    });
    expect((await send(deletionPart(environment))).wrong).toEqual({ password: "account.passwordRequired" });
    expect((await send(passwordPart(environment), { currentPassword: "old", newPassword: "short" })).wrong).toEqual({
      newPassword: "account.passwordShort",
    });
    expect(asked).toEqual([]);
  });

  test("the password in the settings is not required if the account has none, until one is set", async () => {
    const { environment, updated, calls } = environmentOf(() => done, { hasPassword: false });
    const chosen = await send(passwordPart(environment), { newPassword: "correct horse" });
    expect(chosen.said).toEqual({ key: "settings:password.saved" });
    expect(updated.at(-1)?.hasPassword).toBe(true);
    expect(calls).toEqual(["alone"]);
  });
});

test("saves a language that is chosen during another save", async () => {
  let wanted = "de";
  const saved: unknown[] = [];
  const { environment, calls } = environmentOf((_path, _method, json) => {
    saved.push(json);
    wanted = "fr";
    return ada;
  });
  const language = languagePart(environment, () => wanted);
  expect((await send(language)).said).toEqual({ key: "settings:language.saved" });
  expect(saved).toEqual([{ language: "de" }, { language: "fr" }]);
  expect(calls).toEqual(["speak de", "speak fr"]);
  language.stop();
});

test.each([
  ["image/png", 5_000_000, undefined],
  ["image/png", 5_000_001, "settings:picture.tooLarge"],
  ["image/svg+xml", 10, "settings:picture.wrongType"],
  ["", 10, "settings:picture.wrongType"],
])("a picture of type %o and %i bytes has the problem %s", (type, size, problem) => {
  expect(pictureProblem({ type, size })).toBe(problem);
});

test.each([
  ["with a quota", { usedBytes: 7, quotaBytes: 10 }, { usedBytes: 7, quotaBytes: 10 }],
  ["without one", { usedBytes: 7, quotaBytes: null }, { usedBytes: 7, quotaBytes: null }],
  ["not by a server that has no such call", new ApiError(404, "notFound"), null],
  ["not by one that fails", new ApiError(500, "internal"), null],
  ["not in words that nobody understands", { used: "a lot" }, null],
])("the settings show the used storage %s", async (_, answer, known) => {
  const { environment, asked } = environmentOf(() => answer);
  const stored = startQuery((signal) => environment.api.stored(signal));
  expect(selectData(stored.getSnapshot())).toBeNull();
  await loaded(stored);
  expect(selectData(stored.getSnapshot())).toEqual(known);
  expect(asked).toEqual(["GET /api/v1/storage"]);
  stored.stop();
});

test("shows recent sign-ins, including unknown methods, but no invalid entries", async () => {
  const one = { id: "a", at: "2026-11-20T12:00:00Z", method: "provider", device: null, current: false };
  const { environment, asked } = environmentOf(() => ({ signIns: [one, { ...one, method: "telepathy" }] }));
  expect(await environment.api.recentSignIns()).toEqual([one, { ...one, method: null }]);
  expect(asked).toEqual(["GET /users/me/sign-ins"]);
  const { environment: strange } = environmentOf(() => ({ signIns: "many" }));
  await expect(strange.api.recentSignIns()).rejects.toThrow();
});

test("ends sessions one by one, or all but this one", async () => {
  const one = (id: string, current = false) => ({ id, device: null, createdAt: "2026-11-20T12:00:00Z", seenAt: null, current });
  const { environment, asked } = environmentOf((path, method) => {
    if (path.endsWith("/gone")) return new ApiError(404, "notFound");
    return method === "GET" ? { sessions: [one("this", true), one("a"), one("gone"), one("b")] } : undefined;
  });
  const activeSessions = createActiveSessions(environment.api);
  const ids = () => selectData(activeSessions.list.getSnapshot())?.map(({ id }) => id);
  await loaded(activeSessions.list);
  expect(ids()).toEqual(["this", "a", "gone", "b"]);
  expect((await send(activeSessions.end, { id: "a" })).said).toEqual({ key: "settings:signIns.ended" });
  await send(activeSessions.end, { id: "gone" });
  expect(ids()).toEqual(["this", "b"]);
  expect((await send(activeSessions.end, { id: "" })).said).toEqual({ key: "settings:signIns.endedAll" });
  expect(ids()).toEqual(["this"]);
  expect(asked.at(-1)).toBe("DELETE /users/me/sessions");
  activeSessions.list.stop();
  activeSessions.end.stop();
});

test("deletes only the deleted account's data from the browser's storage", () => {
  const storage = createStorage(new FakeOrigin().openTab());
  const others = {
    "draft:eve:transcription:1": "{}",
    "conversation:eve": "{}",
    theme: "dark",
    speechLanguages: '{"sourceLanguage":"en-US","targetLanguage":null}',
    broken: "[{",
  };
  const lists = { transcriptions: [{ ownerId: "eve", x: 1 }, "of another version"], conversationChanges: [{ ownerId: "eve" }] };
  for (const [key, value] of Object.entries(others)) storage.write(key, value);
  for (const [key, list] of Object.entries(lists)) storage.write(key, JSON.stringify([{ ownerId: "ada" }, ...list]));
  storage.write("deletions", JSON.stringify([{ ownerId: "ada", purgeAt: 1 }]));
  for (const key of ["draft:ada:transcription:1", "draft:ada:turn:0", "draft:ada:feedback", "conversation:ada"]) {
    storage.write(key, "secret");
  }
  clearLocalStorageOf(storage, "ada");
  const left = Object.fromEntries(storage.keys().map((key) => [key, storage.read(key)]));
  expect(left).toEqual({
    ...others,
    ...Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, JSON.stringify(list)])),
  });
});

test("deletes only the deleted account's data from the browser's databases", async () => {
  const open = { fate: "open", base: 0, sourceLanguage: "en", targetLanguage: null, startedAt: 0, confirmed: 0 } as const;
  const uuid = crypto.randomUUID();
  const recordings = createRecordingDb();
  for (const ownerId of ["ada", "eve"]) {
    await recordings.put({ ...open, id: ownerId, recordingId: uuid, clientId: uuid, ownerId, frames: 1, reached: false });
    await recordings.putFrame(ownerId, 0, new Uint8Array(4));
  }
  const db = await openDB("parlance-recordings");
  await db.put("recordings", { id: "strange", ownerId: "ada" });
  const encrypted = createLeftoverDb();
  await encrypted.put({ id: "sealed", ownerId: "ada", startedAt: 0, type: "audio/webm", durationSeconds: 1 });
  await encrypted.putPiece("sealed", 0, new Uint8Array(4));
  const files = await openDB("parlance-uploads", 1, {
    upgrade: (created) => {
      created.createObjectStore("uploads", { keyPath: "id" });
      created.createObjectStore("files");
    },
  });
  await files.put("uploads", { id: "talk", ownerId: "ada" });
  await files.put("files", "sound", "talk");

  await clearDatabasesOf("ada");
  expect(await db.getAllKeys("recordings")).toEqual(["eve"]);
  expect(await db.getAllKeys("frames")).toEqual([["eve", 0]]);
  expect([await encrypted.list("ada"), await encrypted.pieces("sealed")]).toEqual([[], []]);
  expect([await files.count("uploads"), await files.count("files")]).toEqual([0, 0]);
});
