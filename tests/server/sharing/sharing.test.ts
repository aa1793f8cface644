import { describe, expect, test } from "vitest";
import {
  maxSharedLinks,
  type NewSharedLink,
  type SharedLink,
  SharedLinkSecret,
  SharedLinksAnswer,
  Transcription,
  UserProfile,
} from "#contract/index.ts";
import { sharedEverywhereLimit, sharedLimit } from "#server/session/throttle.ts";
import { openSql } from "#tests/server/database.ts";
import {
  type Person,
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
import { startWithSuperuser } from "#tests/server/superuser.ts";
import { change, save } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";
import { linksOf, passphrase, share, talk, visit } from "./links.ts";

const minute = 60_000;
const dayMs = 24 * 60 * minute;
const everything: NewSharedLink = { name: "Anna's team", audio: true, translation: true, download: true };
const gone = "404 notFound";
const bytes = new Uint8Array(buzzWav(2));

const listed = async (person: Person, id: string) =>
  (await read(await person.call("GET", linksOf(id)), 200, SharedLinksAnswer)).links;
const patched = async (person: Person, id: string, link: SharedLink, body: object) =>
  person.call("PATCH", `${linksOf(id)}/${link.id}`, body);

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, ...options });
  const person = await signUp(server);
  const { id } = await save(person, { segments: talk, title: "The harbour", targetLanguage: "es" });
  return { clock, server, person, id };
}

/** Starts a server with a transcribed recording. */
async function heard() {
  const { server, ...rest } = await start();
  const { id } = await read(await upload(rest.person, bytes, { name: "secret-name.wav" }), 202, Transcription);
  await settled(rest.person, id);
  return { ...rest, server, id };
}

describe("a link's content", () => {
  test("shows text, times and speakers through a link but none of the owner's private fields", async () => {
    const { server, person, id } = await start();
    const link = await share(person, id, everything);
    const shown = await visit(server, link).shown();
    expect(shown).toEqual({
      title: "The harbour",
      date: "2026-03-01T10:00:00.000Z",
      sharedBy: "Anna's team",
      sourceLanguage: "en",
      targetLanguage: "es",
      durationSeconds: shown.durationSeconds,
      hasAudio: false,
      download: true,
      expiresAt: null,
      text: "",
      translatedText: "",
      segments: [
        {
          ...{ start: 0, end: 1, text: "good morning", speaker: "Anna", translation: "buenos días" },
          words: [
            { text: "good", start: 0, end: 0.5 },
            { text: "morning", start: 0.5, end: 1 },
          ],
        },
        expect.objectContaining({ text: "how are you", speaker: "1", translation: "cómo estás" }),
      ],
    });
    const plain = await visit(server, await share(person, id)).open();
    const text = await plain.text();
    expect(text).toContain("how are you");
    for (const hidden of ["cómo", "gut", "turn", "confidence", "engine", "Anna's team", '"es"', person.email, id])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
    expect(plain.headers.get("X-Robots-Tag")).toBe("noindex, nofollow, noarchive");
    expect(plain.headers.get("Cache-Control")).toBe("no-store");
  });

  test("shows the owner's later corrections, and the plain text of a transcript without segments", async () => {
    const { server, person, id } = await start();
    const link = await share(person, id);
    await change(person, id, { edits: [{ index: 1, text: "how do you do" }], title: "Renamed" });
    expect(await visit(server, link).shown()).toMatchObject({ title: "Renamed", segments: [{}, { text: "how do you do" }] });
    const bare = await save(person, { text: "only a text", title: "Bare" });
    expect(await visit(server, await share(person, bare.id)).shown()).toMatchObject({ text: "only a text", segments: [] });
  });

  test("never reveals the file name of an upload until its owner sets a title", async () => {
    const { server, person, id } = await heard();
    const visitor = visit(server, await share(person, id, { audio: true, download: true }));
    const shown = await (await visitor.open()).text();
    const answers = [await visitor.get("audio"), await visitor.get("export?format=txt")];
    const texts = [shown, ...answers.flatMap(({ headers }) => headers.get("Content-Disposition") ?? [])];
    for (const answer of answers) texts.push(await answer.text());
    expect(texts.join("\n")).not.toContain("secret-name");
    expect((await visitor.shown()).title).toBe("piece 2");
    // A client may send the file's name as the title; a host name like "intranet.example.com" looks the same.
    await change(person, id, { title: "secret-name.wav" });
    expect((await visitor.shown()).title).toBe("piece 2");
    await change(person, id, { title: "The harbour" });
    expect((await visitor.shown()).title).toBe("The harbour");
  });

  test("exports a shared transcript where its owner allows it, without an unshared translation", async () => {
    const { server, person, id } = await start();
    const allowed = visit(server, await share(person, id, { download: true }));
    await allowed.shown();
    const file = await allowed.get("export?format=srt&content=both");
    expect(file.headers.get("Content-Disposition")).toContain('filename="The harbour.srt"');
    const text = await file.text();
    expect(text).toContain("Anna: good morning");
    expect(text).not.toContain("buenos");
    expect(await refusal(await allowed.get("export?format=docx"))).toBe("400 badRequest");
    const both = visit(server, await share(person, id, { download: true, translation: true }));
    await both.shown();
    expect(await (await both.get("export?format=txt&content=both")).text()).toContain("buenos días");
    const denied = visit(server, await share(person, id));
    await denied.shown();
    expect(await refusal(await denied.get("export?format=txt"))).toBe(gone);
  });

  test("plays shared audio with ranges only for the cookie of the opened link", async () => {
    const { server, person, id } = await heard();
    const link = await share(person, id, { audio: true });
    const visitor = visit(server, link);
    expect(await refusal(await visitor.get("audio"))).toBe(gone);
    expect(await visitor.shown()).toMatchObject({ hasAudio: true });
    const part = await visitor.get("audio", { Range: "bytes=4-7" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 4-7/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 8))).toBe(true);
    const whole = await visitor.get("audio", { "Sec-Fetch-Mode": "no-cors" });
    expect(whole.headers.get("Content-Disposition")).toBe("inline");
    expect(JSON.stringify([...whole.headers])).not.toContain(id);
    await whole.body?.cancel();
    // One link's cookie opens neither another link nor other data of its owner.
    const other = visit(server, await share(person, id, { audio: true }));
    expect(await refusal(await other.get("audio", { Cookie: visitor.cookie() }))).toBe(gone);
    const media = { headers: { Cookie: visitor.cookie().replace("parlance_shared", "parlance_media") } };
    const owners = `${server.apiUrl}/api/v1/audio-transcriptions/transcription/${id}/audio`;
    expect(await refusal(await fetch(owners, media))).toBe("401 unauthorized");
    const silent = visit(server, await share(person, id));
    expect(await silent.shown()).toMatchObject({ hasAudio: false });
    expect(await refusal(await silent.get("audio"))).toBe(gone);
  });
});

