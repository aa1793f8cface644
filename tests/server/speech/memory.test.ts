import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createTryModel } from "#server/processes/try-model.ts";
import { SpeechError } from "#server/speech/engine.ts";
import { EngineChild } from "#server/speech/process/child.ts";
import { MemoryBudget } from "#server/threads/budget.ts";
import { type MemoryOptions, ModelMemory, type Wanted } from "#server/threads/memory.ts";

const program = fileURLToPath(new URL("./programs/scripted-engine.ts", import.meta.url));
const memories: ModelMemory<EngineChild>[] = [];
afterEach(async () => {
  await Promise.all(memories.splice(0).map((memory) => memory.close()));
});

const refuse = (why: string) => new SpeechError("engineUnavailable", why);

function open(options: Partial<MemoryOptions> = {}): ModelMemory<EngineChild> {
  const memory = new ModelMemory<EngineChild>({ budget: new MemoryBudget(200), refuse, ...options });
  memories.push(memory);
  return memory;
}

const starts: string[] = [];
function wanted(model: string, use: Wanted<EngineChild>["use"] = "files", bytes = 120): Wanted<EngineChild> {
  return {
    model,
    use,
    bytes,
    start: () => {
      starts.push(`${model} ${use}`);
      return EngineChild.start({ name: model, program, args: ["works"] });
    },
  };
}

describe("ModelMemory", () => {
  it("loads a model once on demand and lends it to several users", async () => {
    starts.length = 0;
    const memory = open();
    const [first, second] = await Promise.all([memory.lend(wanted("a")), memory.lend(wanted("a"))]);
    expect(first.child).toBe(second.child);
    expect(starts).toEqual(["a files"]);
    expect(memory.loaded).toEqual([{ model: "a", use: "files", users: 2 }]);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(memory.loaded).toEqual([{ model: "a", use: "files", users: 1 }]);
  });

  it("unloads a model that nobody has used for some time", async () => {
    const memory = open({ idleMs: 20 });
    const { child, ...loan } = await memory.lend(wanted("a"));
    loan[Symbol.dispose]();
    await expect.poll(() => memory.loaded).toEqual([]);
    await expect.poll(() => child.isAlive).toBe(false);
  });

  it("unloads the least recently used idle model to make room", async () => {
    const memory = open({ budget: new MemoryBudget(300) });
    const a = await memory.lend(wanted("a"));
    const b = await memory.lend(wanted("b"));
    b[Symbol.dispose]();
    a[Symbol.dispose]();
    (await memory.lend(wanted("b")))[Symbol.dispose]();
    await memory.lend(wanted("c"));
    expect(memory.loaded.map(({ model }) => model)).toEqual(["b", "c"]);
    expect(a.child.isAlive).toBe(false);
  });

  it("waits until a busy model is free before it loads another", async () => {
    const memory = open();
    const a = await memory.lend(wanted("a"));
    const waiting = memory.lend(wanted("b"));
    const stopping = new AbortController();
    const leaving = memory.lend(wanted("b"), stopping.signal);
    stopping.abort(new Error("cancelled"));
    await expect(leaving).rejects.toThrow("cancelled");
    expect(memory.loaded.map(({ model }) => model)).toEqual(["a"]);
    a[Symbol.dispose]();
    expect((await waiting).child.isAlive).toBe(true);
    expect(memory.loaded.map(({ model }) => model)).toEqual(["b"]);
  });

  it("loads a model that is bigger than the whole budget when it is alone", async () => {
    const memory = open();
    await memory.lend(wanted("huge", "files", 1000));
    expect(memory.loaded).toHaveLength(1);
  });

  // PROMISE models: Files wait while somebody dictates
  it("lets a dictation go before files and continues the files afterwards", async () => {
    const memory = open();
    const order: string[] = [];
    const piece = await memory.lend(wanted("a"));
    const dictation = memory.lend(wanted("b", "live")).then((loan) => {
      order.push("dictation");
      return loan;
    });
    piece[Symbol.dispose]();
    // The next piece comes at once, before the dictation has noticed the free room.
    const next = memory.lend(wanted("a")).then((loan) => {
      order.push("file");
      return loan;
    });
    (await dictation)[Symbol.dispose]();
    (await next)[Symbol.dispose]();
    expect(order).toEqual(["dictation", "file"]);
  });

  it("serves files beside a dictation that waits for another dictation", async () => {
    const memory = open({ liveWaitMs: 50 });
    await memory.lend(wanted("a", "live"));
    const waiting = expect(memory.lend(wanted("b", "live"))).rejects.toMatchObject({ code: "engineUnavailable" });
    (await memory.lend(wanted("small", "files", 50)))[Symbol.dispose]();
    await waiting;
  });

  it("hands a model loaded for files to a dictation when two copies don't fit", async () => {
    starts.length = 0;
    const memory = open();
    const file = await memory.lend(wanted("a"));
    file[Symbol.dispose]();
    const dictation = await memory.lend(wanted("a", "live"));
    expect(dictation.child).toBe(file.child);
    expect(starts).toEqual(["a files"]);
  });

  it("reloads a crashed model and forgets one that can't start", async () => {
    const memory = open();
    const loan = await memory.lend(wanted("a"));
    loan.child.kill();
    loan[Symbol.dispose]();
    expect((await memory.lend(wanted("a"))).child.isAlive).toBe(true);
    await expect(memory.lend({ ...wanted("bad", "files", 10), start: () => Promise.reject(new Error("no")) })).rejects.toThrow(
      "no",
    );
    expect(memory.loaded.map(({ model }) => model)).toEqual(["a"]);
  });

  it("ends all models on close and rejects waiting requests", async () => {
    const memory = open();
    const { child } = await memory.lend(wanted("a"));
    const waiting = expect(memory.lend(wanted("b"))).rejects.toMatchObject({ code: "engineUnavailable" });
    await memory.close();
    expect(child.isAlive).toBe(false);
    await waiting;
  });
});

