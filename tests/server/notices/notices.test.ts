import { expect, test } from "vitest";
import { NoticeSettings, NoticesAnswer, Transcription } from "#contract/index.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import { eventually, type Person, read, settled, signUp, startTestServer, testClock, upload } from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { plainDecode } from "#tests/server/processing/plain-decode.ts";
import { save } from "#tests/server/transcription/saved.ts";

const path = "/users/me/notices";

/** A server on which a recording takes as long as it is told. */
async function slowServer() {
  const clock = testClock();
  const mail = await startMailServer();
  let takesMs = 0;
  const server = await startTestServer({
    now: clock.now,
    mailPollMs: 60,
    webhookTimes: { pollMs: 60 },
    env: { ...mail.env, EMAIL_CONFIRMATION: "0" },
    decode: (...given) => {
      clock.advance(takesMs);
      return plainDecode(...given);
    },
  });
  const person = await signUp(server);
  const madeBy = async (who: Person, bytes: Uint8Array<ArrayBuffer>, takes: number) => {
    takesMs = takes;
    const done = await settled(who, (await read(await upload(who, bytes), 202, Transcription)).id);
    // How long it took is looked at when its ending is taken: no time passes before that.
    using db = openSql(server.dataDir);
    const endings = async () => db.prepare("select id from endings").all().length;
    await eventually(endings, (count) => count === 0);
    return done;
  };
  const made = (bytes: Uint8Array<ArrayBuffer>, takes: number) => madeBy(person, bytes, takes);
  const subjects = () => mail.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]);
  return { person, made, madeBy, subjects, mail, server };
}

test("mails about what is done are wanted by nobody who has not said so", async () => {
  const { person } = await slowServer();
  expect(await read(await person.call("GET", path), 200, NoticesAnswer)).toEqual({
    completed: false,
    failed: false,
    mails: "sent",
  });
  const wanted = { completed: true, failed: false };
  expect(await read(await person.call("PUT", path, wanted), 200, NoticeSettings)).toEqual(wanted);
  expect(await read(await person.call("GET", path), 200, NoticeSettings)).toEqual(wanted);
  await person.call("PUT", path, { completed: false, failed: true });
  expect(await read(await person.call("GET", path), 200, NoticeSettings)).toEqual({ completed: false, failed: true });
});

test("a mail leads to what has taken two minutes, done or failed as it is wanted, and says nothing of it", async () => {
  const { person, made, subjects, mail, server } = await slowServer();
  await made(spokenWav(2), 120_000);
  await person.call("PUT", path, { completed: true, failed: false });
  await made(spokenWav(2), 119_000);
  await save(person, { text: "rhubarb", date: "2026-01-01T00:00:00Z" });
  await made(Buffer.from("no audio at all"), 120_000);
  const done = await made(spokenWav(2), 120_000);
  await expect.poll(subjects).toEqual(["A transcript is ready"]);
  expect(mail.received[0]?.raw).toContain(`${server.pageUrl}/transcription/${done.id}`);
  expect(mail.received[0]?.raw).not.toContain("piece");
  await person.call("PUT", path, { completed: false, failed: true });
  await made(Buffer.from("no audio either"), 120_000);
  await expect.poll(subjects).toEqual(["A transcript is ready", "Something could not be transcribed"]);
});

test("many recordings make five mails at once, and keep nobody else's back", async () => {
  const { person, made, madeBy, subjects, mail, server } = await slowServer();
  await person.call("PUT", path, { completed: true, failed: true });
  for (let count = 0; count < 6; count++) await made(spokenWav(1), 120_000);
  const other = await signUp(server);
  await other.call("PUT", path, { completed: true, failed: true });
  await madeBy(other, spokenWav(1), 120_000);
  await expect.poll(() => mail.received.some(({ to }) => to.includes(other.email))).toBe(true);
  expect(subjects().length).toBe(6);
});
