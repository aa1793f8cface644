import { describe, expect, test } from "vitest";
import { maxWebhooks, Transcription } from "#contract/index.ts";
import { signatureHeaders } from "#server/webhooks/signature.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import { base, eventually, read, refusal, settled, signInAgain, signUp, testClock, upload } from "#tests/server/harness.ts";
import { silentWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";
import { answering, hooks, logged, logOf, makeWebhook, opened, openReceiver, sendingTo, webhooksOf } from "./hooks.ts";

const minute = 60_000;
const hour = 60 * minute;

test("signs the standard's own example correctly", () => {
  const signed = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1614265330_000, body: '{"test": 2432232314}' };
  expect(signatureHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", signed)).toEqual({
    "webhook-id": signed.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

describe("the delivery of a webhook", () => {
  test("sends signed messages about completed and failed transcriptions without their content", async () => {
    const receiver = await openReceiver({ "/all": answering(200, "thank\u0000you\n  very much") });
    const { server, person } = await sendingTo(receiver);
    const all = await makeWebhook(person, receiver.at("/all"));
    const failures = await makeWebhook(person, receiver.at("/failures"), { events: ["transcription.failed"] });
    await makeWebhook(await signUp(server), receiver.at("/others"));
    const { id } = await settled(
      person,
      (await read(await upload(person, spokenWav(2), { name: "Secret plan.wav" }), 202, Transcription)).id,
    );
    expect(await logged(person, all.id, ({ state }) => state === "delivered")).toMatchObject({
      ...{ type: "transcription.completed", transcriptionId: id, attempts: 1, status: 200, answer: "thank you very much" },
      ...{ error: null, nextAt: null },
    });
    const [told, ...rest] = receiver.got;
    expect(rest).toEqual([]);
    const message = told && opened(told, all.secret);
    expect(message).toEqual({
      type: "transcription.completed",
      timestamp: expect.any(String),
      data: {
        ...{ id, origin: "upload", sourceLanguage: "en", targetLanguage: null, durationSeconds: 2, error: null },
        url: `${server.pageUrl}/transcription/${id}`,
      },
    });
    expect(told?.body).not.toMatch(/secret|plan|piece/i);
    expect(told?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": (await logOf(person, all.id))[0]?.id,
    });
    expect(() => told && opened(told, failures.secret)).toThrow("signature");

    await settled(person, (await read(await upload(person, Buffer.from("no audio at all")), 202, Transcription)).id);
    await logged(person, failures.id, ({ state }) => state === "delivered");
    await logged(person, all.id, ({ type, state }) => type === "transcription.failed" && state === "delivered");
    const toldOfFailure = receiver.got.slice(1).map(({ body }) => JSON.parse(body));
    expect(toldOfFailure).toHaveLength(2);
    for (const body of toldOfFailure) expect(body).toMatchObject({ type: "transcription.failed", data: { error: "notAudio" } });
  });

  test("sends one message per dictation and none for samples or corrections", async () => {
    const receiver = await openReceiver();
    const { person } = await sendingTo(receiver);
    const { id } = await makeWebhook(person, receiver.at("/"));
    expect((await person.call("POST", `${base}/sample`, { title: "t" })).ok).toBe(true);
    const said = await save(person, { text: "one two" });
    await person.call("PUT", `/audio/remove-transcription/${said.id}`, { text: "one three" });
    await logged(person, id, ({ state }) => state === "delivered");
    // Any other message would have arrived before this one.
    await save(person, { text: "four" });
    await eventually(
      () => logOf(person, id),
      (log) => log.filter(({ state }) => state === "delivered").length === 2,
    );
    expect(receiver.got.map(({ body }) => JSON.parse(body).data.origin)).toEqual(["dictation", "dictation"]);
  });

  test("allows ten webhooks per user and shows each secret only once", async () => {
    const receiver = await openReceiver();
    const { person, server } = await sendingTo(receiver);
    const { secret, ...shown } = await makeWebhook(person, receiver.at("/one"), {
      events: ["transcription.failed", "transcription.failed"],
    });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(shown).toMatchObject({
      url: receiver.at("/one"),
      events: ["transcription.failed"],
      paused: null,
      failures: 0,
      failingSince: null,
    });
    expect(await webhooksOf(person)).toEqual([shown]);
    const zip = Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer());
    const account = unzipped(zip).get("account.json")?.toString() ?? "";
    expect(JSON.parse(account)).toMatchObject({ webhooks: [shown], webhookDeliveries: [] });
    expect(account).not.toContain(secret);
    for (let count = 1; count < maxWebhooks; count++) await makeWebhook(person, receiver.at(`/${count}`));
    const body = { url: receiver.at("/more"), events: ["transcription.completed"] };
    expect(await refusal(await person.call("POST", hooks, body))).toBe("429 tooManyAtOnce");
    expect((await person.call("DELETE", `${hooks}/${shown.id}`)).status).toBe(204);
    await makeWebhook(person, receiver.at("/more"));
    // Other users have no access.
    const other = await signUp(server);
    const [{ id } = { id: "" }] = await webhooksOf(person);
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/deliveries"],
      ["POST", "/test"],
      ["POST", "/deliveries/msg_1/replay"],
    ] as const) {
      const answer = await other.call(method, `${hooks}/${id}${path}`, method === "PATCH" ? { paused: true } : undefined);
      expect([method, path, await refusal(answer)]).toEqual([method, path, "404 notFound"]);
    }
    expect(await webhooksOf(other)).toEqual([]);
  });

  test("sends test messages, follows a changed address, and stops when the webhook is removed", async () => {
    const receiver = await openReceiver({ "/moved": answering(302, "", { Location: "/elsewhere" }) });
    const { person } = await sendingTo(receiver);
    const { id, secret } = await makeWebhook(person, receiver.at("/moved"));
    expect((await person.call("POST", `${hooks}/${id}/test`)).status).toBe(202);
    expect(await logged(person, id)).toMatchObject({ type: "webhook.test", transcriptionId: null });
    expect(await logged(person, id, ({ status }) => status === 302)).toMatchObject({ state: "waiting" });
    expect((await webhooksOf(person))[0]).toMatchObject({ failures: 1, failingSince: expect.any(String) });
    expect((await person.call("PATCH", `${hooks}/${id}`, { url: receiver.at("/here") })).status).toBe(200);
    expect((await webhooksOf(person))[0]).toMatchObject({ url: receiver.at("/here"), failures: 0, failingSince: null });
    const [{ id: message } = { id: "" }] = await logOf(person, id);
    expect((await person.call("POST", `${hooks}/${id}/deliveries/${message}/replay`)).status).toBe(202);
    await logged(person, id, ({ state }) => state === "delivered");
    const [first, second] = receiver.got;
    expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
    expect(second && opened(second, secret)).toMatchObject({ type: "webhook.test", data: {} });
    expect(await refusal(await person.call("POST", `${hooks}/${id}/deliveries/msg_0/replay`))).toBe("404 notFound");
    await person.call("DELETE", `${hooks}/${id}`);
    expect(await refusal(await person.call("GET", `${hooks}/${id}/deliveries`))).toBe("404 notFound");
  });
});

