import { describe, expect, test } from "vitest";
import { LoginAnswer, maxPeople, NotesAnswer, offerDays, PeopleAnswer, Transcription } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import {
  asPerson,
  base,
  eventually,
  getTranscription,
  type Person,
  post,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { talk } from "#tests/server/sharing/links.ts";
import { change, history, save } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";
import { offer, peopleOf, received, sharedWithMe, shareWith } from "./shared.ts";

const dayMs = 24 * 60 * 60_000;
const gone = "404 notFound";
const one = (id: string) => `${base}/transcription/${id}`;

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, ...options });
  const [owner, anna] = [await signUp(server), await signUp(server)];
  const { id } = await save(owner, { segments: talk, title: "The harbour", targetLanguage: "es" });
  return { clock, server, owner, anna, id };
}

const people = async (owner: Person, id: string) => (await read(await owner.call("GET", peopleOf(id)), 200, PeopleAnswer)).people;
const reads = async (person: Person, id: string) => (await person.call("GET", one(id))).status;

describe("transcript shared with an account", () => {
  test("an address gets an invitation, and can read the transcript after accepting it", async () => {
    const { owner, anna, id } = await start();
    await owner.call("POST", `${base}/filing`, { ids: [id], favourite: true });
    const { id: share } = await offer(owner, { email: anna.email.toUpperCase() }, id, "read");
    expect(await people(owner, id)).toMatchObject([{ id: share, email: anna.email, role: "read", accepted: false }]);
    expect(await received(anna)).toMatchObject([
      { id: share, title: "The harbour", by: owner.email, role: "read", accepted: false },
    ]);
    expect(await reads(anna, id)).toBe(404);
    await anna.call("POST", `${sharedWithMe}/${share}`);
    const shown = await getTranscription(anna, id);
    expect(shown).toMatchObject({ title: "The harbour", access: { role: "read", by: owner.email } });
    // The owner's filing is private, and Anna's history does not list a transcript of another person.
    expect(shown.filed).toBeUndefined();
    expect((await history(anna)).data).toEqual([]);
    expect((await getTranscription(owner, id)).access).toBeUndefined();
    expect(await people(owner, id)).toMatchObject([{ accepted: true, expiresAt: null }]);
    expect(await (await anna.call("GET", `${one(id)}/export?format=txt`)).text()).toContain("how are you");
  });

  test("answers an invitation of an address alike with or without an account", async () => {
    const { owner, anna, id } = await start();
    const bodies = await Promise.all(
      [anna.email, "nobody@example.org"].map(async (email) => {
        const answer = await owner.call("POST", peopleOf(id), { email, role: "read" });
        const { id: _, email: _email, ...rest } = JSON.parse(await answer.text());
        return [answer.status, rest];
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
    expect(await refusal(await owner.call("POST", peopleOf(id), { email: anna.email, role: "correct" }))).toBe("409 conflict");
    expect(await refusal(await owner.call("POST", peopleOf(id), { email: owner.email, role: "read" }))).toBe("400 badRequest");
  });

  test("an invitation waits two weeks for an account that is created later", async () => {
    const { server, clock, owner, id } = await start();
    const { id: share } = await offer(owner, { email: "late@example.org" }, id, "read");
    clock.advance(offerDays * dayMs - 1000);
    const body = { email: "late@example.org", password: "correct horse" };
    const { accessToken } = await read(await post(server, "/auth/register", body), 201, LoginAnswer);
    const late = asPerson(server, accessToken, body.email);
    expect(await received(late)).toHaveLength(1);
    clock.advance(2000);
    expect(await received(late)).toEqual([]);
    expect(await refusal(await late.call("POST", `${sharedWithMe}/${share}`))).toBe(gone);
    // The owner can invite the person again.
    await offer(await signInAgain(server, owner), late, id, "read");
    expect(await received(late)).toHaveLength(1);
  });

  // PROMISE sharing: A transcript is shared with accounts; taking it away is immediate
  test("ending a share closes the reader's event streams and stops access to text and audio at once", async () => {
    const { owner, anna } = await start();
    const { id } = await read(await upload(owner, new Uint8Array(buzzWav(20)), {}), 202, Transcription);
    await settled(owner, id);
    const { id: share } = await shareWith(owner, anna, id, "read");
    const stream = (await anna.call("GET", `${one(id)}/events`)).body?.pipeThrough(new TextDecoderStream());
    const sound = await anna.call("GET", `${one(id)}/audio`);
    expect(sound.status).toBe(200);
    expect((await owner.call("DELETE", `${peopleOf(id)}/${share}`)).status).toBe(204);
    let said = "";
    for await (const chunk of stream ?? []) said += chunk;
    expect(said).toContain("event: withdrawn");
    expect(await refusal(await anna.call("GET", one(id)))).toBe(gone);
    expect(await refusal(await anna.call("GET", `${one(id)}/audio`))).toBe(gone);
    expect(await received(anna)).toEqual([]);
  });

  test("only the invited person can leave or decline a share", async () => {
    const { server, owner, anna, id } = await start();
    const other = await signUp(server);
    const { id: share } = await shareWith(owner, anna, id, "correct");
    expect(await refusal(await other.call("DELETE", `${sharedWithMe}/${share}`))).toBe(gone);
    expect(await refusal(await other.call("POST", `${sharedWithMe}/${share}`))).toBe(gone);
    await anna.call("DELETE", `${sharedWithMe}/${share}`);
    expect(await reads(anna, id)).toBe(404);
    expect(await people(owner, id)).toEqual([]);
    const { id: again } = await offer(owner, anna, id, "read");
    await anna.call("DELETE", `${sharedWithMe}/${again}`);
    expect(await people(owner, id)).toEqual([]);
  });

  test('a person with the role "correct" can change text and speakers but nothing else', async () => {
    const { owner, anna, id } = await start();
    const { id: share } = await shareWith(owner, anna, id, "read");
    const put = (update: object) => anna.call("PUT", `/audio/remove-transcription/${id}`, update);
    const edits = [{ index: 0, text: "good evening" }];
    expect(await refusal(await put({ edits }))).toBe("403 forbidden");
    await owner.call("PATCH", `${peopleOf(id)}/${share}`, { role: "correct" });
    const corrected = await read(await put({ edits, speakers: [{ name: "Bea", segments: [1] }] }), 200, Transcription);
    expect(corrected).toMatchObject({ access: { role: "correct" }, segments: [{ text: "good evening" }, { speaker: "Bea" }] });
    expect((await getTranscription(owner, id)).segments[0]?.text).toBe("good evening");
    for (const update of [
      { title: "Mine" },
      { targetLanguage: null },
      { retry: true },
      { diarize: { speakers: null } },
      { recognize: true },
    ])
      expect(await refusal(await put(update))).toBe("403 forbidden");
    expect(await refusal(await put({ deletedAt: null }))).toBe("403 forbidden");
    expect(await refusal(await anna.call("DELETE", `/audio/remove-transcription/${id}`))).toBe(gone);
    await owner.call("PATCH", `${peopleOf(id)}/${share}`, { role: "read" });
    expect(await refusal(await put({ edits }))).toBe("403 forbidden");
  });

  test("hides a trashed transcript from readers, and deletes the share with the owner's account", async () => {
    const { owner, anna, id, server } = await start();
    await shareWith(owner, anna, id, "read");
    await owner.call("DELETE", `/audio/remove-transcription/${id}`);
    expect(await reads(anna, id)).toBe(404);
    expect(await received(anna)).toEqual([]);
    await change(owner, id, { deletedAt: null });
    expect(await reads(anna, id)).toBe(200);
    const account = async (person: Person) =>
      unzipped(Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer())).get("account.json");
    expect(JSON.parse((await account(owner)) ?? "")).toMatchObject({ sharedWith: [{ email: anna.email, role: "read" }] });
    expect(JSON.parse((await account(anna)) ?? "")).toMatchObject({ sharedWithMe: [{ transcription: id, by: owner.email }] });
    await owner.call("DELETE", "/users/me", { password: "correct horse" });
    await eventually(
      () => reads(anna, id),
      (status) => status === 404,
    );
    using db = openSql(server.dataDir);
    expect(db.prepare("select count(*) as n from transcription_shares").get()).toEqual({ n: 0 });
  });

  test("keeps each person's notes on a shared transcript private", async () => {
    const { owner, anna, id } = await start();
    await shareWith(owner, anna, id, "read");
    const note = `${one(id)}/notes/${crypto.randomUUID()}`;
    const body = { start: 0, end: 1, colour: null, text: "mine", revision: 0 };
    await owner.call("PUT", note, body);
    const notes = async (person: Person) => (await read(await person.call("GET", `${one(id)}/notes`), 200, NotesAnswer)).notes;
    expect(await notes(anna)).toEqual([]);
    // Knowing the id of the note does not help.
    expect(await refusal(await anna.call("PUT", note, { ...body, text: "taken" }))).toBe("409 conflict");
    await anna.call("DELETE", note);
    expect(await notes(owner)).toMatchObject([{ text: "mine" }]);
    const markdown = async (person: Person) => (await person.call("GET", `${one(id)}/export?format=md`)).text();
    expect(await markdown(owner)).toContain("mine");
    expect(await markdown(anna)).not.toContain("mine");
  });

  test("limits a transcript's shares to fifty people", async () => {
    const { server, owner, anna, id } = await start();
    using db = openSql(server.dataDir);
    const { id: first } = await offer(owner, anna, id, "read");
    const row = db.prepare("select * from transcription_shares where id = ?").get(first);
    const add = db.prepare("insert into transcription_shares values (?, ?, ?, ?, null, 'read', ?, ?)");
    for (let count = 1; count < maxPeople; count++)
      add.run(`s${count}`, id, String(row?.owner_id), `p${count}@example.org`, Number(row?.created_at), Number(row?.expires_at));
    expect(await refusal(await owner.call("POST", peopleOf(id), { email: "more@example.org", role: "read" }))).toBe(
      "429 tooManyAtOnce",
    );
  });
});
