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

describe("an engine's process", () => {
  it("answers each request with its own answer", async () => {
    const child = await start();
    const answers = await Promise.all([
      child.transcribe(Buffer.from([7, 0]), "de-DE"),
      child.feed(3, silence(1)),
      child.transcribe(Buffer.alloc(64_000), "en"),
    ]);
    expect(answers).toMatchObject([{ bytes: 2, first: 7, language: "de-DE" }, "3: 32000", { bytes: 64_000, language: "en" }]);
  });

  it("answers people in turns, however much one of them asks", async () => {
    const child = await start();
    const answered: string[] = [];
    const ask = (person: string) => child.transcribe(silence(1), "en", undefined, {}, person).then(() => answered.push(person));
    const feed = (person: string) => child.feed(1, silence(1), person).then(() => answered.push(person));
    await Promise.all([ask("ann"), feed("ann"), ask("ann"), ask("bob"), feed("cid")]);
    expect(answered).toEqual(["ann", "bob", "cid", "ann", "ann"]);
  });

  it("is not confused by what native code prints", async () => {
    expect(await (await start("chatters")).transcribe(silence(1), "en")).toMatchObject({ bytes: 32_000 });
  });

  it("that does not come up is unavailable, and says why", async () => {
    await expect(start("refuses to start")).rejects.toMatchObject({
      code: "engineUnavailable",
      cause: expect.objectContaining({ message: expect.stringContaining("the model is missing") }),
    });
  });

  it("refuses a request of more than two minutes of sound", async () => {
    await expect((await start()).transcribe(silence(121), "en")).rejects.toThrow(RangeError);
  });

  it("that throws goes on living", async () => {
    const child = await start("fails");
    await expect(child.transcribe(silence(1), "en")).rejects.toMatchObject({
      code: "engineFailed",
      message: expect.stringContaining("no more memory"),
    });
    await expect(child.feed(1, silence(1))).resolves.toBe("1: 32000");
  });

  it.each(["crashes", "hangs"])(
    "that %s fails the request that it is at, and those behind it as not begun",
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

  it("requests that an engine's process has not begun when it ends are made of the next process", async () => {
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

  it("that hangs is ended", async () => {
    const child = await start("hangs", 50);
    await expect(child.transcribe(silence(0.01), "en")).rejects.toMatchObject({ code: "engineTimeout" });
    expect(child.isAlive).toBe(false);
  });

  it.each([
    ["complains without end", "engineFailed"],
    ["answers others", "engineTimeout"],
  ])("that %s is ended, and takes no memory here", async (behaviour, code) => {
    const samples = 160;
    const { path } = await badScript({ [samples]: behaviour });
    const child = await startBad(path, code === "engineTimeout" ? 300 : undefined);
    const asked = child.transcribe(Buffer.alloc(samples * 2), "en");
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(/without end|took too long/) });
    expect(child.isAlive).toBe(false);
    await child.close();
    expect(() => process.kill(child.pid ?? 0, 0)).toThrow(/ESRCH/);
  });

  it.each(["floods", "says nothing"])("that %s instead of starting is unavailable", async (behaviour) => {
    const { path } = await badScript({ start: behaviour });
    await expect(startBad(path, undefined, behaviour === "floods" ? undefined : 300)).rejects.toMatchObject({
      code: "engineUnavailable",
      message: expect.stringMatching(/without end|took too long/),
    });
  });

  it("that answers garbage to one goes on for others", async () => {
    const { path } = await badScript({ 160: "answers garbage" });
    const child = await startBad(path);
    const garbage = child.transcribe(Buffer.alloc(320), "en");
    // Its client looks at what it has heard; the process is alive.
    await expect(garbage).resolves.toEqual({ text: [1, null] });
    await expect(child.transcribe(Buffer.alloc(640), "en")).resolves.toBe("heard 320");
  });

  it("is ended by who gives up", async () => {
    const child = await start("hangs");
    const stopping = new AbortController();
    const asked = child.transcribe(silence(1), "en", stopping.signal);
    stopping.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
    await expect(child.transcribe(silence(1), "en", stopping.signal)).rejects.toThrow("cancelled");
  });

  it("ends when the server does", async () => {
    const child = spawn(process.execPath, [program, "works"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await once(child, "message");
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("the pool", () => {
  const pidOf = (child: EngineChild) => child.pid;

  it("uses a process again, and gives out no more than it may", async () => {
    const two = pool(2);
    let working = 0;
    let most = 0;
    // One that is slow to start must not find all the work done.
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

  it("replaces one that has crashed", async () => {
    const one = pool(1, "crashes");
    await expect(one.use((child) => child.transcribe(silence(1), "en"))).rejects.toMatchObject({ code: "engineFailed" });
    expect(one.counts.all).toBe(0);
    await expect(one.use(async (child) => child.isAlive)).resolves.toBe(true);
  });

  it("lets the next one go after a failed start", async () => {
    const one = pool(1, "refuses to start");
    const both = [one.use(async () => 1), one.use(async () => 2)];
    for (const use of both) await expect(use).rejects.toMatchObject({ code: "engineUnavailable" });
  });

  it("keeps one process warm and ends the others when they have been idle", async () => {
    const two = pool(2, "works", 20);
    await Promise.all([two.use((child) => child.feed(1, silence(1))), two.use((child) => child.feed(1, silence(1)))]);
    await expect.poll(() => two.counts).toEqual({ all: 1, idle: 1 });
    await two.use(async () => undefined);
    expect(two.counts).toEqual({ all: 1, idle: 1 });
  });

  it("ends all of them when it is closed, and gives out no new ones", async () => {
    const one = pool(1);
    const pid = await one.use(async (child) => pidOf(child) ?? 0);
    await one.close();
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    await expect(one.use(async () => 1)).rejects.toMatchObject({ code: "engineUnavailable" });
  });
});