describe("failed deliveries", () => {
  test("tries a delivery nine times with growing delays, then lets its owner replay it", async () => {
    const clock = testClock();
    const receiver = await openReceiver({ "/": answering(503, "not now") });
    const { server, person } = await sendingTo(receiver, { now: clock.now });
    const { id } = await makeWebhook(person, receiver.at("/"));
    await person.call("POST", `${hooks}/${id}/test`);
    const waits = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
    let owner = person;
    for (const [index, wait] of waits.entries()) {
      const attempts = index + 1;
      const isDue = ({ nextAt, status }: { nextAt: string | null; status: number | null }) =>
        status === 503 && nextAt === new Date(clock.now() + wait).toISOString();
      expect(await logged(owner, id, (newest) => newest.attempts === attempts && isDue(newest))).toMatchObject({
        answer: "not now",
      });
      clock.advance(wait - 1);
      owner = await signInAgain(server, person);
      expect((await logOf(owner, id))[0]?.attempts).toBe(attempts);
      clock.advance(1);
    }
    // The remaining delays are similar; the test sets the rows directly.
    using db = openSql(server.dataDir);
    await logged(owner, id, ({ attempts, status }) => attempts === 7 && status === 503);
    await eventually(
      async () => (await logOf(owner, id))[0]?.nextAt,
      (nextAt) => nextAt === new Date(clock.now() + 14 * hour).toISOString(),
    );
    db.prepare("update webhook_deliveries set attempts = 8, next_at = 0").run();
    expect(await logged(owner, id, ({ state }) => state === "failed")).toMatchObject({ attempts: 9, nextAt: null });
    receiver.answers["/"] = answering(200);
    const [{ id: message } = { id: "" }] = await logOf(owner, id);
    await owner.call("POST", `${hooks}/${id}/deliveries/${message}/replay`);
    expect(await logged(owner, id, ({ state }) => state === "delivered")).toMatchObject({ attempts: 1, status: 200, answer: "" });
    expect((await webhooksOf(owner))[0]).toMatchObject({ failures: 0, failingSince: null, paused: null });
    clock.advance(30 * 24 * hour);
    await server.sweep();
    expect(await logOf(await signInAgain(server, person), id)).toEqual([]);
  });

  test("pauses a webhook that fails for a day, mails its owner, and sends held messages on resume", async () => {
    const clock = testClock();
    const mail = await startMailServer();
    const receiver = await openReceiver({ "/": answering(500) });
    const env = { ...mail.env, EMAIL_CONFIRMATION: "0" };
    const { server, person } = await sendingTo(receiver, {
      now: clock.now,
      mailPollMs: 60,
      env: { ...env, WEBHOOK_ALLOW_HOSTS: `hooks.test:${receiver.port}` },
    });
    const { id } = await makeWebhook(person, receiver.at("/"));
    using db = openSql(server.dataDir);
    const attempt = async (owner: typeof person, failures: number) => {
      await owner.call("POST", `${hooks}/${id}/test`);
      await eventually(
        () => webhooksOf(owner),
        ([webhook]) => webhook?.failures === failures,
      );
      // Prevents a second attempt in between.
      db.prepare("update webhook_deliveries set next_at = 9000000000000 where state = 'waiting'").run();
    };
    for (let failures = 1; failures <= 10; failures++) await attempt(person, failures);
    expect((await webhooksOf(person))[0]?.paused).toBeNull();
    clock.advance(24 * hour);
    const owner = await signInAgain(server, person);
    await attempt(owner, 11);
    const [paused] = await webhooksOf(owner);
    expect(paused).toMatchObject({ paused: { reason: "failing", at: new Date(clock.now()).toISOString() }, failures: 11 });
    await expect.poll(() => mail.received.filter(({ raw }) => raw.includes("Your webhook is paused")).length).toBe(1);
    expect(await refusal(await owner.call("POST", `${hooks}/${id}/test`))).toBe("409 conflict");
    await save(owner, { text: "meanwhile" });
    const held = (log: { state: string }[]) => log.filter(({ state }) => state === "held").length;
    await eventually(
      () => logOf(owner, id),
      (log) => held(log) === 12,
    );
    receiver.answers["/"] = answering(204);
    const sent = receiver.got.length;
    expect((await owner.call("PATCH", `${hooks}/${id}`, { paused: false })).status).toBe(200);
    await eventually(
      () => logOf(owner, id),
      (log) => log.every(({ state }) => state === "delivered"),
    );
    expect(receiver.got.length - sent).toBe(12);
    expect((await webhooksOf(owner))[0]).toMatchObject({ paused: null, failures: 0 });
  });

  test("pauses a webhook at once after 410 Gone or on its owner's request", async () => {
    const receiver = await openReceiver({ "/": answering(410) });
    const { person } = await sendingTo(receiver);
    const { id } = await makeWebhook(person, receiver.at("/"));
    await person.call("POST", `${hooks}/${id}/test`);
    await eventually(
      () => webhooksOf(person),
      ([webhook]) => webhook?.paused?.reason === "gone",
    );
    receiver.answers["/"] = answering(204);
    const own = await makeWebhook(person, receiver.at("/own"));
    await person.call("PATCH", `${hooks}/${own.id}`, { paused: true });
    await save(person);
    expect((await logged(person, own.id, ({ state }) => state === "held")).attempts).toBe(0);
    expect((await webhooksOf(person)).map(({ paused }) => paused?.reason)).toEqual(["gone", "owner"]);
    await person.call("PATCH", `${hooks}/${own.id}`, { paused: false });
    await logged(person, own.id, ({ state }) => state === "delivered");
    expect((await logOf(person, id)).map(({ state }) => state)).toEqual(["held", "held"]);
  });

  test("repeats a delivery after its process ended midway", async () => {
    const clock = testClock();
    const receiver = await openReceiver({ "/": () => {} });
    const first = await sendingTo(receiver, { now: clock.now });
    const { id } = await makeWebhook(first.person, receiver.at("/"));
    await save(first.person);
    await expect.poll(() => receiver.got.length).toBe(1);
    await first.server.close();
    receiver.answers["/"] = answering(204);
    clock.advance(minute);
    const { server } = await sendingTo(receiver, { now: clock.now, dataDir: first.server.dataDir });
    const owner = await signInAgain(server, first.person);
    expect(await logged(owner, id, ({ state }) => state === "delivered")).toMatchObject({ attempts: 2 });
    expect(receiver.got[1]?.headers["webhook-id"]).toBe(receiver.got[0]?.headers["webhook-id"]);
  });

  test("reports a silent recording as completed with the error noSpeech", async () => {
    const receiver = await openReceiver();
    const { person } = await sendingTo(receiver);
    const { id } = await makeWebhook(person, receiver.at("/"));
    await settled(person, (await read(await upload(person, silentWav(1)), 202, Transcription)).id);
    await logged(person, id, ({ state }) => state === "delivered");
    expect(JSON.parse(receiver.got[0]?.body ?? "{}")).toMatchObject({
      type: "transcription.completed",
      data: { error: "noSpeech" },
    });
  });
});
