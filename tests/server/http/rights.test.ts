import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { Hono } from "hono";
import * as v from "valibot";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { UserProfile } from "#contract/index.ts";
import type { Generator } from "#server/blog-admin/generator.ts";
import { createLocalBus } from "#server/bus/bus.ts";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { askAgain, breakOff, type OpenOnRights, requireRight, whileAllowed } from "#server/http/while-allowed.ts";
import { createLog } from "#server/log/log.ts";
import { openConnections } from "#server/session/open-connections.ts";
import { openSql, openTestDb } from "#tests/server/database.ts";
import { base, read, temporaryFolder, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser, startWithSuperuser } from "#tests/server/superuser.ts";
import {
  type BodyName,
  bodies,
  bodyNames,
  endings,
  openScene,
  rounds,
  type Scene,
  shortBodies,
  shortForReaders,
} from "./bodies-on-rights.ts";
import { permissions } from "./permissions.ts";
import { sharedAnswers } from "./shared-permissions.ts";
import { type Begun, begin } from "./slow-reader.ts";
import { openHarness } from "./visitors.ts";

const hour = 60 * 60_000;

/** Begins all bodies without reading them. */
async function beginAll(scene: Scene): Promise<Map<BodyName, Begun>> {
  const open = new Map<BodyName, Begun>();
  for (const name of bodyNames) open.set(name, await begin(scene.server.apiUrl, bodies[name].send(scene)));
  expect(stillOpen(open)).toEqual(bodyNames);
  return open;
}

const stillOpen = (open: Map<BodyName, Begun>) =>
  [...open].filter(([, { outgoing }]) => !outgoing.destroyed && !outgoing.writableFinished).map(([name]) => name);

/**
 * Waits until these bodies are closed and reads the rest.
 * @returns the bodies that look complete
 */
async function over(open: Map<BodyName, Begun>, names: BodyName[]): Promise<BodyName[]> {
  const whole: BodyName[] = [];
  for (const name of names) {
    await open.get(name)?.closed;
    const rest = await open.get(name)?.rest();
    if (rest?.isWhole === true) whole.push(name);
    open.delete(name);
  }
  return whole;
}

describe("bodies that depend on a right", () => {
  // PROMISE security: What is being sent on a right ends with the right
  test.each(rounds)("breaks off exactly the bodies that depend on a right when %s", async (...round) => {
    const { server } = await openHarness({ recheckMs: hour });
    const scene = await openScene(server, null);
    const open = await beginAll(scene);
    for (const name of round) {
      const { ends, by } = endings[name] ?? expect.fail(name);
      const rest = stillOpen(open).filter((one) => !ends.includes(one));
      expect([name, (await by(scene)).ok]).toEqual([name, true]);
      const whole = await over(open, ends);
      // An event stream that was read to its end closes with a last event, so it looks complete.
      expect([name, whole.filter((one) => one !== "owner events")]).toEqual([name, []]);
      expect([name, stillOpen(open)]).toEqual([name, rest]);
    }
  });

  test("breaks off bodies within two seconds after a right expires or disappears without a message", async () => {
    const clock = testClock();
    const { server } = await openHarness({ recheckMs: 20, now: clock.now });
    const scene = await openScene(server, new Date(clock.now() + hour).toISOString());
    const { user } = scene;
    expect((await user.call("PUT", `${base}/retention`, { folderId: null, audioDays: 1, textDays: null })).status).toBe(200);
    const open = await beginAll(scene);
    using db = openSql(server.dataDir);
    db.prepare("delete from transcription_shares where id = ?").run(scene.shareId);
    const of = (...begin: string[]) => bodyNames.filter((name) => begin.some((one) => name.startsWith(one)));
    expect(await over(open, of("reader"))).toEqual([]);
    clock.advance(2 * hour);
    expect(await over(open, of("link", "vault link"))).toEqual([]);
    // The sweep announces a deletion one day before.
    for (const days of [1, 2]) {
      clock.advance(days * 24 * hour);
      await server.sweep();
    }
    expect(await over(open, of("owner audio", "owner picture", "owner captioned", "program audio"))).toEqual([]);
    expect(stillOpen(open)).toContain("program archive");
    clock.advance(31 * 24 * hour);
    expect(await over(open, of("program"))).toEqual([]);
  });

  test("a superuser's stream and its work end with the superuser's right", async () => {
    const stopped = Promise.withResolvers<void>();
    const generate: Generator["generate"] = async (_, { signal, onText } = {}) => {
      onText?.("# Tea");
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      stopped.resolve();
      throw signal?.reason;
    };
    const generator = { available: true, model: "m", generate, generateUnique: generate };
    const { server, superuser } = await startWithSuperuser({ recheckMs: hour, generator });
    const other = await signUpSuperuser(server);
    const { id } = await read(await other.call("GET", "/users/me"), 200, UserProfile);
    const request = { topic: "tea", language: "en" };
    const answer = await other.call("POST", "/admin/blog/generate", request, { Accept: "text/event-stream" });
    expect(answer.status).toBe(200);
    const taken = await superuser.call("PATCH", `/admin/users/${id}`, { superuser: false, reason: "has left" });
    expect(taken.status).toBe(200);
    await stopped.promise;
    expect(await answer.text()).toContain('{"error":{"code":"adminRequired"');
  });

  test("lists a body for every route that a link or a share opens", () => {
    const routes = new Set(Object.values(bodies).map(({ route }) => route));
    const given = Object.keys(permissions).filter((route) => permissions[route]?.isLinked);
    expect(given.filter((route) => !routes.has(route) && !shortBodies.includes(route))).toEqual([]);
    const read = Object.keys(sharedAnswers).filter((route) => route.startsWith("GET "));
    expect(read.filter((route) => !routes.has(route) && !shortForReaders.includes(route))).toEqual([]);
  });
});

