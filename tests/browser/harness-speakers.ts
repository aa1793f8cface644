import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { wavHeader } from "#server/speech/wav.ts";
import { writeTinySpeakers } from "#tests/fixtures/tiny-speakers.ts";
import { twoVoices } from "#tests/fixtures/two-voices.ts";

/**
 * Installs tiny models for speaker detection into the data folder of a running server.
 * @param folder a folder for temporary files
 */
export async function installTinySpeakers(folder: string, dataDir: string): Promise<void> {
  await writeTinySpeakers(folder);
  const models = join(dataDir, "models");
  await rename(join(folder, "speakerSegmentation"), join(models, "tiny-segmentation"));
  await rename(join(folder, "speakerEmbedding"), join(models, "tiny-3dspeaker"));
}

/**
 * Writes a recording of two voices (tests/fixtures/two-voices.ts).
 * @param file the recording whose words they speak
 * @returns the file's path
 */
export async function interviewIn(folder: string, file?: string): Promise<string> {
  const path = join(folder, "interview.wav");
  const { pcm } = await twoVoices(file);
  await writeFile(path, Buffer.concat([wavHeader(pcm.length / 2), pcm]));
  return path;
}
