import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Transcription } from "#contract/index.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";
import { Contradiction } from "#tests/grown/chaos/asking.ts";
import { realLanguage } from "#tests/grown/chaos/engines.ts";
import { base, read, uploadForm } from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { append, begin, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import type { Action, Life } from "./life.ts";

/** Two seconds of real speech. */
const spoken = readFile(new URL("../../../fixtures/audio/market.wav", import.meta.url));
/** Share of real speech, whose recognition takes a second of processor time. */
const realShare = 0.15;

interface Recording {
  wav: Buffer<ArrayBuffer>;
  language: string;
  text: string;
  isReal: boolean;
}

async function recordingOf({ dice }: Life): Promise<Recording> {
  const seconds = dice.between(1, 3);
  if (!dice.chance(realShare)) return { wav: spokenWav(seconds), language: "en", text: "one two", isReal: false };
  return { wav: Buffer.from(await spoken), language: realLanguage, text: marketText, isReal: true };
}

export const uploadWhole: Action = async (life, asking) => {
  const { person, ledger } = life;
  const title = life.name("uploaded");
  const { wav, language, text, isReal } = await recordingOf(life);
  const fact = ledger.add("uploaded", title, { text, audio: wav, isReal });
  const fields = { clientId: crypto.randomUUID(), title, sourceLanguage: language };
  const { id } = await asking.until(`uploading "${title}"`, async () => {
    const form = uploadForm(wav, { fields, name: `${title}.wav` });
    return read(await person.call("POST", `${base}/upload-and-transcribe`, form), 202, Transcription);
  });
  fact.id = id;
};

/** An upload by tus. A confirmed part must survive every kill. */
export const uploadInParts: Action = async (life, asking) => {
  const { person, ledger, dice } = life;
  const title = life.name("sent in parts");
  const { wav, language, text, isReal } = await recordingOf(life);
  const partBytes = dice.between(8_000, 40_000);
  const fact = ledger.add("uploaded", title, { text, audio: wav, isReal });
  const fields = { clientId: crypto.randomUUID(), sourceLanguage: language, filename: `${title}.wav` };
  const path = await asking.until(`announcing "${title}"`, () => begin(person, { size: wav.length, fields }));
  let confirmed = 0;
  while (confirmed < wav.length) {
    const offset = await asking.until(`asking how much of "${title}" is there`, () => offsetOf(person, path));
    if (offset < confirmed)
      throw new Contradiction(`${confirmed} bytes of "${title}" were confirmed, of which ${offset} are there`);
    confirmed = offset;
    if (offset >= wav.length) break;
    const body = wav.subarray(offset, offset + partBytes);
    const part = await asking.once(`sending "${title}" from ${offset} on`, async () => {
      const answer = await append(person, person, path, { offset, body });
      const said = await answer.text();
      // 409: the server has more than it confirmed. 423: the previous request is still writing.
      if (answer.status === 409 || answer.status === 423) return offset;
      if (answer.status !== 204) throw new Error(`expected 204, got ${answer.status}: ${said}`);
      return Number(answer.headers.get("Upload-Offset"));
    });
    if (part === undefined || part.value === offset) await setTimeout(10);
    confirmed = Math.max(confirmed, part?.value ?? 0);
  }
  fact.id = idOf(path);
};
