import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DeletionAnswer, EmptyTrashAnswer, Transcription, trashMs } from "#contract/index.ts";
import { onPostgres } from "#tests/server/database.ts";
import {
  base,
  getTranscription,
  type Person,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  temporaryFolder,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { change, history, save, titles } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";
import { batch, passTrashTime, trash } from "./trash.ts";

const day = 24 * 60 * 60 * 1000;

async function begin() {
  const clock = testClock();
  const dataDir = await temporaryFolder();
  const server = await startTestServer({ now: clock.now, dataDir });
  return { clock, dataDir, server, person: await signUp(server) };
}

const remove = async (person: Person, id: string) =>
  read(await person.call("DELETE", `/audio/remove-transcription/${id}`), 200, DeletionAnswer);
const restore = (person: Person, id: string) => person.call("PUT", `/audio/remove-transcription/${id}`, { deletedAt: null });
const names = async (person: Person, query = "") => (await trash(person, query)).data.map(({ title }) => title);

/** The database files that contain these bytes. */
async function holding(dataDir: string, words: string): Promise<string[]> {
  const files = (await readdir(dataDir)).filter((file) => file.startsWith("parlance.db"));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(join(dataDir, file))).includes(words) ? [file] : [])),
  );
  return found.flat();
}

describe("GET /trash", () => {
  test("lists the trash in pages, last deleted first, with the day of erasure", async () => {
    const { clock, person } = await begin();
    for (const title of ["one", "two", "three"]) {
      const { id } = await save(person, { title, text: "x".repeat(1000) });
      clock.advance(60_000);
      await remove(person, id);
    }
    const first = await trash(person, "?limit=2");
    expect(
      first.data.map(({ title, text, purgeAt, deletedAt }) => [title, text.length, Date.parse(purgeAt) - Date.parse(deletedAt)]),
    ).toEqual([
      ["three", 400, trashMs],
      ["two", 400, trashMs],
    ]);
    expect([first.total, first.until]).toEqual([3, new Date(clock.now()).toISOString()]);
    expect(await names(person, `?limit=2&after=${first.next}`)).toEqual(["one"]);
    expect((await trash(person, `?limit=2&after=${first.next}`)).next).toBeNull();
  });

  test.each(["?limit=0", "?limit=501", "?limit=x", "?after=x", "?after=1_", "?after=1_'"])(
    "refuses the trash query %s",
    async (query) => {
      const { person } = await begin();
      expect(await refusal(await person.call("GET", `${base}/trash${query}`))).toBe("400 badRequest");
    },
  );

  // PROMISE trash: Deleted transcripts stay for thirty days, are found nowhere, and can come back
  test("hides a deleted transcription from history, search, export, audio and events", async () => {
    const { person } = await begin();
    const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await settled(person, id);
    await change(person, id, { title: "Rhubarb" });
    await remove(person, id);
    expect([(await history(person)).pagination.total, await titles(person, "?search=rhubarb")]).toEqual([0, []]);
    const paths = [id, `${id}/audio`, `${id}/export?format=txt`, `${id}/events`];
    for (const path of paths)
      expect(await refusal(await person.call("GET", `${base}/transcription/${path}`))).toBe("404 notFound");
    expect(await refusal(await person.call("POST", `${base}/transcription/${id}/audio-access`))).toBe("404 notFound");
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, { title: "mine" }))).toBe("404 notFound");
    expect(await refusal(await person.call("DELETE", `/audio/remove-transcription/${id}`))).toBe("404 notFound");
  });

  test("includes the trash in the account export with the day of erasure", async () => {
    const { person } = await begin();
    const { id } = await save(person, { title: "Rhubarb", text: "unmistakable words" });
    await save(person, { title: "Parsnip" });
    const { purgeAt } = await remove(person, id);
    const answer = await person.call("GET", "/users/me/export");
    const files = unzipped(Buffer.from(await answer.arrayBuffer()));
    const folders = [...files.keys()]
      .filter((name) => name.endsWith("transcript.txt"))
      .map((name) => name.split(/[/ ]/, 3).toString());
    expect(folders.sort()).toEqual(["transcriptions,2026-03-01,Parsnip", "trash,2026-03-01,Rhubarb"]);
    expect(JSON.parse(files.get("trash/trash.json") ?? "")).toMatchObject([{ id, erasedAt: purgeAt }]);
    expect([...files].find(([name]) => name.startsWith("trash/2026") && name.endsWith(".txt"))?.[1]).toContain(
      "unmistakable words",
    );
  });

  test("hides a user's trash from other users", async () => {
    const { server, person } = await begin();
    const other = await signUp(server);
    const { id } = await save(person);
    expect((await batch(other, "", [id])).failed).toEqual([{ id, code: "notFound" }]);
    await remove(person, id);
    expect((await trash(other)).total).toBe(0);
    expect((await batch(other, "/restore", [id])).failed).toEqual([{ id, code: "notFound" }]);
    await batch(other, "/erase", [id]);
    await server.sweep();
    expect((await trash(person)).total).toBe(1);
  });

  test("erases the trash together with the account", async () => {
    const { dataDir, person } = await begin();
    const { id } = await save(person, { text: "unmistakable rhubarb" });
    await remove(person, id);
    expect((await person.call("DELETE", "/users/me", { password: "correct horse" })).status).toBe(204);
    expect(await holding(dataDir, "unmistakable rhubarb")).toEqual([]);
  });
});

