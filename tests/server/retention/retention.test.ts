import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { Folder, RetentionAnswer, RetentionDates, RetentionPreview, type RetentionRule, Transcription } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import {
  base,
  type Person,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  type TestClock,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { history, save } from "#tests/server/transcription/saved.ts";
import { trash } from "#tests/server/transcriptions/trash.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

async function begin(env: Record<string, string> = {}) {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, env });
  const person = await signUpForLong(server, clock);
  /** Advances the clock by a day and runs the sweep. */
  const passDay = async () => {
    clock.advance(day);
    await server.sweep();
  };
  /** Stored files of a transcription. */
  const files = async (id: string) => (await readdir(server.dataDir, { recursive: true })).filter((name) => name.includes(id));
  return { clock, server, person, passDay, files };
}

/**
 * A person who signs in again only when the clock has advanced. A sign-in for each call would end the oldest session,
 * because a person has at most 100.
 */
async function signUpForLong(server: Running, clock: TestClock): Promise<Person> {
  let session = await signUp(server);
  let signedInAt = clock.now();
  return {
    ...session,
    call: async (...request) => {
      if (clock.now() !== signedInAt) session = await signInAgain(server, session);
      signedInAt = clock.now();
      return session.call(...request);
    },
  };
}

const rule = async (person: Person, wanted: Partial<RetentionRule>) => {
  const answer = await person.call("PUT", `${base}/retention`, { folderId: null, audioDays: null, textDays: null, ...wanted });
  expect(answer.status).toBe(200);
};
const heard = async (person: Person) => {
  const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
  return settled(person, id);
};
const folder = async (person: Person) => read(await person.call("POST", `${base}/folders`, { name: "Calls" }), 201, Folder);
const put = (person: Person, id: string, folderId: string | null) =>
  person.call("POST", `${base}/filing`, { ids: [id], folderId });
const dates = async (person: Person, id: string) =>
  read(await person.call("GET", `${base}/transcription/${id}/retention`), 200, RetentionDates);
const soundOf = async (person: Person, id: string) => (await person.call("GET", `${base}/transcription/${id}/audio`)).status;
const kept = async (person: Person) => (await history(person)).data.map(({ id }) => id);

describe("retention of transcriptions", () => {
  test("keeps all transcripts and recordings without a retention rule", async () => {
    const { person, passDay, clock } = await begin();
    const { id } = await heard(person);
    expect(await dates(person, id)).toEqual({ audioAt: null, textAt: null });
    clock.advance(400 * day);
    for (let days = 0; days < 3; days += 1) await passDay();
    expect([await soundOf(person, id), await kept(person)]).toEqual([200, [id]]);
  });

  // PROMISE history: A folder keeps transcripts for a number of days; the server deletes them later
  test("deletes the audio on its day and moves the transcription to the trash on the text's day", async () => {
    const { person, server, clock, passDay, files } = await begin();
    const { id, date } = await heard(person);
    await rule(person, { audioDays: 2, textDays: 4 });
    const at = (days: number) => new Date(Date.parse(date) + days * day).toISOString();
    expect(await dates(person, id)).toEqual({ audioAt: at(2), textAt: at(4) });
    await passDay();
    clock.advance(day - hour);
    await server.sweep();
    expect(await soundOf(person, id)).toBe(200);
    clock.advance(2 * hour);
    await server.sweep();
    expect([await soundOf(person, id), await kept(person)]).toEqual([404, [id]]);
    expect(await files(id)).toEqual([]);
    const left = await read(await person.call("GET", `${base}/transcription/${id}`), 200, Transcription);
    expect([left.hasAudio, left.status]).toEqual([false, "completed"]);
    await passDay();
    await passDay();
    expect([await kept(person), (await trash(person)).data.map((item) => item.id)]).toEqual([[], [id]]);
  });

  test("applies a folder's rule only to transcriptions that are still in the folder", async () => {
    const { person, passDay } = await begin();
    const [inside, outside, saved] = [await save(person), await save(person), await save(person)];
    const { id: folderId } = await folder(person);
    for (const { id } of [inside, saved]) await put(person, id, folderId);
    await rule(person, { folderId, textDays: 2 });
    await passDay();
    await put(person, saved.id, null);
    await passDay();
    await passDay();
    expect((await kept(person)).sort()).toEqual([outside.id, saved.id].sort());
    expect((await trash(person)).data.map(({ id }) => id)).toEqual([inside.id]);
    // Deleting a folder deletes its rule.
    await person.call("DELETE", `${base}/folders/${folderId}`);
    expect(await read(await person.call("GET", `${base}/retention`), 200, RetentionAnswer)).toEqual({ rules: [] });
  });

  test("keeps transcriptions in progress, and the audio of failed ones, which have no text", async () => {
    const { person, passDay } = await begin({ PARLANCE_ROLE: "api" });
    const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    const failed = await begin();
    const broken = await settled(
      failed.person,
      (await read(await upload(failed.person, new Uint8Array(5000)), 202, Transcription)).id,
    );
    expect(broken.status).toBe("failed");
    await rule(person, { audioDays: 1, textDays: 1 });
    await rule(failed.person, { audioDays: 1 });
    for (const pass of [passDay, failed.passDay]) for (let days = 0; days < 3; days += 1) await pass();
    expect([await soundOf(person, id), await kept(person)]).toEqual([200, [id]]);
    expect(await soundOf(failed.person, broken.id)).toBe(200);
  });

  test("applies a rule only to the person's own transcriptions", async () => {
    const { server, clock, person, passDay } = await begin();
    const other = await signUpForLong(server, clock);
    const [mine, theirs] = [await save(person), await save(other)];
    await rule(person, { textDays: 1 });
    for (let days = 0; days < 3; days += 1) await passDay();
    expect([await kept(person), await kept(other)]).toEqual([[], [theirs.id]]);
    const { id: folderId } = await folder(other);
    const asked = { folderId, audioDays: 1, textDays: 1 };
    expect(await refusal(await person.call("PUT", `${base}/retention`, asked))).toBe("404 notFound");
    expect(await refusal(await person.call("POST", `${base}/retention/preview`, asked))).toBe("404 notFound");
    expect(await refusal(await other.call("GET", `${base}/transcription/${mine.id}/retention`))).toBe("404 notFound");
  });

  test("deletes nothing within a day after a rule was set", async () => {
    const { clock, server, person } = await begin();
    const { id } = await save(person);
    clock.advance(100 * day);
    await rule(person, { textDays: 1 });
    await server.sweep();
    clock.advance(22 * hour);
    await server.sweep();
    expect(await kept(person)).toEqual([id]);
    // The person removes the rule again.
    await rule(person, {});
    clock.advance(2 * hour);
    await server.sweep();
    await rule(person, { textDays: 1 });
    clock.advance(hour);
    await server.sweep();
    expect(await kept(person)).toEqual([id]);
    clock.advance(day);
    await server.sweep();
    expect(await kept(person)).toEqual([]);
  });
});

