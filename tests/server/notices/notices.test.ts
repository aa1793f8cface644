import { expect, test } from "vitest";
import { NoticeSettings, NoticesAnswer, Transcription } from "#contract/index.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import { eventually, type Person, read, settled, signUp, startTestServer, testClock, upload } from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { plainDecode } from "#tests/server/processing/plain-decode.ts";
import { save } from "#tests/server/transcription/saved.ts";

const path = "/users/me/notices";

/** Starts a server on which each recording takes as long as the test says. */
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
    // Waits until the ending is processed, which computes the duration; the clock stands still until then.
    using db = openSql(server.dataDir);
    const endings = async () => db.prepare("select id from endings").all().length;
    await eventually(endings, (count) => count === 0);
    return done;
  };
  const made = (bytes: Uint8Array<ArrayBuffer>, takes: number) => madeBy(person, bytes, takes);
  const subjects = () => mail.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]);
  return { person, made, madeBy, subjects, mail, server };
}

test("mails about finished transcriptions are off until the user turns them on", async () => {
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

test("mails a link to a transcription that took two minutes, without its text", async () => {
  const { person, made, subjects, mail, server } = await slowServer();
  await made(spokenWav(2), 120_000);
  await person.call("PUT", path, { completed: true, failed: false });
  await made(spokenWav(2), 119_000);
  await save(person, { text: "rhubarb", date: "2026-01-01T00:00:00Z" });
  await made(Buffer.from("no audio at all"), 120_000);
  const done = await made(spokenWav(2), 120_000);
  await expect.poll(subjects).toEqual(["Your transcript is ready"]);
  expect(mail.received[0]?.raw).toContain(`${server.pageUrl}/transcription/${done.id}`);
  expect(mail.received[0]?.raw).not.toContain("piece");
  await person.call("PUT", path, { completed: false, failed: true });
  await made(Buffer.from("no audio either"), 120_000);
  await expect.poll(subjects).toEqual(["Your transcript is ready", "A transcription failed"]);
});

test("sends at most five mails at once to one person and does not delay another's", async () => {
  const { person, made, madeBy, subjects, mail, server } = await slowServer();
  await person.call("PUT", path, { completed: true, failed: true });
  for (let count = 0; count < 6; count++) await made(spokenWav(1), 120_000);
  const other = await signUp(server);
  await other.call("PUT", path, { completed: true, failed: true });
  await madeBy(other, spokenWav(1), 120_000);
  await expect.poll(() => mail.received.some(({ to }) => to.includes(other.email))).toBe(true);
  expect(subjects().length).toBe(6);
});