describe("a link's passphrase", () => {
  // PROMISE sharing: A link shares a transcript until a day, with a passphrase; its end is immediate
  test("unlocks a link for four hours in one browser, until its passphrase changes", async () => {
    const { clock, server, person, id } = await start();
    const link = await share(person, id, { ...everything, passphrase });
    const visitor = visit(server, link);
    expect(await (await visitor.open()).json()).toEqual({ locked: true });
    expect(await refusal(await visitor.open("wrong"))).toBe("403 wrongPassword");
    expect(await refusal(await visitor.get("export?format=txt"))).toBe(gone);
    await visitor.shown(passphrase);
    await visitor.shown();
    expect((await visitor.get("export?format=txt")).status).toBe(200);
    // Another visitor's browser is asked for the passphrase.
    expect(await (await visit(server, link).open()).json()).toEqual({ locked: true });

    await patched(person, id, link, { passphrase: "another seventeen boats" });
    expect(await refusal(await visitor.get("export?format=txt"))).toBe(gone);
    expect(await (await visitor.open()).json()).toEqual({ locked: true });
    await visitor.shown("another seventeen boats");
    clock.advance(4 * 60 * minute);
    expect(await (await visitor.open()).json()).toEqual({ locked: true });
    await patched(await signInAgain(server, person), id, link, { passphrase: null });
    await visitor.shown();
  });

  test("stores a link's passphrase as a hash and refuses short or common ones", async () => {
    const { server, person, id } = await start();
    const link = await share(person, id, { passphrase });
    using db = openSql(server.dataDir);
    const row = db.prepare("select * from shared_links").get();
    expect(row?.passphrase_hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(link.secret);
    expect(await refusal(await person.call("POST", linksOf(id), { passphrase: "password1" }))).toBe("422 passwordCommon");
    expect(await refusal(await person.call("POST", linksOf(id), { passphrase: "short" }))).toBe("400 badRequest");
    expect(await refusal(await patched(person, id, link, { passphrase: "password1" }))).toBe("422 passwordCommon");
  });

  test("limits passphrase guesses per address and across addresses without locking out others", async () => {
    const { clock, server, person, id } = await start({ env: { TRUST_PROXY: "1" } });
    const link = await share(person, id, { passphrase });
    const visitor = visit(server, link);
    const from = (last: number) => ({ "X-Forwarded-For": `192.0.2.${last}` });
    for (let times = 0; times < sharedLimit.max; times++)
      expect((await visitor.open(`guess ${times}`, from(1))).status).toBe(403);
    const refused = await visitor.open(passphrase, from(1));
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "900"]);
    expect((await visitor.open(passphrase, from(2))).status).toBe(200);
    using db = openSql(server.dataDir);
    // Sets the count that many addresses have used up together.
    db.prepare(`update attempts set count = ${sharedEverywhereLimit.max} where count = ${sharedLimit.max + 1}`).run();
    const next = visit(server, link);
    expect(await refusal(await next.open(passphrase, from(3)))).toBe("429 tooManyRequests");
    clock.advance(15 * minute);
    expect((await next.open(passphrase, from(1))).status).toBe(200);
  });
});

