import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { parse } from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginAnswer, Subscription, Transcription, TranscriptionEvent, UserProfile, Vault } from "#contract/index.ts";
import { createKeys, encryptFor } from "#src/features/vault/encryption.ts";
import { openMailServer } from "#tests/fixtures/mail-server.ts";
import { startTopology, type Topology } from "#tests/grown/harness-topology.ts";
import { asPerson, base, eventually, type Person, post, read, settled, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { append, begin as beginUpload, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import { begin as beginItem, listOf, putBytes, vaults } from "#tests/server/vault/vaults.ts";

// Two processes answer and three work, on one PostgreSQL and one S3.

const secret = "whsec_test";
let topology: Topology;
let userId = "";
let mails: Awaited<ReturnType<typeof openMailServer>>;
const cleanup = new AsyncDisposableStack();
beforeAll(async () => {
  mails = cleanup.use(await openMailServer());
  const stripe = {
    STRIPE_SECRET_KEY: "sk_test_secret",
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_PRICE_MONTH: "price_month",
    STRIPE_PRICE_YEAR: "price_year",
    STRIPE_API_URL: await startStripe(),
  };
  topology = cleanup.use(await startTopology({ env: { ...stripe, ...mails.env, EMAIL_CONFIRMATION: "0" } }));
});
afterAll(() => cleanup.disposeAsync());

/** Knows one subscription, of `userId`. */
async function startStripe(): Promise<string> {
  const subscription = () => ({
    id: "sub_1",
    object: "subscription",
    status: "active",
    customer: "cus_1",
    created: 1_770_000_000,
    cancel_at_period_end: false,
    cancel_at: null,
    metadata: { userId },
    items: { data: [{ current_period_end: Date.UTC(2027, 0, 1) / 1000, price: { recurring: { interval: "year" } } }] },
  });
  const server = createServer((request, response) => {
    const isKnown = request.url?.startsWith("/v1/subscriptions/sub_1") ?? false;
    response.writeHead(isKnown ? 200 : 400, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isKnown ? subscription() : { error: { type: "invalid_request_error" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  cleanup.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Tells a process something, signed as Stripe signs. */
function deliver(server: { apiUrl: string }, id: string): Promise<Response> {
  const body = JSON.stringify({ id, object: "event", type: "customer.subscription.created", data: { object: { id: "sub_1" } } });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const headers = { "Content-Type": "application/json", "Stripe-Signature": `t=${time},v1=${signature}` };
  return fetch(`${server.apiUrl}/webhooks/stripe`, { method: "POST", headers, body });
}

function processes() {
  const [one, other] = topology.apis;
  if (one === undefined || other === undefined) throw new Error("There are two.");
  return [one, other] as const;
}

async function signUp(): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.org`;
  const { accessToken } = await read(
    await post(topology, "/auth/register", { email, password: "correct horse" }),
    201,
    LoginAnswer,
  );
  return asPerson(topology, accessToken, email);
}

// PROMISE processes: Limits, sessions and streams hold across processes
test("streams the progress of another process's job from beginning to end", async () => {
  const [one, other] = processes();
  const person = await signUp();
  const answer = await asPerson(one, person.token).call("GET", `${base}/events`);
  const { id } = await read(await upload(asPerson(other, person.token), buzzWav(5)), 202, Transcription);
  const statuses = new Set<string | undefined>();
  let text = "";
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const { transcription } = parse(TranscriptionEvent, JSON.parse(data));
      if (transcription.id === id) statuses.add(transcription.status);
    }
    if (statuses.has("completed")) break;
  }
  expect(statuses).toContain("completed");
});

test("shares several people's files among all workers, each once", async () => {
  const people = await Promise.all([signUp(), signUp(), signUp()]);
  const made = people.flatMap((person) =>
    Array.from({ length: 2 }, async () => {
      const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
      return settled(person, id);
    }),
  );
  for (const transcription of await Promise.all(made)) expect(transcription).toMatchObject({ status: "completed", error: null });
});

test("continues an upload at the other process after a kill", async () => {
  const [one] = processes();
  const person = await signUp();
  const bytes = buzzWav(60);
  const half = Math.floor(bytes.length / 2);
  const path = await beginUpload(person, { size: bytes.length });
  expect((await append(one, person, path, { offset: 0, body: bytes.slice(0, half) })).status).toBe(204);
  await one.kill();
  const offset = await offsetOf(person, path);
  expect(offset).toBe(half);
  expect((await append(topology, person, path, { offset, body: bytes.slice(offset) })).status).toBe(204);
  expect(await settled(person, idOf(path))).toMatchObject({ status: "completed", durationSeconds: 60 });
  await one.start();
});

test("sends each e-mail once across processes", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, signUp));
  const emails = people.map(({ email }) => email).toSorted();
  await Promise.all(emails.map((email) => post(topology, "/auth/forgot-password", { email })));
  const sent = () => mails.received.flatMap(({ to }) => to.filter((email) => emails.includes(email)));
  await eventually(
    async () => sent().length,
    (count) => count >= emails.length,
  );
  expect(sent().toSorted()).toEqual(emails);
});

test("makes one subscription of simultaneous Stripe events, which opens the vault at both processes", async () => {
  const [one, other] = processes();
  const person = await signUp();
  userId = (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;
  const told = await Promise.all([deliver(one, "evt_1"), deliver(other, "evt_1"), deliver(other, "evt_2")]);
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const server of [one, other]) {
    const answer = await asPerson(server, person.token).call("GET", "/subscriptions/account/subscription");
    expect(await read(answer, 200, Subscription)).toMatchObject({ id: "sub_1", status: "active" });
  }

  const keys = await createKeys("correct horse battery", 2);
  await read(await person.call("POST", `${vaults}/vault`, keys.vault), 201, Vault);
  const cipher = await encryptFor(keys.vault.recipient, "words ".repeat(20_000));
  const { id } = await beginItem(person, keys, cipher.length);
  const half = Math.floor(cipher.length / 2);
  const content = (offset: number) => `${vaults}/${id}/content?offset=${offset}`;
  expect((await putBytes(one, person, content(0), cipher.slice(0, half))).status).toBe(200);
  expect((await putBytes(other, person, content(half), cipher.slice(half))).status).toBe(200);
  expect((await listOf(person)).items.map((item) => item.id)).toEqual([id]);
  const back = await person.call("GET", `${vaults}/${id}/content`);
  expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.from(cipher))).toBe(true);
});