/** Open connections on rights, with a database that these tests never query. */
async function register(everyMs = hour) {
  const log = createLog("silent", Date.now);
  const bus = createLocalBus(log);
  const db = await openTestDb(await temporaryFolder());
  onTestFinished(() => db.destroy());
  const connections = openConnections({ db, log, bus, now: Date.now }, everyMs);
  onTestFinished(() => connections.close());
  return connections;
}

describe("check of a right", () => {
  test.each([
    ["fails for ten seconds", ["internal"], () => Promise.reject(new Error("no database"))],
    ["fails once", [], vi.fn(async () => {}).mockRejectedValueOnce(new Error("no database"))],
    ["never answers", ["internal"], () => new Promise(() => {})],
  ])("a right whose check %s ends with the codes %j", async (_, ended, question) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const connections = await register(2_000);
    const codes: string[] = [];
    connections.add(
      () => ({ sessionId: undefined, questions: [question] }),
      ({ code }) => codes.push(code),
    );
    void connections.recheck();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(codes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(codes).toEqual(ended);
  });

  test("refuses an answer whose right ends before it begins, unless the call changed something", async () => {
    const connections = await register();
    const cancelled = vi.fn<() => void>();
    const app = new Hono<AppEnv>();
    app.use(whileAllowed({ connections }));
    app.on(["GET", "PUT", "POST"], "/", async (c) => {
      c.set("sessionId", "of somebody");
      askAgain(c, () => Promise.reject(new Problem("notFound")));
      c.header("ETag", "1");
      await connections.recheck();
      if (c.req.method === "POST") requireRight(c);
      return c.body(new ReadableStream({ cancel: cancelled }), 200);
    });
    app.onError((error, c) => c.text(error instanceof Problem ? error.code : "?", 404));
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    const socket = new Socket().on("error", () => {});
    const incoming = Object.assign(new IncomingMessage(socket), { complete: true });
    const answer = await app.request("/", {}, { incoming, outgoing });
    expect([answer.status, await answer.text(), answer.headers.get("ETag")]).toEqual([404, "unauthorized", null]);
    expect(cancelled).toHaveBeenCalledOnce();
    const statusOf = async (method: string) => (await app.request("/", { method }, { incoming, outgoing })).status;
    expect([await statusOf("HEAD"), await statusOf("POST"), await statusOf("PUT")]).toEqual([404, 404, 200]);
    // The next check breaks off the body of such an answer.
    expect(outgoing.destroyed).toBe(false);
    await connections.recheck();
    expect(outgoing.destroyed).toBe(true);
  });

  test("does not send an answer whose right ends while it waits behind another on its connection", async () => {
    const taken: ServerResponse[] = [];
    const server = createServer((incoming, outgoing) => {
      taken.push(outgoing);
      outgoing.write(String(taken.length));
      if (taken.length < 2) return;
      breakOff({ env: { incoming, outgoing } });
      taken[0]?.end();
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const socket = connect(v.parse(v.object({ port: v.number() }), server.address()).port, "127.0.0.1");
    const parts: Buffer[] = [];
    socket.on("error", () => {}).on("data", (part: Buffer) => parts.push(part));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(String(Buffer.concat(parts)).match(/HTTP/g)?.length ?? 0).toBeLessThan(2);
  });

  test("stops checking a right when the client leaves before the answer", async () => {
    const open = new Set<(reason: Problem) => void>();
    const add: OpenOnRights["add"] = (_, end) => {
      open.add(end);
      return () => void open.delete(end);
    };
    const app = new Hono<AppEnv>();
    app.use(whileAllowed({ connections: { add } }));
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    app.put("/", (c) => {
      c.set("sessionId", "of somebody");
      for (const end of open) end(new Problem("unauthorized"));
      open.clear();
      outgoing.destroy();
      return c.text("changed");
    });
    const incoming = Object.assign(new IncomingMessage(new Socket()), { complete: true });
    await app.request("/", { method: "PUT" }, { incoming, outgoing });
    expect(open.size).toBe(0);
  });

  test("refuses to stream a body without a right", async () => {
    const app = new Hono<AppEnv>();
    app.get("/", (c) => {
      requireRight(c);
      return c.text("sent");
    });
    app.onError((error, c) => c.text(error.message, 500));
    expect(await (await app.request("/")).text()).toBe("The body is sent without an access right.");
  });
});
