import { cp, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MemoryBudget } from "#server/threads/budget.ts";
import { ModelMemory } from "#server/threads/memory.ts";
import { affordable, type BergamotConfig, type BergamotEngine, openBergamot } from "#server/translation/bergamot/engine.ts";
import { findFiles } from "#server/translation/bergamot/files.ts";
import { BergamotHost } from "#server/translation/bergamot/host.ts";
import { inMemoryModels } from "#tests/server/models/in-memory.ts";
import { checkMarian } from "#translation/marian.ts";
import { cutLine } from "#translation/pieces.ts";
import { writeTinyMarian } from "./tiny-marian.ts";

const spanish = { "▁house": "▁casa", "▁The": "▁La", "▁is": "▁es", "▁big": "▁grande", "▁good": "▁buena" };
/** The vocabulary is Spanish and English but contains these French pieces. */
const french = { "▁house": "▁est", "▁The": "▁Le", "▁big": "▁grand" };
const modelFile = "model.enes.intgemm.alphas.bin";

let root: string;
const models = inMemoryModels();
const opened: BergamotEngine[] = [];
/** The memory of the whole machine, which other kinds of models share. */
const budget = new MemoryBudget(1024 ** 3);
/** Shared by all tests that need no process of their own: loading a model takes longer than translating. */
const bergamot = openBergamot({ models, maxLoaded: 3, budget });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-bergamot-"));
  await writeTinyMarian(join(root, "en-es"), { source: "en", target: "es", words: spanish });
  await writeTinyMarian(join(root, "es-en"), { source: "es", target: "en", words: spanish });
  await writeTinyMarian(join(root, "en-fr"), { source: "en", target: "fr", words: french });
});
afterAll(async () => {
  await bergamot.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => models.replace([]));
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

function open(config: Partial<BergamotConfig> = {}): BergamotEngine {
  const engine = openBergamot({ models, maxLoaded: 2, ...config });
  opened.push(engine);
  return engine;
}

function install(...ids: string[]): void {
  for (const id of ids) models.install({ id, folder: join(root, id), kind: "bergamot" });
}

/** A copy of the English-Spanish model that a test may damage. */
async function copyOfSpanish(id: string): Promise<string> {
  await cp(join(root, "en-es"), join(root, id), { recursive: true });
  install(id);
  return join(root, id);
}

const toSpanish = (engine: BergamotEngine, ...texts: string[]) =>
  engine.translate(texts, { source: "en", target: "es", person: "ann" });

describe("Bergamot", () => {
  it("translates a batch and keeps each text in its place", async () => {
    install("en-es");
    expect(await toSpanish(bergamot, "The house is big.", "", "house", "   ", "The house is good.", "...")).toEqual([
      "La casa es grande.",
      "",
      "casa",
      "   ",
      "La casa es buena.",
      "...",
    ]);
  });

  it("keeps lines and blank lines and survives characters that C++ can't handle", async () => {
    install("en-es");
    const [text = "", odd] = await toSpanish(bergamot, "The house.\n\n\nbig house\r\n  \ngood", "house\0 \ud800 big\u2028house");
    expect(text.split("\n")).toEqual(["La casa.", "", "", "grande casa", "  ", "buena"]);
    expect(odd).toMatch(/^casa .*grande casa$/);
  });

  it("translates hundreds of texts without shifting any", async () => {
    install("en-es");
    const numbers = Array.from({ length: 200 }, (_, at) => `house ${at}`);
    expect(await toSpanish(bergamot, ...numbers)).toEqual(numbers.map((text) => text.replace("house", "casa")));
  });

  it("cuts long texts without losing anything", async () => {
    install("en-es");
    const words = "house, ".repeat(60) + "house ".repeat(300).trimEnd();
    const sentences = Array.from({ length: 30 }, () => "The house is big.").join("  ");
    expect(await toSpanish(bergamot, words, sentences)).toEqual([
      words.replaceAll("house", "casa"),
      Array.from({ length: 30 }, () => "La casa es grande.").join("  "),
    ]);
    const [endless = ""] = await toSpanish(bergamot, "x".repeat(5_000));
    expect(endless.length).toBeGreaterThan(1_000);
  });

  it("cuts lines between clauses, earlier in dense scripts, and joins them again without loss", () => {
    const chinese = `${"我们".repeat(35)}，${"他们".repeat(60)}。`;
    for (const line of [chinese, `${"word ".repeat(45)}ends here, ${"word ".repeat(80)}end.`, "\u{1f600}".repeat(400)]) {
      const pieces = cutLine(line);
      expect(pieces.map(({ text, gap }) => text + gap).join("")).toBe(line);
      expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(line === chinese ? 100 : 300);
      expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true);
    }
    expect(cutLine(chinese)[0]?.text).toMatch(/，$/);
  });

  // PROMISE translation: 93 pairs among 51 languages are translated offline, other pairs through English
  it("translates through English when no model serves the pair", async () => {
    install("en-es", "es-en", "en-fr");
    expect(bergamot.pairs).toEqual([
      { source: "en", target: "es" },
      { source: "en", target: "fr" },
      { source: "es", target: "en" },
      { source: "es", target: "fr" },
    ]);
    expect(await bergamot.translate(["La casa grande", "", "casa"], { source: "es-ES", target: "fr", person: "ann" })).toEqual([
      "Le est grand",
      "",
      "est",
    ]);
    await expect(bergamot.translate(["x"], { source: "fr", target: "es", person: "ann" })).rejects.toMatchObject({
      code: "translationUnavailable",
    });
  });

  it("picks up installed and removed models without a restart", async () => {
    expect(bergamot.pairs).toEqual([]);
    expect(bergamot.unavailable).toContain("/admin/models");
    install("en-es");
    expect(bergamot.unavailable).toBeUndefined();
    expect(await toSpanish(bergamot, "house")).toEqual(["casa"]);
    models.remove("en-es");
    await expect(toSpanish(bergamot, "house")).rejects.toMatchObject({ code: "translationUnavailable" });
    models.install({
      id: "odd-name",
      folder: join(root, "en-es"),
      kind: "bergamot",
      entry: undefined,
    });
    expect(bergamot.pairs).toEqual([{ source: "en", target: "es" }]);
  });

  it("holds a model only while it translates", async () => {
    install("en-es", "es-en", "en-fr");
    const asked = bergamot.translate(["casa"], { source: "es", target: "fr", person: "ann" });
    await expect.poll(() => models.held).toEqual(["es-en", "en-fr"]);
    await asked;
    expect(models.held).toEqual([]);
  });

  it("prefers the model with the better published score, or the larger one without scores", async () => {
    install("en-es");
    models.install({ id: "fr-as-es", folder: join(root, "en-fr"), kind: "bergamot", bytes: 9, entry: entryOf(80) });
    expect(await toSpanish(bergamot, "house")).toEqual(["est"]);
    models.install({ id: "en-es", folder: join(root, "en-es"), kind: "bergamot", bytes: 9, entry: entryOf(81) });
    expect(await toSpanish(bergamot, "house")).toEqual(["casa"]);
  });

  it("reloads a model that was reinstalled in the same place", async () => {
    const folder = await copyOfSpanish("again");
    expect(await toSpanish(bergamot, "house")).toEqual(["casa"]);
    await cp(join(root, "en-fr", "model.enfr.intgemm.alphas.bin"), join(folder, modelFile));
    await cp(join(root, "en-fr", "lex.50.50.enfr.s2t.bin"), join(folder, "lex.50.50.enes.s2t.bin"));
    expect(await toSpanish(bergamot, "house")).toEqual(["est"]);
  });

  it("limits the models in memory but keeps two that are used together", async () => {
    install("en-es", "es-en", "en-fr");
    const files = ["en-es", "es-en", "en-fr"].map((id) => findFiles(join(root, id))).filter((found) => typeof found !== "string");
    const [toEs, toEn, toFr] = files;
    if (toEs === undefined || toEn === undefined || toFr === undefined) throw new Error("Files are missing.");
    const host = await BergamotHost.open(1);
    expect(await host.translate([toEs], ["house"])).toEqual(["casa"]);
    expect(await host.translate([toEn, toFr], ["casa"])).toEqual(["est"]);
    expect(host.loaded).toBe(2);
    expect(await host.translate([toEs], ["The house"])).toEqual(["La casa"]);
    expect(host.loaded).toBe(1);
    expect([2, 4, 6, 64].map((gib) => affordable(gib * 1024 ** 3))).toEqual([2, 3, 4, 4]);
  });
});