describe("batches of the trash", () => {
  test("moves and restores many transcriptions and reports each that fails", async () => {
    const { person } = await begin();
    const ids: string[] = [];
    for (let number = 0; number < 60; number++) ids.push((await save(person, { title: `row ${number}` })).id);
    const { done, failed, purgeAt } = await batch(person, "", [...ids, "none", ...ids]);
    expect([done, failed, purgeAt]).toEqual([ids, [{ id: "none", code: "notFound" }], expect.any(String)]);
    expect([(await history(person)).pagination.total, (await trash(person)).total]).toEqual([0, 60]);
    // The client repeats a request whose answer got lost.
    expect((await batch(person, "", ids)).done).toEqual(ids);
    const [first = "", ...others] = ids;
    await batch(person, "/erase", [first]);
    const back = await batch(person, "/restore", ids);
    expect([back.done, back.failed]).toEqual([others, [{ id: first, code: "gone" }]]);
    expect((await batch(person, "/restore", others)).done).toEqual(others);
    expect([(await history(person)).pagination.total, (await trash(person)).total]).toEqual([59, 0]);
  });

  test("accepts between 1 and 500 ids", async () => {
    const { person } = await begin();
    for (const ids of [[], Array.from({ length: 501 }, (_, number) => `id${number}`), [""], ["x".repeat(81)], [7]]) {
      expect(await refusal(await person.call("POST", `${base}/trash`, { ids }))).toBe("400 badRequest");
    }
  });

  test("requires a sign-in for every trash route", async () => {
    const { server } = await begin();
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "/restore"],
      ["POST", "/erase"],
      ["DELETE", ""],
    ] as const) {
      expect(await refusal(await fetch(`${server.apiUrl}${base}/trash${path}`, { method }))).toBe("401 unauthorized");
    }
  });
});

describe("erasing from the trash", () => {
  test("erases for everybody at once and deletes the bytes with the next sweep", async () => {
    const { server, dataDir, person } = await begin();
    const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await settled(person, id);
    await change(person, id, { title: "Unmistakable rhubarb" });
    // Only items in the trash can be erased.
    expect((await batch(person, "/erase", [id])).failed).toEqual([{ id, code: "notFound" }]);
    await remove(person, id);
    expect((await batch(person, "/erase", [id])).done).toEqual([id]);
    expect((await trash(person)).total).toBe(0);
    expect(await refusal(await restore(person, id))).toBe("410 gone");
    await server.sweep();
    expect([await readdir(join(dataDir, "audio")), await holding(dataDir, "Unmistakable rhubarb")]).toEqual([[], []]);
    expect(await refusal(await restore(person, id))).toBe("404 notFound");
    expect((await batch(person, "/erase", [id])).done).toEqual([id]);
  });

  test("keeps items that came into the trash after the user looked at it", async () => {
    const { clock, server, person } = await begin();
    for (let number = 0; number < 3; number++) await remove(person, (await save(person)).id);
    const { until } = await trash(person);
    clock.advance(1000);
    const later = await save(person, { title: "later" });
    await remove(person, later.id);
    const answer = await person.call("DELETE", `${base}/trash?until=${until}`);
    expect(await read(answer, 200, EmptyTrashAnswer)).toEqual({ erased: 3 });
    await server.sweep();
    expect(await names(person)).toEqual(["later"]);
    for (const query of ["", "?until=x", "?until=2026-13-01T00:00:00Z"]) {
      expect(await refusal(await person.call("DELETE", `${base}/trash${query}`))).toBe("400 badRequest");
    }
  });

  test("continues erasing after a restart", async () => {
    const { clock, server, dataDir, person } = await begin();
    const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await settled(person, id);
    await remove(person, id);
    await batch(person, "/erase", [id]);
    await server.close();
    const again = await startTestServer({ now: clock.now, dataDir });
    await again.sweep();
    expect(await readdir(join(dataDir, "audio"))).toEqual([]);
  });
});