describe("models of several kinds", () => {
  // PROMISE models: The best model that keeps up is used; models share two thirds of the memory
  it("shares one budget between kinds: unloads idle models and waits for busy ones", async () => {
    const budget = new MemoryBudget(200);
    const [hearing, translating] = [open({ budget }), open({ budget })];
    const heard = await hearing.lend(wanted("whisper"));
    const waiting = translating.lend(wanted("bergamot", "live"));
    await expect.poll(() => budget.waiting.length).toBe(1);
    heard[Symbol.dispose]();
    const translated = await waiting;
    expect([hearing.loaded, translating.loaded.length, budget.taken]).toEqual([[], 1, 120]);
    expect(heard.child.isAlive).toBe(false);
    translated[Symbol.dispose]();
    await hearing.lend(wanted("whisper"));
    expect(translated.child.isAlive).toBe(false);
    expect(budget.taken).toBe(120);
  });

  it("loads a small helper model beyond the budget after a wait, but refuses a big one", async () => {
    const budget = new MemoryBudget(200);
    await open({ budget }).lend(wanted("whisper", "live", 150));
    const helping = open({ budget, mayExceed: true, liveWaitMs: 20 });
    await helping.lend(wanted("voice", "live", 100));
    expect(budget.taken).toBe(250);
    await expect(helping.lend(wanted("big voice", "live", 101))).rejects.toThrow("Other models use all of the memory");
  });

  it("frees the room of idle models for a model under trial", async () => {
    const budget = new MemoryBudget(200);
    const memory = open({ budget });
    const idle = await memory.lend(wanted("whisper"));
    idle[Symbol.dispose]();
    const tryModel = createTryModel(Date.now, budget);
    const candidate = { folder: "/nowhere", kind: "whisper", purpose: "speakers", languages: [], memoryBytes: 150 } as const;
    await expect(tryModel(candidate, new AbortController().signal)).rejects.toMatchObject({ failure: "wrongKind" });
    expect(idle.child.isAlive).toBe(false);
    expect([memory.loaded, budget.taken]).toEqual([[], 0]);
  });
});