describe("wrong clock", () => {
  // PROMISE history: A folder keeps transcripts for a number of days; the server deletes them later
  test("deletes nothing when the clock is wrong by years for some hours", async () => {
    const { clock, server, person } = await begin();
    const { id } = await save(person);
    await rule(person, { textDays: 30 });
    clock.advance(3000 * day);
    await server.sweep();
    clock.advance(20 * hour);
    await server.sweep();
    clock.advance(-3000 * day);
    await server.sweep();
    clock.advance(4 * hour);
    await server.sweep();
    expect(await kept(person)).toEqual([id]);
  });

  test("counts the days of a wrongly dated transcription from the creation of the account", async () => {
    const { person, passDay } = await begin();
    const { id } = await save(person, { date: "1970-01-01T00:00:00.000Z" });
    await rule(person, { textDays: 5 });
    for (let days = 0; days < 4; days += 1) await passDay();
    expect(await kept(person)).toEqual([id]);
    for (let days = 0; days < 2; days += 1) await passDay();
    expect(await kept(person)).toEqual([]);
  });
});

describe("preview of a retention rule", () => {
  test("the preview says how much is deleted soon and when the next deletion is", async () => {
    const { clock, person } = await begin();
    await heard(person);
    await save(person);
    clock.advance(10 * day);
    const later = await save(person, { date: new Date(clock.now()).toISOString() });
    const look = async (asked: Partial<RetentionRule>) => {
      const body = { folderId: null, audioDays: null, textDays: null, ...asked };
      return read(await person.call("POST", `${base}/retention/preview`, body), 200, RetentionPreview);
    };
    const next = new Date(Date.parse(later.date) + 7 * day).toISOString();
    expect(await look({ audioDays: 7, textDays: 7 })).toEqual({ audio: { soon: 1, next: null }, text: { soon: 2, next } });
    expect(await look({ textDays: 90 })).toMatchObject({ audio: { soon: 0, next: null }, text: { soon: 0 } });
  });

  test.each([{ audioDays: 0 }, { audioDays: 3651 }, { textDays: 1.5 }, { textDays: "7" }, { folderId: "" }])(
    "refuses the retention rule %j",
    async (wrong) => {
      const { person } = await begin();
      const body = { folderId: null, audioDays: 7, textDays: 7, ...wrong };
      expect(await refusal(await person.call("PUT", `${base}/retention`, body))).toBe("400 badRequest");
    },
  );
});