describe("the end of a link", () => {
  interface Scene {
    server: Awaited<ReturnType<typeof startTestServer>>;
    clock: ReturnType<typeof testClock>;
    person: Person;
    superuser: Person;
    id: string;
    link: SharedLink;
  }
  const reason = { reason: "a reason" };
  const endings: [string, (scene: Scene) => Promise<unknown>][] = [
    ["when it is revoked", ({ person, id, link }) => person.call("DELETE", `${linksOf(id)}/${link.id}`)],
    ["with its transcript in the trash", ({ person, id }) => person.call("DELETE", `/audio/remove-transcription/${id}`)],
    [
      "with its account blocked",
      async ({ superuser, person }) => {
        const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
        await superuser.call("PATCH", `/admin/users/${id}/blocked`, { blocked: true, ...reason });
      },
    ],
    ["with its account", ({ person }) => person.call("DELETE", "/users/me", { password: "correct horse" })],
    ["at its time", async ({ clock }) => clock.advance(dayMs)],
  ];

  // PROMISE sharing: A link shares a transcript until a day, with a passphrase; its end is immediate
  test("ends a link at once, including its audio, with the answer of an unknown link", async () => {
    const clock = testClock();
    const { server, superuser } = await startWithSuperuser({ now: clock.now });
    for (const [how, end] of endings) {
      const person = await signUp(server);
      const { id } = await read(await upload(person, bytes), 202, Transcription);
      await settled(person, id);
      const expiresAt = new Date(clock.now() + 60 * minute).toISOString();
      const link = await share(person, id, { ...everything, expiresAt });
      const visitor = visit(server, link);
      await visitor.shown();
      expect([how, (await visitor.get("audio", { Range: "bytes=0-3" })).status]).toEqual([how, 206]);
      await end({ server, clock, person, superuser, id, link });
      const never = visit(server, { id: "0123456789abcdef", secret: link.secret });
      const said = await (await never.open()).text();
      for (const asked of [() => visitor.open(), () => visitor.get("audio"), () => visitor.get("export?format=txt")]) {
        const answer = await asked();
        expect([how, answer.status, await answer.text()]).toEqual([how, 404, said]);
        expect(answer.headers.get("X-Robots-Tag")).toContain("noindex");
      }
    }
  });

  test("answers a guessed secret like an unknown link and counts no view", async () => {
    const { server, person, id } = await start();
    const link = await share(person, id, { passphrase });
    const last = link.secret.at(-1) === "A" ? "B" : "A";
    for (const secret of [link.secret.slice(0, -1) + last, `${link.secret}A`, "", "x".repeat(200)])
      expect(await refusal(await visit(server, { id: link.id, secret }).open(passphrase))).toBe(gone);
    expect((await listed(person, id))[0]?.views).toBe(0);
  });

  test("restores a link with its transcript, extends an expired link, and deletes it after thirty days", async () => {
    const { clock, server, person, id } = await start();
    const link = await share(person, id, { expiresAt: new Date(clock.now() + dayMs).toISOString() });
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    await change(person, id, { deletedAt: null });
    await visit(server, link).shown();
    clock.advance(dayMs);
    const owner = await signInAgain(server, person);
    expect(await listed(owner, id)).toMatchObject([{ id: link.id, ended: true }]);
    const later = new Date(clock.now() + minute).toISOString();
    expect(await (await patched(owner, id, link, { expiresAt: later })).json()).toMatchObject({ ended: false });
    await visit(server, link).shown();
    const past = new Date(clock.now()).toISOString();
    expect(await refusal(await patched(owner, id, link, { expiresAt: past }))).toBe("400 badRequest");
    clock.advance(30 * dayMs + minute);
    await server.sweep();
    expect(await listed(await signInAgain(server, person), id)).toEqual([]);
  });
});

