import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { type Segment, Transcription } from "#contract/index.ts";
import { decodeToPcm, openEngines, type SpeechEngines } from "#server/speech/index.ts";
import { openTranslation, type Translation } from "#server/translation/index.ts";
import { textOf } from "#tests/server/dictation/dictation.ts";
import { type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";

// Real engines for the tests that import this: the built-in model recognizes, Apertium translates, ffmpeg decodes.

/** Contents of a file in tests/fixtures/audio. */
export const fixture = async (name: string) =>
  new Uint8Array(await readFile(fileURLToPath(new URL(`../../fixtures/audio/${name}`, import.meta.url))));
/** The text without capitals and punctuation, which can't be heard. */
export const spoken = (text: string) => text.toLowerCase().replace(/[^a-z0-9$ ]+/g, "");

let engines: SpeechEngines;
let translation: Translation;
beforeAll(async () => {
  // This data folder does not exist, so only the built-in models are found.
  engines = await openEngines({ dataDir: "/nonexistent" });
  translation = await openTranslation({});
});
afterAll(() => engines.close());

/**
 * Starts a server with the shared engines. They stay open for the next one, because loading their models takes long.
 */
export async function startReal() {
  const server = await startTestServer({ engines: { ...engines, close: async () => {} }, translation, decode: decodeToPcm });
  return { server, person: await signUp(server) };
}

/** Uploads a fixture and waits for the finished transcription. */
export async function transcribe(person: Person, name: string, fields: Record<string, string> = {}): Promise<Transcription> {
  const { id } = await read(await upload(person, await fixture(name), { name, fields }), 202, Transcription);
  return settled(person, id);
}

export function expectTimes(segments: readonly Segment[], duration: number): void {
  const words = segments.flatMap((segment) => segment.words);
  expect(words.map(({ text }) => text).join(" ")).toBe(textOf(segments));
  let last = 0;
  for (const { start, end } of words) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    last = start;
  }
  expect(words.at(-1)?.end).toBeLessThanOrEqual(duration + 0.1);
}
