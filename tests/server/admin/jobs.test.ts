import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AdminJob, AdminJobsAnswer, AuditAnswer, Transcription } from "#contract/index.ts";
import { SpeechError } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { eventually, type Person, read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment, spokenWav } from "#tests/server/jobs/scripted.ts";
import { useUp } from "#tests/server/subscription/used-up.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

const jobsOf = async (superuser: Person, query = "") =>
  read(await superuser.call("GET", `/admin/jobs${query}`), 200, AdminJobsAnswer);
const begin = async (person: Person, wav = buzzWav(2)) => (await read(await upload(person, wav), 202, Transcription)).id;
const retry = (superuser: Person, id: string) => superuser.call("POST", `/admin/jobs/${id}/retry`);

/** Starts a server whose engine fails until `mend` is called and then waits until the test calls `hear`. */
async function start() {
  let broken = true;
  const heard = Promise.withResolvers<void>();
  const transcribe = async (pcm: Buffer) => {
    if (broken) throw new SpeechError("languageUnavailable", "Not today.");
    await heard.promise;
    return [segment("secret words", 0, pcm.length / 2 / pcmRate)];
  };
  const server = await startTestServer({ engines: scriptedEngines({ transcribe, parallel: 1 }) });
  const mend = () => {
    broken = false;
  };
  return { server, superuser: await signUpSuperuser(server), person: await signUp(server), mend, hear: heard.resolve };
}

// PROMISE administration: Administrators see no title and no text of a transcript
test("the queue shows no transcript text, and a superuser can retry a failed job", async () => {
  const { superuser, person, mend, hear } = await start();
  expect(await jobsOf(superuser)).toMatchObject({ jobs: [], pagination: { total: 0 } });
  const id = await begin(person);
  await settled(person, id);
  const failed = await jobsOf(superuser);
  expect(failed.jobs).toMatchObject([
    { id, email: person.email, state: "failed", origin: "upload", language: "en", durationSeconds: 2, failures: null },
  ]);
  expect(failed.jobs).toMatchObject([{ error: "languageUnavailable", canRetry: true }]);
  mend();
  const again = await read(await retry(superuser, id), 200, AdminJob);
  expect(again).toMatchObject({ id, error: null, canRetry: false });
  const running = await eventually(
    () => jobsOf(superuser, "?state=running"),
    ({ jobs }) => jobs.length === 1,
  );
  expect(running).toMatchObject({ jobs: [{ id, failures: 0, error: null }] });
  expect(await refusal(await retry(superuser, id))).toBe("409 conflict");
  hear();
  expect(await settled(person, id)).toMatchObject({ status: "completed", text: "secret words" });
  const after = await superuser.call("GET", "/admin/jobs");
  expect(await after.text()).not.toMatch(/secret|speech/);
  const log = await read(await superuser.call("GET", "/admin/audit"), 200, AuditAnswer);
  expect(log.entries).toMatchObject([{ action: "retryJob", user: { email: person.email }, before: { status: "failed" } }]);
});

test("refuses to retry a job whose audio or transcription is gone", async () => {
  const { server, superuser, person } = await start();
  const id = await begin(person);
  await settled(person, id);
  await rm(join(server.dataDir, "audio", id), { recursive: true });
  expect((await jobsOf(superuser)).jobs).toMatchObject([{ id, canRetry: false }]);
  expect(await refusal(await retry(superuser, id))).toBe("410 gone");
  expect(await refusal(await retry(superuser, "nothing"))).toBe("404 notFound");
  await person.call("DELETE", `/audio/remove-transcription/${id}`);
  expect((await jobsOf(superuser)).jobs).toEqual([]);
  expect(await refusal(await retry(superuser, id))).toBe("404 notFound");
});

test("refuses to retry a job when its owner's free minutes are used up", async () => {
  const { server, superuser, person, mend, hear } = await start();
  await useUp(server.dataDir, person, 9.8);
  const id = await begin(person, spokenWav(7));
  await settled(person, id);
  mend();
  hear();
  await settled(person, await begin(person, spokenWav(6)));
  expect(await refusal(await retry(superuser, id))).toBe("402 limitReached");
});

test("lists jobs by state in pages", async () => {
  const { superuser, person, mend } = await start();
  for (let count = 0; count < 3; count++) await settled(person, await begin(person));
  mend();
  for (let count = 0; count < 5; count++) await begin(person);
  const total = async (state: string) => (await jobsOf(superuser, `?state=${state}`)).pagination.total;
  await eventually(
    async () => [await total("running"), await total("waiting")],
    ([running = 0, waiting = 0]) => running > 0 && running + waiting === 5,
  );
  const page = await jobsOf(superuser, "?state=failed&limit=2&page=2");
  expect(page.jobs).toHaveLength(1);
  expect(page.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 });
  expect(
    (await jobsOf(superuser, "?limit=100")).jobs
      .map(({ state }) => state)
      .sort()
      .at(0),
  ).toBe("failed");
  expect(await refusal(await superuser.call("GET", "/admin/jobs?state=done"))).toBe("400 badRequest");
});

test("refuses the queue to everybody who is no superuser", async () => {
  const { server, person } = await start();
  for (const [method, path] of [
    ["GET", "/admin/jobs"],
    ["POST", "/admin/jobs/1/retry"],
  ] as const) {
    for (const answer of [await fetch(`${server.apiUrl}${path}`, { method }), await person.call(method, path)]) {
      expect(await refusal(answer)).toBe("401 adminRequired");
    }
  }
});