describe("the owner of a link", () => {
  test("shows the owner a link's views, applies changes at once, and exports no secret", async () => {
    const { server, person, id } = await start();
    const { secret, ...shown } = await share(person, id, { name: " Anna ", download: true });
    expect(shown).toMatchObject({ name: "Anna", locked: false, views: 0, ended: false, expiresAt: null });
    const link = { ...shown, secret };
    const visitor = visit(server, link);
    await visitor.shown();
    // A reload is the same visit; another browser counts as another visit.
    await visitor.shown();
    await visit(server, link).shown();
    expect(await listed(person, id)).toEqual([{ ...shown, views: 2 }]);
    await patched(person, id, link, { download: false, name: "" });
    expect(await refusal(await visitor.get("export?format=txt"))).toBe(gone);
    expect(await visitor.shown()).toMatchObject({ sharedBy: "", download: false });
    expect(await (await patched(person, id, link, {})).json()).toMatchObject({ name: "", views: 2 });
    const account = unzipped(Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer())).get("account.json");
    expect(account).toContain(link.id);
    using db = openSql(server.dataDir);
    for (const hidden of [secret, String(db.prepare("select hash from shared_links").get()?.hash)])
      expect(account).not.toContain(hidden);
  });

  test("copies a link again unless its sealed secret is missing, another row's or of another key", async () => {
    const { server, person, id } = await start();
    const [link, other] = [await share(person, id, { passphrase }), await share(person, id)];
    const again = (one: SharedLink) => person.call("GET", `${linksOf(id)}/${one.id}/secret`);
    expect(await read(await again(link), 200, SharedLinkSecret)).toEqual({ secret: link.secret });
    using db = openSql(server.dataDir);
    const sealed = db.prepare("select sealed_secret from shared_links where id = ?");
    const put = db.prepare("update shared_links set sealed_secret = ? where id = ?");
    const kept = String(sealed.get(link.id)?.sealed_secret);
    for (const wrong of [kept, `another-key.${kept.split(".")[1]}`, null]) {
      put.run(wrong, other.id);
      expect(await refusal(await again(other))).toBe("410 gone");
    }
    expect((await listed(person, id)).map(({ copyable }) => copyable).sort()).toEqual([false, true]);
    await visit(server, other).shown();
  });

  test("allows twenty links per transcript and hides them from other users", async () => {
    const { server, person, id } = await start();
    const first = await share(person, id);
    for (let count = 1; count < maxSharedLinks; count++) await share(person, id);
    expect(await refusal(await person.call("POST", linksOf(id), {}))).toBe("429 tooManyAtOnce");
    const other = await signUp(server);
    const mine = await save(other);
    expect(await refusal(await other.call("GET", linksOf(id)))).toBe(gone);
    // Neither by the transcript's address nor by an address of their own transcript.
    for (const transcription of [id, mine.id]) {
      expect(await refusal(await patched(other, transcription, first, { audio: true }))).toBe(gone);
      expect(await refusal(await other.call("GET", `${linksOf(transcription)}/${first.id}/secret`))).toBe(gone);
      expect(await refusal(await other.call("DELETE", `${linksOf(transcription)}/${first.id}`))).toBe(gone);
    }
    expect((await person.call("DELETE", `${linksOf(id)}/${first.id}`)).status).toBe(204);
    await share(person, id);
  });

  test("shares opened and revoked links between all processes of a database", async () => {
    const { clock, server, person, id } = await heard();
    const link = await share(person, id, { audio: true, passphrase });
    const visitor = visit(server, link);
    await visitor.shown(passphrase);
    const second = await startTestServer({ now: clock.now, dataDir: server.dataDir });
    const part = await visitor.get("audio", { Range: "bytes=0-3" }, second.apiUrl);
    expect(part.status).toBe(206);
    await part.body?.cancel();
    await person.call("DELETE", `${linksOf(id)}/${link.id}`);
    expect(await refusal(await visitor.get("audio", {}, second.apiUrl))).toBe(gone);
  });
});

test("keeps the page of a link out of search engines, frames, referrers and the log", async () => {
  const lines: string[] = [];
  const { server, person, id } = await start({ writeLog: (line) => void lines.push(line) });
  const link = await share(person, id, { passphrase, name: "Anna of the harbour" });
  await visit(server, link).shown(passphrase);
  const page = await fetch(`${server.pageUrl}/shared`, { headers: { Accept: "text/html" } });
  expect(page.headers.get("X-Robots-Tag")).toBe("noindex, nofollow, noarchive");
  expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  const other = await fetch(`${server.pageUrl}/about`, { headers: { Accept: "text/html" } });
  expect(other.headers.get("X-Robots-Tag")).toBeNull();
  for (const text of [page, other]) await text.body?.cancel();
  expect(lines.join("")).toContain("/api/v1/shared/:link/open");
  for (const secret of [link.secret, passphrase, "Anna of the harbour"]) expect(lines.join("")).not.toContain(secret);
});
