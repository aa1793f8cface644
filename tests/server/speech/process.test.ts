import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { EngineChild } from "#server/speech/process/child.ts";
import { NotBegunError, untilBegun } from "#server/speech/process/not-begun.ts";
import { EnginePool } from "#server/speech/process/pool.ts";
import { badProgram, badScript } from "./bad-engine.ts";
import { silence } from "./sound.ts";

const program = fileURLToPath(new URL("./programs/scripted-engine.ts", import.meta.url));
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

async function start(behaviour = "works", timeoutMs?: number): Promise<EngineChild> {
  const child = await EngineChild.start({ name: "Scripted", program, args: [behaviour], timeoutMs });
  closing.push(child);
  return child;
}

async function startBad(script: string, timeoutMs?: number, startTimeoutMs?: number): Promise<EngineChild> {
  const child = await EngineChild.start({ name: "Scripted", program: badProgram, args: [script], timeoutMs, startTimeoutMs });
  closing.push(child);
  return child;
}

function pool(size: number, behaviour = "works", idleMs?: number): EnginePool {
  const options = { name: "Scripted", program, args: [behaviour], size };
  const made = new EnginePool(idleMs === undefined ? options : { ...options, idleMs });
  closing.push(made);
  return made;
}

describe("EngineChild", () => {
  it("answers each request with its own result", async () => {
    const child = await start();
    const answers = await Promise.all([
      child.transcribe(Buffer.from([7, 0]), "de-DE"),
      child.feed(3, silence(1)),
      child.transcribe(Buffer.alloc(64_000), "en"),
    ]);
    expect(answers).toMatchObject([{ bytes: 2, first: 7, language: "de-DE" }, "3: 32000", { bytes: 64_000, language: "en" }]);
  });

  it("answers users in turn, however much one of them asks", async () => {
    const child = await start();
    const answered: string[] = [];
    const ask = (person: string) => child.transcribe(silence(1), "en", undefined, {}, person).then(() => answered.push(person));
    const feed = (person: string) => child.feed(1, silence(1), person).then(() => answered.push(person));
    await Promise.all([ask("ann"), feed("ann"), ask("ann"), ask("bob"), feed("cid")]);
    expect(answered).toEqual(["ann", "bob", "cid", "ann", "ann"]);
  });

  it("ignores what native code prints to stdout", async () => {
    expect(await (await start("chatters")).transcribe(silence(1), "en")).toMatchObject({ bytes: 32_000 });
  });

  it("reports engineUnavailable with the reason when the process can't start", async () => {
    await expect(start("refuses to start")).rejects.toMatchObject({
      code: "engineUnavailable",
      cause: expect.objectContaining({ message: expect.stringContaining("the model is missing") }),
    });
  });

  it("refuses a request of more than two minutes of sound", async () => {
    await expect((await start()).transcribe(silence(121), "en")).rejects.toThrow(RangeError);
  });

  it("keeps the process alive after a request throws", async () => {
    const child = await start("fails");
    await expect(child.transcribe(silence(1), "en")).rejects.toMatchObject({
      code: "engineFailed",
      message: expect.stringContaining("no more memory"),
    });
    await expect(child.feed(1, silence(1))).resolves.toBe("1: 32000");
  });

  it.each(["crashes", "hangs"])(
    "fails the current request when the process %s, and later ones with NotBegunError",
    async (behaviour) => {
      const child = await start(behaviour, 50);
      const [first, ...behind] = [0.02, 0.01, 0.01].map((seconds) => child.transcribe(silence(seconds), "en"));
      const reason =
        behaviour === "crashes"
          ? { code: "engineFailed", message: expect.stringContaining("SIGABRT") }
          : { code: "engineTimeout" };
      const failed = [expect(first).rejects.toMatchObject(reason)];
      for (const one of behind) failed.push(expect(one).rejects.toBeInstanceOf(NotBegunError));
      await Promise.all(failed);
      expect(child.isAlive).toBe(false);
      await expect(child.feed(1, silence(1))).rejects.toBeInstanceOf(NotBegunError);
    },
  );

  it("retries requests that weren't begun in the next process", async () => {
    const { path } = await badScript({ 160: "crashes" });
    let child = await startBad(path);
    const ask = (samples: number) =>
      untilBegun(async () => {
        if (!child.isAlive) child = await startBad(path);
        return child.transcribe(Buffer.alloc(samples * 2), "en");
      });
    const [crashing, innocent] = await Promise.allSettled([ask(160), ask(320)]);
    expect([crashing, innocent]).toMatchObject([{ reason: { code: "engineFailed" } }, { value: "heard 320" }]);
  });

  it("ends a process that hangs", async () => {
    const child = await start("hangs", 50);
    await expect(child.transcribe(silence(0.01), "en")).rejects.toMatchObject({ code: "engineTimeout" });
    expect(child.isAlive).toBe(false);
  });

  it.each([
    ["complains without end", "engineFailed"],
    ["answers others", "engineTimeout"],
  ])("ends a process that %s without buffering its output", async (behaviour, code) => {
    const samples = 160;
    const { path } = await badScript({ [samples]: behaviour });
    const child = await startBad(path, code === "engineTimeout" ? 300 : undefined);
    const asked = child.transcribe(Buffer.alloc(samples * 2), "en");
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(/endless|took too long/) });
    expect(child.isAlive).toBe(false);
    await child.close();
    expect(() => process.kill(child.pid ?? 0, 0)).toThrow(/ESRCH/);
  });

  it.each(["floods", "says nothing"])("reports engineUnavailable when a process %s instead of starting", async (behaviour) => {
    const { path } = await badScript({ start: behaviour });
    await expect(startBad(path, undefined, behaviour === "floods" ? undefined : 300)).rejects.toMatchObject({
      code: "engineUnavailable",
      message: expect.stringMatching(/endless|took too long/),
    });
  });

  it("keeps serving other requests after a garbage answer to one", async () => {
    const { path } = await badScript({ 160: "answers garbage" });
    const child = await startBad(path);
    const garbage = child.transcribe(Buffer.alloc(320), "en");
    // The caller validates the answer; the process stays alive.
    await expect(garbage).resolves.toEqual({ text: [1, null] });
    await expect(child.transcribe(Buffer.alloc(640), "en")).resolves.toBe("heard 320");
  });

  it("rejects an aborted request with the abort reason", async () => {
    const child = await start("hangs");
    const stopping = new AbortController();
    const asked = child.transcribe(silence(1), "en", stopping.signal);
    stopping.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
    await expect(child.transcribe(silence(1), "en", stopping.signal)).rejects.toThrow("cancelled");
  });

  it("exits when the server's IPC channel closes", async () => {
    const child = spawn(process.execPath, [program, "works"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await once(child, "message");
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("EnginePool", () => {
  const pidOf = (child: EngineChild) => child.pid;

  it("reuses processes and never runs more than the pool's size", async () => {
    const two = pool(2);
    let working = 0;
    let most = 0;
    // Both must work at once: otherwise a slow starter finds all work done.
    const both = Promise.withResolvers<void>();
    const work = async (child: EngineChild) => {
      working += 1;
      most = Math.max(most, working);
      if (working === 2) both.resolve();
      await both.promise;
      await child.transcribe(silence(1), "en");
      working -= 1;
      return child.pid;
    };
    const pids = await Promise.all(Array.from({ length: 6 }, () => two.use(work)));
    expect(most).toBe(2);
    expect(new Set(pids).size).toBe(2);
    expect(two.counts).toEqual({ all: 2, idle: 2 });
  });

  it("replaces a crashed process", async () => {
    const one = pool(1, "crashes");
    await expect(one.use((child) => child.transcribe(silence(1), "en"))).rejects.toMatchObject({ code: "engineFailed" });
    expect(one.counts.all).toBe(0);
    await expect(one.use(async (child) => child.isAlive)).resolves.toBe(true);
  });

  it("lets the next request try after a failed start", async () => {
    const one = pool(1, "refuses to start");
    const both = [one.use(async () => 1), one.use(async () => 2)];
    for (const use of both) await expect(use).rejects.toMatchObject({ code: "engineUnavailable" });
  });

  it("keeps one process warm and ends other idle ones", async () => {
    const two = pool(2, "works", 20);
    await Promise.all([two.use((child) => child.feed(1, silence(1))), two.use((child) => child.feed(1, silence(1)))]);
    await expect.poll(() => two.counts).toEqual({ all: 1, idle: 1 });
    await two.use(async () => undefined);
    expect(two.counts).toEqual({ all: 1, idle: 1 });
  });

  it("ends all processes on close and hands out no new ones", async () => {
    const one = pool(1);
    const pid = await one.use(async (child) => pidOf(child) ?? 0);
    await one.close();
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    await expect(one.use(async () => 1)).rejects.toMatchObject({ code: "engineUnavailable" });
  });
});
