import { expect, test } from "vitest";
import { openSql } from "#tests/server/database.ts";
import { eventually, refusal, signUp } from "#tests/server/harness.ts";
import { openSilence } from "#tests/server/media.ts";
import { answering, hooks, logged, logOf, makeWebhook, names, openReceiver, sendingTo } from "./hooks.ts";

const events = ["transcription.completed"];

test("refuses webhook addresses that are private, not HTTPS, or resolve to a private address", async () => {
  const receiver = await openReceiver();
  const { person } = await sendingTo(receiver);
  const refused: [string, string][] = [
    ["not an address", "422 urlRefused"],
    ["http://public.test/hook", "422 urlRefused"],
    ["ftp://public.test/hook", "422 urlRefused"],
    ["javascript:alert(1)", "422 urlRefused"],
    ["https://name:word@public.test/", "422 urlRefused"],
    ["https://public.test:22/", "422 urlRefused"],
    ["https://127.0.0.1/", "422 urlRefused"],
    ["https://2130706433/", "422 urlRefused"],
    ["https://[::ffff:10.0.0.1]/", "422 urlRefused"],
    ["https://169.254.169.254/latest/meta-data", "422 urlRefused"],
    ["https://inside.test/", "422 urlRefused"],
    [`http://inside.test:${receiver.port}/`, "422 urlRefused"],
    ["https://nowhere.test/", "422 urlUnreachable"],
  ];
  for (const [url, expected] of refused)
    expect([url, await refusal(await person.call("POST", hooks, { url, events }))]).toEqual([url, expected]);
  for (const body of [{ url: "https://public.test/", events: [] }, { url: "https://public.test/", events: ["all"] }, { events }])
    expect(await refusal(await person.call("POST", hooks, body))).toBe("400 badRequest");
  const { id } = await makeWebhook(person, "https://public.test/hook?key=1#part");
  expect(await refusal(await person.call("PATCH", `${hooks}/${id}`, { url: "https://inside.test/" }))).toBe("422 urlRefused");
  expect(receiver.got).toEqual([]);
});

test("stops calling a webhook whose name later resolves to a private address", async () => {
  const receiver = await openReceiver();
  const { person } = await sendingTo(receiver);
  names["turning.test"] = ["8.8.8.8", "10.0.0.7"];
  const { id } = await makeWebhook(person, "https://turning.test/");
  await person.call("POST", `${hooks}/${id}/test`);
  expect(await logged(person, id, ({ error }) => error !== null)).toMatchObject({
    ...{ state: "waiting", status: null, answer: "", error: "urlRefused" },
  });
});

test("survives receivers that hang, redirect or answer garbage, without delaying other webhooks", async () => {
  const silence = await openSilence();
  const garbage = Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x41]);
  const receiver = await openReceiver({
    "/hangs": () => {},
    "/drips": (response) => {
      response.writeHead(200);
      response.write("so far");
    },
    "/redirects": answering(307, "", { Location: "http://127.0.0.1:1/" }),
    "/garbage": (response) => void response.writeHead(200).end(garbage),
    "/packed": (response) => void response.writeHead(200, { "Content-Encoding": "gzip" }).end("no gzip"),
    "/endless": (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
    "/cut": (response) => {
      response.socket?.destroy();
    },
  });
  const env = { WEBHOOK_ALLOW_HOSTS: `hooks.test:${receiver.port},hooks.test:${silence.port}` };
  const { server, person } = await sendingTo(receiver, { env, webhookTimes: { pollMs: 60, attemptMs: 2_500 } });
  const other = await signUp(server);
  const good = await makeWebhook(other, receiver.at("/good"));
  const expected: [url: string, found: object][] = [
    [receiver.at("/hangs"), { status: null, error: "urlTimeout", answer: "" }],
    [`http://hooks.test:${silence.port}/`, { status: null, error: "urlTimeout", answer: "" }],
    [receiver.at("/drips"), { status: 200, error: null, answer: "so far", state: "delivered" }],
    [receiver.at("/redirects"), { status: 307, error: null, state: "waiting" }],
    [receiver.at("/garbage"), { status: 200, error: null, answer: "�� [A", state: "delivered" }],
    [receiver.at("/packed"), { status: 200, error: null, answer: "", state: "delivered" }],
    [receiver.at("/endless"), { status: 200, error: null, answer: "x".repeat(200), state: "delivered" }],
    [receiver.at("/cut"), { status: null, error: "urlUnreachable", answer: "" }],
  ];
  const made = [];
  for (const [url] of expected) made.push(await makeWebhook(person, url));
  // Two receivers that hang use both of a user's slots; other users' webhooks go on.
  for (const { id } of made) await person.call("POST", `${hooks}/${id}/test`);
  await other.call("POST", `${hooks}/${good.id}/test`);
  await logged(other, good.id, ({ state }) => state === "delivered");
  const first = await logOf(person, made[0]?.id ?? "");
  expect(first[0]?.status).toBeNull();
  for (const [index, [url, found]] of expected.entries()) {
    const id = made[index]?.id ?? "";
    const newest = await logged(person, id, ({ status, error }) => status !== null || error !== null);
    expect([url, newest]).toEqual([url, expect.objectContaining(found)]);
  }
});

test("allows at most a thousand waiting messages per webhook", async () => {
  const receiver = await openReceiver();
  const { server, person } = await sendingTo(receiver);
  const { id } = await makeWebhook(person, receiver.at("/"));
  await person.call("POST", `${hooks}/${id}/test`);
  await logged(person, id, ({ state }) => state === "delivered");
  using db = openSql(server.dataDir);
  const columns = "webhook_id, user_id, event, data, created_at, state, attempts, next_at, answer";
  const copy = db.prepare(
    `insert into webhook_deliveries (id, ${columns}) select id || ?, webhook_id, user_id, event, data, 0, 'waiting', 0, 9000000000000, '' from webhook_deliveries where state = 'delivered'`,
  );
  for (let count = 0; count < 1000; count++) copy.run(`-${count}`);
  expect(await refusal(await person.call("POST", `${hooks}/${id}/test`))).toBe("429 tooManyAtOnce");
  const other = await makeWebhook(person, receiver.at("/other"));
  await person.call("POST", `${hooks}/${other.id}/test`);
  await eventually(
    () => logOf(person, other.id),
    ([newest]) => newest?.state === "delivered",
  );
});
