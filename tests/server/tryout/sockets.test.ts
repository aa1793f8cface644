import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryOutPath } from "#contract/index.ts";
import { createLocalClaims } from "#server/cluster/claims.ts";
import { tryOutLimit } from "#server/session/throttle.ts";
import { gatherEngines } from "#server/speech/engines.ts";
import { createTries } from "#server/tryout/tries.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { startTestServer } from "#tests/server/harness.ts";
import { scriptedEngines, scriptedTranslation } from "#tests/server/jobs/scripted.ts";

type Server = Awaited<ReturnType<typeof startTestServer>>;

const visit = (server: Server, origin = server.pageUrl) => new Dictation(server.apiUrl, { origin, path: tryOutPath });
const start = (live: Dictation, sourceLanguage = "en", targetLanguage?: string) =>
  live.say({
    type: "start",
    token: "",
    recordingId: live.recordingId,
    sourceLanguage,
    ...(targetLanguage && { targetLanguage }),
  });

async function begin(server: Server, targetLanguage?: string): Promise<Dictation> {
  const live = visit(server);
  await live.open();
  start(live, "en", targetLanguage);
  await live.next("ready");
  return live;
}

describe("the try-out without an account", () => {
  // PROMISE tryout: Thirty seconds without an account stay on this machine, and nothing is kept
  test("transcribes a try-out live and leaves nothing on the server", async () => {
    const server = await startTestServer();
    const live = await begin(server);
    live.sendFrames(0, 30);
    expect(await live.next("partial")).toEqual({ type: "partial", text: "w0", start: 0 });
    live.say({ type: "end", frames: 30 });
    expect(textOf((await live.next("done")).segments)).toBe(allWords(6));
    expect(await live.closed).toBe(1000);
    expect(live.messages.some(({ type }) => type === "ack")).toBe(false);
    for (const folder of ["live", "audio", "jobs", "incoming"]) expect(await readdir(join(server.dataDir, folder))).toEqual([]);
  });

  test("translates a try-out sentence by sentence, but only on this machine", async () => {
    const server = await startTestServer();
    const live = await begin(server, "es");
    live.sendFrames(0, 30);
    live.say({ type: "end", frames: 30 });
    const { segments } = await live.next("done");
    expect(segments.map(({ text, translation }) => translation === `es:${text}`)).toEqual(segments.map(() => true));
    const finals = live.messages.filter(({ type }) => type === "final");
    expect(finals).toHaveLength(2 * segments.length);
    const translation = { ...scriptedTranslation(), staysHere: () => false };
    const elsewhere = await begin(await startTestServer({ translation }), "es");
    elsewhere.sendFrames(0, 10);
    elsewhere.say({ type: "end", frames: 10 });
    expect((await elsewhere.next("done")).segments.map((segment) => segment.translation)).toEqual([undefined]);
  });

  test("keeps the words of a try-out when their translation fails", async () => {
    const translation = scriptedTranslation(async () => Promise.reject(new Error("The engine is gone.")));
    const live = await begin(await startTestServer({ translation }), "es");
    live.sendFrames(0, 30);
    live.say({ type: "end", frames: 30 });
    expect(textOf((await live.next("done")).segments)).toBe(allWords(6));
  });

  test("ends a try-out after thirty seconds by the server's count", async () => {
    const server = await startTestServer();
    const live = await begin(server);
    live.sendFrames(0, 170);
    expect(await live.next("limit")).toEqual({ type: "limit", frames: 150 });
    live.say({ type: "end", frames: 150 });
    const done = await live.next("done");
    expect([done.durationSeconds, textOf(done.segments)]).toEqual([30, allWords(30)]);
  });

  test("limits simultaneous try-outs to the configured number", async () => {
    const server = await startTestServer({ env: { TRY_OUT_PLACES: "1" } });
    const live = await begin(server);
    const other = visit(server);
    await other.open();
    expect((await other.next("error")).code).toBe("tooManyAtOnce");
    expect(await other.closed).toBe(4429);
    await live.cut();
    await expect
      .poll(async () => {
        const next = visit(server);
        await next.open();
        start(next);
        const { type } = await next.next("ready").catch(() => ({ type: "error" }));
        return type;
      })
      .toBe("ready");
  });

  test("accepts try-outs only from the page and can be switched off", async () => {
    const server = await startTestServer();
    await expect(visit(server, "http://evil.example").open()).rejects.toThrow("403");
    await expect(new Dictation(server.apiUrl, { path: tryOutPath }).open()).rejects.toThrow("403");
    const off = await startTestServer({ env: { TRY_OUT_PLACES: "0" } });
    await expect(visit(off).open()).rejects.toThrow("404");
    expect(await (await fetch(off.pageUrl)).text()).toContain('<meta name="parlance-tries" content="" />');
  });

  // PROMISE tryout: Thirty seconds without an account stay on this machine, and nothing is kept
  test("offers no try-out when the speech engine is remote", async () => {
    const engines = gatherEngines(
      scriptedEngines()
        .all()
        .map((engine) => ({ ...engine, offline: false })),
    );
    const server = await startTestServer({ engines });
    const live = visit(server);
    await live.open();
    start(live);
    expect((await live.next("error")).code).toBe("languageUnavailable");
    expect(await (await fetch(server.pageUrl)).text()).toContain('<meta name="parlance-tries" content="" />');
  });

  test.each<[string, (live: Dictation) => void, number]>([
    ["another message first", (live) => live.say({ type: "end", frames: 0 }), 4400],
    ["a second start", (live) => [start(live), start(live)], 4400],
    ["a language that is not heard", (live) => start(live, "fi-FI"), 4400],
    ["what the browser has heard", (live) => [start(live), live.say('{"type":"heard"}')], 4400],
    ["a gap", (live) => [start(live), live.sendFrames(1, 2)], 4400],
    ["an end elsewhere", (live) => [start(live), live.say({ type: "end", frames: 9 })], 4400],
  ])("ends the try-out after an invalid message: %s", async (_, act, code) => {
    const live = visit(await startTestServer());
    await live.open();
    act(live);
    expect(await live.closed).toBe(code);
  });
});

test("limits an address to twelve try-outs in ten minutes and two at once", async () => {
  let at = 0;
  const parts = { now: () => at, claims: createLocalClaims(), throttle: undefined };
  const tries = createTries({ places: 5, placesPerClient: 2, begun: tryOutLimit }, parts);
  const begin = async (address: string) => {
    const begun = await tries.begin(address);
    if (typeof begun === "function") begun();
    return typeof begun === "string" ? begun : "begun";
  };
  for (let i = 0; i < 12; i++) expect(await begin("192.0.2.1")).toBe("begun");
  expect([await begin("192.0.2.1"), await begin("192.0.2.2")]).toEqual(["tooManyRequests", "begun"]);
  at = 600_000;
  expect(await begin("192.0.2.1")).toBe("begun");
  const [one, two] = [await tries.begin("192.0.2.3"), await tries.begin("192.0.2.3")];
  expect([typeof one, typeof two, await tries.begin("192.0.2.3")]).toEqual(["function", "function", "tooManyAtOnce"]);
});
