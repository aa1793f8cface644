import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { voiceLimits } from "#contract/index.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { onPostgres, openSql } from "#tests/server/database.ts";
import { type Person, refusal, signInAgain, testClock } from "#tests/server/harness.ts";
import { diarized } from "#tests/server/processing/scripted-diarizer.ts";
import { passTrashTime } from "#tests/server/transcriptions/trash.ts";
import { putIn, vaults, withVault } from "#tests/server/vault/vaults.ts";
import {
  anna,
  ben,
  cousin,
  diarizeAgain,
  eve,
  known,
  listening,
  listeningParts,
  name,
  profilesOf,
  profilesPath,
  put,
  record,
  suggestions,
  turn,
} from "./recordings.ts";

/** Whether the database's files contain a voice print. */
async function holds(dataDir: string, voice: readonly number[]): Promise<boolean> {
  const files = (await readdir(dataDir)).filter((file) => file.startsWith("parlance.db"));
  const all = await Promise.all(files.map((file) => readFile(join(dataDir, file))));
  return all.some((bytes) => bytes.includes(JSON.stringify(voice)));
}

const pathOf = async (person: Person, who: string) =>
  `${profilesPath}/${(await profilesOf(person)).find((profile) => profile.name === who)?.id}`;

describe("deletion of voice profiles", () => {
  // Concerns the SQLite file.
  // PROMISE voices: Switching it off deletes every profile and voice print at once
  test.skipIf(onPostgres)("deletes all voice prints when profiles are switched off, also from the database's files", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    const id = await record(harness, anna, ben);
    await name(person, id, "1", "Anna");
    expect([await holds(server.dataDir, anna), await holds(server.dataDir, ben)]).toEqual([true, true]);
    expect(await turn(person, false)).toEqual({ enabled: false, available: true, profiles: [] });
    expect([await holds(server.dataDir, anna), await holds(server.dataDir, ben)]).toEqual([false, false]);
    // A second call changes nothing, and the names in the transcript stay.
    await turn(person, false);
    await turn(person, true);
    expect(await name(person, id, "Anna", "Hanna")).toMatchObject({ segments: [{ speaker: "Hanna" }, { speaker: "2" }] });
    expect(await known(person)).toEqual([]);
  });

  test("deletes one profile with its voice print and doesn't recreate it from the same recording", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    await name(person, first, "2", "Ben");
    expect((await person.call("DELETE", await pathOf(person, "Anna"))).status).toBe(200);
    expect([await known(person), await holds(server.dataDir, anna)]).toEqual([["Ben 1"], false]);
    await diarizeAgain(person, first, 2);
    await put(person, first, { edits: [{ index: 0, text: "one two" }] });
    expect([await known(person), await holds(server.dataDir, anna)]).toEqual([["Ben 1"], false]);
    expect(await refusal(await person.call("DELETE", `${profilesPath}/${crypto.randomUUID()}`))).toBe("404 notFound");
    const second = await record(harness, anna, ben);
    expect(await suggestions(person, second)).toEqual(["2 Ben?"]);
    await name(person, second, "1", "Anna");
    expect(await known(person)).toEqual(["Anna 1", "Ben 1"]);
  });

  test("deletes all profiles and starts again with the next recording", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    expect((await person.call("DELETE", profilesPath)).status).toBe(200);
    expect([await holds(server.dataDir, anna), await holds(server.dataDir, ben)]).toEqual([false, false]);
    await name(person, first, "2", "Ben");
    expect(await known(person)).toEqual([]);
    await name(person, await record(harness, anna, ben), "1", "Anna");
    expect(await known(person)).toEqual(["Anna 1"]);
  });

  test("keeps profiles deleted that are deleted while diarization runs", async () => {
    const harness = await listening();
    const { server, person, script, diarizer } = harness;
    await turn(person, true);
    const id = await record(harness, anna, ben);
    await name(person, id, "1", "Anna");
    for (const forget of [async () => person.call("DELETE", await pathOf(person, "Anna")), () => turn(person, false)]) {
      const going = Promise.withResolvers<void>();
      script.until = going.promise;
      const before = diarizer.asked.length;
      await put(person, id, { diarize: { speakers: null } });
      await vi.waitFor(() => expect(diarizer.asked).toHaveLength(before + 1), { timeout: timeLimit(30_000) });
      await forget();
      going.resolve();
      await diarized(person, id);
      expect([await known(person), await holds(server.dataDir, anna)]).toEqual([[], false]);
    }
    expect(await holds(server.dataDir, ben)).toBe(false);
  });

  test("renames a profile and keeps its recordings", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    await name(person, first, "2", "Ben");
    const path = await pathOf(person, "Anna");
    expect((await person.call("PATCH", path, { name: "  Anna Sommer " })).status).toBe(200);
    expect(await known(person)).toEqual(["Anna Sommer 1", "Ben 1"]);
    await diarizeAgain(person, first, 2);
    expect(await known(person)).toEqual(["Anna Sommer 1", "Ben 1"]);
    expect(await suggestions(person, await record(harness, cousin, eve))).toEqual(["1 Anna Sommer?"]);
    expect(await refusal(await person.call("PATCH", path, { name: "Ben" }))).toBe("409 conflict");
    for (const wrong of ["", " ", "x".repeat(81), 7]) {
      expect(await refusal(await person.call("PATCH", path, { name: wrong }))).toBe("400 badRequest");
    }
    await name(person, first, "Anna", "1");
    expect(await known(person)).toEqual(["Ben 1"]);
  });

  test("keeps a profile when its recording is deleted, without the recording's own voice prints", async () => {
    const clock = testClock();
    const harness = await listening({ now: clock.now });
    const { server, person } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    clock.advance(60_000);
    const second = await record(harness, cousin, eve);
    await name(person, second, "1", "Anna");
    const { heardAt } = (await profilesOf(person))[0] ?? {};
    await person.call("DELETE", `/audio/remove-transcription/${second}`);
    await passTrashTime(server, clock);
    expect([await holds(server.dataDir, cousin), await holds(server.dataDir, eve)]).toEqual([false, false]);
    expect(await profilesOf(await signInAgain(server, person))).toMatchObject([{ name: "Anna", recordings: 2, heardAt }]);
  });

  // PROMISE voices: Switching it off deletes every profile and voice print at once
  test("removes a recording's voice prints from profiles when it moves into the vault", async () => {
    const { script, ...parts } = listeningParts();
    const harness = await withVault(parts);
    const { server, person } = harness;
    await turn(person, true);
    const first = await record({ person, script }, anna, ben);
    await name(person, first, "1", "Anna");
    const second = await record({ person, script }, cousin, eve);
    await name(person, second, "1", "Anna");
    await name(person, second, "2", "Eve");
    expect(await known(person)).toEqual(["Anna 2", "Eve 1"]);
    const item = await putIn(harness, "sound", { transcriptionId: second });
    expect((await person.call("DELETE", `${vaults}/${item.id}/plaintext`)).status).toBe(204);
    expect(await known(person)).toEqual(["Anna 1"]);
    expect([await holds(server.dataDir, cousin), await holds(server.dataDir, eve)]).toEqual([false, false]);
  });

  test("deletes voice profiles with the account", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    await name(person, await record(harness, anna, ben), "1", "Anna");
    expect((await person.call("DELETE", "/users/me", { password: "correct horse" })).status).toBe(204);
    expect([await holds(server.dataDir, anna), await holds(server.dataDir, ben)]).toEqual([false, false]);
  });

  test("creates no profile beyond the maximum until another is deleted", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    const id = await record(harness, anna, ben);
    using database = openSql(server.dataDir);
    const row =
      "insert into voice_profiles select ?, users.id, ?, 'scripted:4', '[0,1,0,0]', 1, 0, 0 from users where id = (select user_id from voice_consents)";
    for (let at = 0; at < voiceLimits.profiles; at += 1) database.prepare(row).run(crypto.randomUUID(), `Known ${at}`);
    await name(person, id, "1", "Anna");
    expect(await known(person)).toHaveLength(voiceLimits.profiles);
    await person.call("DELETE", await pathOf(person, "Known 7"));
    await put(person, id, { speakers: [{ name: "Anna", segments: [0] }] });
    expect(await known(person)).toContain("Anna 1");
  });

  test("handles simultaneous changes of voice profiles from two tabs", async () => {
    const harness = await listening();
    const { person } = harness;
    await Promise.all([turn(person, true), turn(person, true)]);
    const id = await record(harness, anna, ben);
    await Promise.all([
      put(person, id, { speakers: [{ name: "Anna", segments: [0] }] }),
      put(person, id, { speakers: [{ name: "Anna", segments: [0] }] }),
      put(person, id, { speakers: [{ name: "Ben", segments: [1] }] }),
    ]);
    expect(await known(person)).toEqual(["Anna 1", "Ben 1"]);
    const path = await pathOf(person, "Anna");
    const answers = await Promise.all([person.call("DELETE", path), person.call("DELETE", path)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });
});
