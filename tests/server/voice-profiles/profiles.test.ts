import { describe, expect, test } from "vitest";
import { voiceLimits } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { type Person, refusal, signUp } from "#tests/server/harness.ts";
import { unzipped } from "#tests/server/zip.ts";
import {
  anna,
  ben,
  cousin,
  decline,
  diarizeAgain,
  eve,
  known,
  listening,
  name,
  profilesOf,
  profilesPath,
  put,
  record,
  speakersOf,
  suggestions,
  turn,
} from "./recordings.ts";

/** Number of rows with a voice print, of recordings and of profiles. */
function voicePrints(dataDir: string): { voices: number; profiles: number } {
  using database = openSql(dataDir);
  const count = (query: string) => Number(database.prepare(query).get()?.count);
  return {
    voices: count("select count(*) as count from voices where embedding is not null"),
    profiles: count("select count(*) as count from voice_profiles"),
  };
}
const none = { voices: 0, profiles: 0 };

describe("voice profiles", () => {
  // PROMISE voices: Voices are stored with consent only; a name needs a confirmation
  test("stores no voice prints without the user's consent", async () => {
    const harness = await listening();
    const { server, person } = harness;
    const id = await record(harness, anna, ben);
    await name(person, id, "1", "Anna");
    await diarizeAgain(person, id, 2);
    expect(await speakersOf(person, id)).toEqual(["Anna", "2"]);
    expect([voicePrints(server.dataDir), await known(person), await suggestions(person, id)]).toEqual([none, [], []]);
    using database = openSql(server.dataDir);
    const row =
      "insert into voices values ((select id from transcriptions), 0, (select min(id) from users), 'm:1', '[1]', '[]', null, null, null, '[]')";
    expect(() => database.exec(row)).toThrow(/foreign key/i);
  });

  // PROMISE voices: Voices are stored with consent only; a name needs a confirmation
  test("suggests a named voice in the next recording and learns when the user accepts", async () => {
    const harness = await listening();
    const { person } = harness;
    expect(await turn(person, true)).toEqual({ enabled: true, available: true, profiles: [] });
    const first = await record(harness, anna, ben);
    expect(await suggestions(person, first)).toEqual([]);
    await name(person, first, "1", "Anna");
    expect(await known(person)).toEqual(["Anna 1"]);

    const second = await record(harness, ben, cousin);
    expect(await speakersOf(person, second)).toEqual(["1", "2"]);
    expect(await suggestions(person, second)).toEqual(["2 Anna?"]);
    await name(person, second, "2", "Anna");
    expect([await known(person), await suggestions(person, second)]).toEqual([["Anna 2"], []]);
    await name(person, second, "1", "Ben");
    // A name given later is suggested in earlier recordings, too.
    expect(await suggestions(person, first)).toEqual(["2 Ben?"]);
  });

  test("leaves no trace of a name that is removed, changed or undone", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const [first, second] = [await record(harness, anna, ben), await record(harness, cousin, eve)];
    await name(person, first, "1", "Anna");
    const alone = await exported(person);
    await name(person, second, "1", "Anna");
    expect(await known(person)).toEqual(["Anna 2"]);
    await name(person, second, "Anna", "1");
    expect(await exported(person)).toEqual(alone);
    await name(person, first, "Anna", "Hanna");
    expect(await known(person)).toEqual(["Hanna 1"]);
    await name(person, first, "Hanna", null);
    expect(await known(person)).toEqual([]);
    expect(await suggestions(person, second)).toEqual([]);
  });

  test("merges voices with the same name in one recording and separates them when undone", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const id = await record(harness, anna, cousin, ben);
    await name(person, id, "1", "Anna");
    const alone = await exported(person);
    await put(person, id, { speakers: [{ name: "Anna", segments: [1] }] });
    expect(await known(person)).toEqual(["Anna 1"]);
    expect(await exported(person)).not.toEqual(alone);
    await put(person, id, { speakers: [{ name: "2", segments: [1] }] });
    expect(await exported(person)).toEqual(alone);
    await put(person, id, { speakers: [{ name: "Cleo", segments: [1] }] });
    expect(await known(person)).toEqual(["Anna 1", "Cleo 1"]);
  });

  test("creates a profile for a speaker whom the user named before diarization", async () => {
    const harness = await listening();
    const { person } = harness;
    const id = await record(harness, anna, ben);
    await name(person, id, "1", "Anna");
    await turn(person, true);
    expect(await known(person)).toEqual([]);
    await diarizeAgain(person, id, null);
    expect(await known(person)).toEqual(["Anna 1"]);
  });

  test("keeps a voice's profile when another passage is assigned to it and the text is corrected", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const id = await record(harness, anna, ben, anna);
    await put(person, id, { speakers: [{ name: "Anna", segments: [0] }] });
    await put(person, id, { edits: [{ index: 0, text: "one or two" }], speakers: [{ name: "Anna", segments: [2] }] });
    expect(await known(person)).toEqual(["Anna 1"]);
  });

  test("suggests each name once, the most similar voice first, and none that is already used", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    await name(person, first, "2", "Ben");
    const second = await record(harness, cousin, anna, ben);
    expect((await suggestions(person, second)).toSorted()).toEqual(["2 Anna?", "3 Ben?"]);
    await name(person, second, "3", "Anna");
    expect(await suggestions(person, second)).toEqual([]);
  });

  test("keeps a declined suggestion declined in the transcript, even after another diarization", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    const second = await record(harness, cousin, ben);
    const path = `/api/v1/audio-transcriptions/transcription/${second}/suggestions/declined`;
    expect((await person.call("POST", path, { speaker: "1", profile: crypto.randomUUID() })).status).toBe(200);
    expect(await suggestions(person, second)).toEqual(["1 Anna?"]);
    const declined = await decline(person, second, "1", "Anna");
    expect(declined.suggestions).toEqual([]);
    await diarizeAgain(person, second, 2);
    expect(await suggestions(person, second)).toEqual([]);
    expect(await suggestions(person, await record(harness, cousin, ben))).toEqual(["1 Anna?"]);
  });

  test("replaces a transcript's voice prints when diarization finds another number of speakers", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    const id = await record(harness, anna, ben, eve);
    await name(person, id, "1", "Anna");
    const before = await exported(person);
    expect(voicePrints(server.dataDir)).toEqual({ voices: 3, profiles: 1 });
    await diarizeAgain(person, id, 2);
    expect(await speakersOf(person, id)).toEqual(["Anna", "2"]);
    expect(voicePrints(server.dataDir)).toEqual({ voices: 2, profiles: 1 });
    expect(await exported(person)).toEqual(before);
  });

  test("compares only voices of the same model, and works again when an earlier model is back", async () => {
    const harness = await listening();
    const { person, script } = harness;
    await turn(person, true);
    const first = await record(harness, anna, ben);
    await name(person, first, "1", "Anna");
    // The same model with longer vectors, and another model.
    expect(await suggestions(person, await record(harness, [...anna, 0, 0], ben))).toEqual([]);
    script.model = "other";
    expect((await profilesOf(person)).map(({ current }) => current)).toEqual([false]);
    script.model = "scripted";
    expect((await profilesOf(person)).map(({ current }) => current)).toEqual([true]);
    const long = await record(harness, [...anna, 0, 0], [...ben, 0, 0]);
    await name(person, long, "1", "Anna");
    expect(await known(person)).toEqual(["Anna 1", "Anna 1"]);
    expect(await suggestions(person, await record(harness, cousin, ben))).toEqual(["1 Anna?"]);
  });

  test("discards empty voice prints and those with too many numbers", async () => {
    const harness = await listening();
    const { server, person } = harness;
    await turn(person, true);
    await record(
      harness,
      [0, 0, 0, 0],
      Array.from({ length: voiceLimits.dimensions + 1 }, () => 1),
    );
    expect(voicePrints(server.dataDir)).toEqual(none);
  });

  test("exports voice prints as numbers with names and dates", async () => {
    const harness = await listening();
    const { person } = harness;
    await turn(person, true);
    const id = await record(harness, anna, ben);
    await name(person, id, "1", "Anna");
    const { voiceProfiles, voices } = await exportOf(person);
    expect(voiceProfiles).toMatchObject([
      { name: "Anna", recordings: 1, voicePrint: anna, heardAt: expect.stringMatching(/^20/) },
    ]);
    expect(voices).toMatchObject([
      { transcription: id, speaker: "Anna", voicePrint: anna },
      { transcription: id, speaker: "2", voicePrint: ben },
    ]);
  });

  test("hides a user's profiles and suggestions from other users", async () => {
    const harness = await listening();
    const { server, person } = harness;
    const other = { ...harness, person: await signUp(server) };
    await turn(person, true);
    await turn(other.person, true);
    const mine = await record(harness, anna, ben);
    await name(person, mine, "1", "Anna");
    const theirs = await record(other, anna, ben);
    expect([await known(other.person), await suggestions(other.person, theirs)]).toEqual([[], []]);
    const [profile] = await profilesOf(person);
    const path = `${profilesPath}/${profile?.id}`;
    expect(await refusal(await other.person.call("PATCH", path, { name: "Eve" }))).toBe("404 notFound");
    expect(await refusal(await other.person.call("DELETE", path))).toBe("404 notFound");
    const foreign = `/api/v1/audio-transcriptions/transcription/${mine}/suggestions`;
    expect(await refusal(await other.person.call("GET", foreign))).toBe("404 notFound");
    const declined = { speaker: "2", profile: profile?.id };
    expect(await refusal(await other.person.call("POST", `${foreign}/declined`, declined))).toBe("404 notFound");
    await turn(other.person, false);
    expect(await known(person)).toEqual(["Anna 1"]);
    expect((await fetch(`${server.apiUrl}${profilesPath}`)).status).toBe(401);
  });
});

async function exportOf(person: Person): Promise<{ voiceProfiles: unknown; voices: unknown }> {
  const files = unzipped(Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer()));
  return JSON.parse(String(files.get("account.json")));
}

/** The exported profiles with their voice prints. */
const exported = async (person: Person): Promise<unknown> => (await exportOf(person)).voiceProfiles;