describe("Bergamot's process", () => {
  it("keeps its process for the next text and ends the process when idle", async () => {
    install("en-es");
    await toSpanish(bergamot, "house");
    const { pid } = bergamot;
    expect(await toSpanish(bergamot, "The house")).toEqual(["La casa"]);
    expect(bergamot.pid).toBe(pid);
    const brief = open({ idleMs: 1 });
    await toSpanish(brief, "house");
    const first = brief.pid ?? 0;
    await expect.poll(() => isRunning(first)).toBe(false);
  });

  it("frees its memory for a model of another kind and loads again later", async () => {
    install("en-es");
    await toSpanish(bergamot, "house");
    const { pid = 0 } = bergamot;
    const refuse = (why: string) => new Error(why);
    const others = new ModelMemory<{ isAlive: boolean; close(): Promise<void> }>({ budget, refuse });
    const start = async () => ({ isAlive: true, close: async () => undefined });
    (await others.lend({ model: "whisper", use: "files", bytes: 1024 ** 3, start }))[Symbol.dispose]();
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(await toSpanish(bergamot, "house")).toEqual(["casa"]);
    expect(bergamot.pid).not.toBe(pid);
    expect(others.loaded).toEqual([]);
  });

  it("fails the current text when its process is killed and starts a new process", async () => {
    install("en-es");
    await toSpanish(bergamot, "house");
    const asked = toSpanish(bergamot, "house ".repeat(2_000));
    await expect.poll(() => models.held).toEqual(["en-es"]);
    process.kill(bergamot.pid ?? 0, "SIGKILL");
    await expect(asked).rejects.toMatchObject({
      name: "TranslationError",
      code: "translationFailed",
      message: "Bergamot stopped unexpectedly (SIGKILL).",
    });
    expect(await toSpanish(bergamot, "house")).toEqual(["casa"]);
  });

  it("stops an aborted translation without delaying other users", async () => {
    install("en-es");
    await toSpanish(bergamot, "house");
    const stopping = new AbortController();
    const many = Array.from({ length: 5_000 }, () => "The house is big.");
    const asked = bergamot.translate(many, { source: "en", target: "es", person: "ann", signal: stopping.signal });
    const other = toSpanish(bergamot, "house");
    stopping.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
    expect(await other).toEqual(["casa"]);
    await expect(
      bergamot.translate(["house"], {
        source: "en",
        target: "es",
        person: "ann",
        signal: AbortSignal.abort(new Error("before")),
      }),
    ).rejects.toThrow("before");
  });

  it("ends a translation that takes too long", async () => {
    install("en-es");
    const engine = open({ timeoutMs: 1 });
    await expect(toSpanish(engine, "house")).rejects.toMatchObject({ message: "Bergamot took too long." });
  });

  it("refuses to translate after it is closed", async () => {
    install("en-es");
    const engine = open();
    await engine.close();
    await expect(toSpanish(engine, "house")).rejects.toMatchObject({ code: "translationUnavailable" });
  });
});

