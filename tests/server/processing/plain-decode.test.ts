import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeToPcm } from "#server/speech/index.ts";
import { sha256Of } from "#tests/fixtures/model-archive.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { plainDecode } from "./plain-decode.ts";

test("the tests' own decoder gives the same results and errors as ffmpeg", async () => {
  const path = join(await temporaryFolder(), "recording");
  // Compares hashes, because Vitest is slow to compare so many bytes.
  const outcomeOf = async (decode: typeof decodeToPcm, maxSamples?: number) => {
    const chunks: Buffer[] = [];
    const decoded = await decode(path, { onPcm: (chunk) => void chunks.push(Buffer.from(chunk)), maxSamples });
    return { ...decoded, pcm: sha256Of(Buffer.concat(chunks)) };
  };
  const whole = buzzWav(2);
  await writeFile(path, whole);
  const heard = await outcomeOf(plainDecode);
  expect(heard.durationSeconds).toBe(2);
  expect(heard).toEqual(await outcomeOf(decodeToPcm));
  await expect(outcomeOf(plainDecode, 16_000)).rejects.toMatchObject({ code: "tooLong" });
  await writeFile(path, whole.subarray(0, whole.length / 2));
  const cutOff = await outcomeOf(plainDecode);
  expect(cutOff).toMatchObject({ truncated: true });
  expect(cutOff).toEqual(await outcomeOf(decodeToPcm));
  await writeFile(path, whole.subarray(0, 44));
  await expect(outcomeOf(plainDecode)).rejects.toMatchObject({ code: "emptyFile" });
});
