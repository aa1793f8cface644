import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openApertium } from "#server/translation/apertium.ts";
import type { TranslationEngine } from "#server/translation/engine.ts";
import { gatherTranslation } from "#server/translation/index.ts";

let apertium: TranslationEngine;
let folder: string;
beforeAll(async () => {
  apertium = await openApertium();
  folder = await mkdtemp(join(tmpdir(), "parlance-apertium-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const toSpanish = (...texts: string[]) => apertium.translate(texts, { source: "en", target: "es", person: "ann" });

/** A fake program that lists one direction and runs this script for it. */
async function pretending(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\nif [ "$1" = "-l" ]; then echo "  eng-spa"; exit 0; fi\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe("Apertium", () => {
  // PROMISE translation: English and Spanish are translated offline, both ways
  it("offers English and Spanish in both directions on this machine", () => {
    expect(apertium.unavailable).toBeUndefined();
    expect(apertium.pairs).toEqual(
      expect.arrayContaining([
        { source: "en", target: "es" },
        { source: "es", target: "en" },
      ]),
    );
    // "spa-eng_US" is a duplicate of the same pair.
    expect(apertium.pairs.filter(({ source }) => source === "es")).toHaveLength(1);
  });

  it("translates a batch and keeps each text in its place", async () => {
    expect(await toSpanish("Good morning.", "", "The house is big.", "   ", "The library is old.")).toEqual([
      "Buenos días.",
      "",
      "La casa es grande.",
      "   ",
      "La biblioteca es vieja.",
    ]);
    expect(await apertium.translate(["La casa es grande."], { source: "es-ES", target: "en", person: "ann" })).toEqual([
      "The house is big.",
    ]);
  });

  it("leaves no blanks for dropped words and no capitals on moved words", async () => {
    const translation = gatherTranslation([apertium]);
    const given = ["There is a small market near the harbor we had breakfast together", "I do, too.", "Fetching the recording"];
    const [market, short, fetching] = await translation.translate(given, { source: "en", target: "es", person: "ann" });
    expect(market).toMatch(/puerto \S/);
    expect([short, fetching]).toEqual(["Yo, también.", "Fetching el registro"]);
  });

  it("keeps lines and blank lines", async () => {
    const [text = ""] = await toSpanish("The house is big.\n\n\nThe house is small.\r\n  \nGood morning.");
    expect(text.split("\n")).toEqual(["La casa es grande.", "", "", "La casa es pequeña.", "  ", "Buenos días."]);
  });

  it("leaves no temporary files after it finishes or is aborted", async () => {
    const temporary = await mkdtemp(join(folder, "temporary-"));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const apertiumThere = await openApertium();
    const text = "The house is big. ".repeat(20_000);
    const stopping = new AbortController();
    const translated = apertiumThere.translate([text], { source: "en", target: "es", person: "ann", signal: stopping.signal });
    const files = () => readdir(temporary);
    await expect.poll(files).not.toEqual([]);
    stopping.abort(new Error("enough"));
    await expect(translated).rejects.toThrow("enough");
    await expect.poll(files).toEqual([]);
  });

  it("removes the temporary files of a program that is killed before its own cleanup", async () => {
    const temporary = await mkdtemp(join(folder, "temporary-"));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const program = await pretending(
      "leaving",
      'mktemp "$TMPDIR/apertium.XXXXXXXX" > /dev/null; touch "$TMPDIR/there"; sleep 300 | cat',
    );
    const stopping = new AbortController();
    const leaving = await openApertium({ program });
    const translated = leaving.translate(["A house."], { source: "en", target: "es", person: "ann", signal: stopping.signal });
    await expect
      .poll(async () => (await readdir(temporary, { recursive: true })).some((path) => path.endsWith("there")))
      .toBe(true);
    stopping.abort(new Error("enough"));
    await expect(translated).rejects.toThrow("enough");
    await expect.poll(() => readdir(temporary)).toEqual([]);
  });

  it("keeps characters that have a meaning in Apertium's own stream format", async () => {
    const special = [
      "^house<n><sg>$",
      "[<STREAMCMD:SETVAR:x>]",
      "{a} \\ @b *c #d ~e +f",
      "^",
      "$",
      "\\",
      "[",
      "<b>house</b>",
      "a\0b",
      "/ / /",
    ];
    const translated = await toSpanish(...special);
    expect(translated).toHaveLength(special.length);
    for (const [at, text] of special.entries()) {
      const marks = text.match(/[\^$<>{}[\]\\@*#~+/]/g) ?? [];
      for (const mark of new Set(marks)) expect(translated[at], text).toContain(mark);
    }
    expect(translated[7]).toMatch(/^<b>casa<\/b>$/i);
  });

  it("leaves unknown words unmarked", async () => {
    expect(await toSpanish("The xyzzyq is big.")).toEqual(["El xyzzyq es grande."]);
  });

  it("keeps the case of a line's beginning and of text in capitals", async () => {
    const [lower, upper, shouted] = await toSpanish("the house is big", "The house is big", "THE HOUSE");
    expect([lower, upper, shouted]).toEqual(["la casa es grande", "La casa es grande", "LA CASA"]);
    // Apertium alone writes "EL agua".
    expect((await toSpanish("The children drink water."))[0]).toMatch(/^El /);
  });

  it("translates hundreds of lines in one run without shifting any", async () => {
    const numbers = Array.from({ length: 400 }, (_, at) => `The house number ${at} is big.`);
    const translated = await toSpanish(...numbers);
    expect(translated).toHaveLength(400);
    for (const [at, text] of translated.entries()) expect(text).toMatch(new RegExp(`\\b${at}\\b`));
  });

  it("refuses a language pair that isn't installed", async () => {
    await expect(apertium.translate(["x"], { source: "en", target: "fi", person: "ann" })).rejects.toMatchObject({
      code: "translationUnavailable",
    });
  });

  it("runs no program for texts without words", async () => {
    const broken = await openApertium({ program: await pretending("never", "exit 1") });
    expect(await broken.translate(["", "\n", "..."], { source: "en", target: "es", person: "ann" })).toEqual(["", "\n", "..."]);
  });
});

describe("failures of Apertium", () => {
  it("names the packages to install when Apertium is missing", async () => {
    const absent = await openApertium({ program: join(folder, "absent") });
    expect(absent).toMatchObject({
      pairs: [],
      unavailable: expect.stringContaining("apt-get install apertium apertium-eng-spa"),
    });
  });

  it("reports translationFailed when the program fails", async () => {
    const failing = await openApertium({ program: await pretending("failing", "exit 2") });
    await expect(failing.translate(["hello"], { source: "en", target: "es", person: "ann" })).rejects.toMatchObject({
      code: "translationFailed",
    });
  });

  it("ends a hanging program with all of its pipeline", async () => {
    const hanging = await openApertium({ program: await pretending("hanging", "sleep 300 | cat"), timeoutMs: 100 });
    const failure = hanging.translate(["hello"], { source: "en", target: "es", person: "ann" });
    await expect(failure).rejects.toMatchObject({ code: "translationFailed", message: expect.stringContaining("too long") });
  });

  it("stops the program when the request is aborted", async () => {
    const hanging = await openApertium({ program: await pretending("waiting", "sleep 300 | cat") });
    const stopping = new AbortController();
    const asked = hanging.translate(["hello"], { source: "en", target: "es", person: "ann", signal: stopping.signal });
    stopping.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
  });

  it("translates texts one by one when the program merges lines", async () => {
    const merging = await openApertium({ program: await pretending("merging", "cat | tr -s '\\n'") });
    expect(await merging.translate(["One", "Two", "Three"], { source: "en", target: "es", person: "ann" })).toEqual([
      "One",
      "Two",
      "Three",
    ]);
  });
});