describe("the thirty days of the trash", () => {
  // PROMISE trash: Deleted transcripts stay for thirty days, are found nowhere, and can come back
  test("restores within thirty days and then erases row, text and audio", async () => {
    const { clock, server, dataDir, person } = await begin();
    const [kept, gone] = [
      await save(person, { title: "kept" }),
      await read(await upload(person, buzzWav(2)), 202, Transcription),
    ];
    await settled(person, gone.id);
    await change(person, gone.id, { title: "Unmistakable rhubarb" });
    for (const { id } of [kept, gone]) await remove(person, id);
    clock.advance(trashMs - day);
    await server.sweep();
    clock.advance(day - 1000);
    await server.sweep();
    const later = await signInAgain(server, person);
    expect((await getTranscription(later, (await (await restore(later, kept.id)).json()).id)).title).toBe("kept");
    clock.advance(1000);
    expect(await refusal(await restore(later, gone.id))).toBe("410 gone");
    expect(await names(later)).toEqual([]);
    await server.sweep();
    expect(await refusal(await restore(later, gone.id))).toBe("404 notFound");
    expect([await readdir(join(dataDir, "audio")), await holding(dataDir, "Unmistakable rhubarb")]).toEqual([[], []]);
  });

  // Concerns the SQLite file.
  // PROMISE trash: A wrong clock does not empty the trash
  test.skipIf(onPostgres)("erases a day after a restart what expired while the server was off", async () => {
    const { clock, server, dataDir, person } = await begin();
    await remove(person, (await save(person, { text: "unmistakable rhubarb" })).id);
    await server.close();
    clock.advance(2 * trashMs);
    const again = await startTestServer({ now: clock.now, dataDir });
    await again.sweep();
    expect(await holding(dataDir, "unmistakable rhubarb")).not.toEqual([]);
    clock.advance(day);
    await again.sweep();
    expect(await holding(dataDir, "unmistakable rhubarb")).toEqual([]);
  });

  // PROMISE trash: A wrong clock does not empty the trash
  test("keeps the trash when the clock is ahead for some hours", async () => {
    const { clock, server, person } = await begin();
    await remove(person, (await save(person, { title: "kept" })).id);
    clock.advance(50 * trashMs);
    for (let hour = 0; hour < 20; hour++) {
      await server.sweep();
      clock.advance(day / 24);
    }
    clock.advance(-50 * trashMs);
    await server.sweep();
    expect(await names(await signInAgain(server, person))).toEqual(["kept"]);
    await passTrashTime(server, clock);
    expect(await names(await signInAgain(server, person))).toEqual([]);
  });

  test("restarts the thirty days of items that a wrong clock has dated", async () => {
    const { clock, server, person } = await begin();
    const [behind, ahead] = [await save(person, { title: "behind" }), await save(person, { title: "ahead" })];
    const start = clock.now();
    clock.advance(-start);
    // A token's age follows the clock of its creation.
    await remove(await signInAgain(server, person), behind.id);
    clock.advance(start + 900 * day);
    await remove(await signInAgain(server, person), ahead.id);
    clock.advance(-900 * day);
    await server.sweep();
    clock.advance(day);
    await server.sweep();
    const later = await signInAgain(server, person);
    expect((await names(later)).sort()).toEqual(["ahead", "behind"]);
    await passTrashTime(server, clock);
    expect((await trash(await signInAgain(server, person))).total).toBe(0);
  });
});

test("cancels a running transcription on deletion and continues it after a restore", async () => {
  const { person } = await begin();
  const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
  await batch(person, "", [id]);
  expect((await batch(person, "/restore", [id])).done).toEqual([id]);
  expect((await settled(person, id)).status).toBe("completed");
});