describe("a Bergamot model", () => {
  it("refuses a truncated model before loading it", async () => {
    const folder = await copyOfSpanish("truncated");
    const path = join(folder, modelFile);
    const { size } = await stat(path);
    for (const bytes of [size - 1_000, 2_000, 40, 0]) {
      await truncate(path, bytes);
      await expect(toSpanish(bergamot, "house")).rejects.toMatchObject({
        code: "translationFailed",
        message: "Bergamot failed: The model's file is truncated.",
      });
    }
  });

  it("refuses a file that is no model", async () => {
    const folder = await copyOfSpanish("no-model");
    await writeFile(join(folder, modelFile), "<html>Not found</html>".repeat(100));
    await expect(toSpanish(bergamot, "house")).rejects.toMatchObject({
      message: "Bergamot failed: The file is not a model of this kind.",
    });
    expect(checkMarian(await readFile(join(root, "en-es", modelFile)))).toEqual({ hasAlphas: true });
  });

  it.each([
    ["a vocabulary that is none", "vocab.enes.spm", "no vocabulary"],
    ["a shortlist that is none", "lex.50.50.enes.s2t.bin", "x".repeat(4_096)],
  ])("fails with %s and starts a new process for the next text", async (_, file, content) => {
    const folder = await copyOfSpanish(`broken-${file}`);
    await writeFile(join(folder, file), content);
    await expect(toSpanish(bergamot, "house")).rejects.toMatchObject({ name: "TranslationError", code: "translationFailed" });
    await cp(join(root, "en-es", file), join(folder, file));
    expect(await toSpanish(bergamot, "house")).toEqual(["casa"]);
  });

  it("names the missing file of a model", async () => {
    const folder = await copyOfSpanish("gone");
    const engine = open();
    expect(engine.pairs).toHaveLength(1);
    await rename(join(folder, "vocab.enes.spm"), join(folder, "other.spm"));
    await expect(toSpanish(engine, "house")).rejects.toMatchObject({
      message: "The model gone does not work: it has no vocab.*.spm.",
    });
  });

  it("translates without a shortlist and with one vocabulary per language", async () => {
    const folder = await copyOfSpanish("two-vocabularies");
    await rm(join(folder, "lex.50.50.enes.s2t.bin"));
    await cp(join(folder, "vocab.enes.spm"), join(folder, "srcvocab.enes.spm"));
    await rename(join(folder, "vocab.enes.spm"), join(folder, "trgvocab.enes.spm"));
    expect(await toSpanish(bergamot, "The house is big.")).toEqual(["La casa es grande."]);
  });
});

function entryOf(score: number) {
  return {
    id: "x",
    purpose: "translation" as const,
    kind: "bergamot" as const,
    languages: ["en", "es"],
    pair: { source: "en", target: "es" },
    detects: false,
    translatesSpeech: [],
    takesVocabulary: false,
    files: [],
    contents: [],
    diskBytes: 1,
    memoryBytes: 1,
    licence: "MPL-2.0",
    comet: { score, google: null },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
