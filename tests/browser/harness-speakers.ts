import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { wavHeader } from "#server/speech/wav.ts";
import { writeTinySpeakers } from "#tests/fixtures/tiny-speakers.ts";
import { twoVoices } from "#tests/fixtures/two-voices.ts";

/** Puts the tiny models that tell voices apart into the data folder of a server that runs. @param folder for the time being */
export async function installTinySpeakers(folder: string, dataDir: string): Promise<void> {
  await writeTinySpeakers(folder);
  const models = join(dataDir, "models");
  await rename(join(folder, "speakerSegmentation"), join(models, "tiny-segmentation"));
  await rename(join(folder, "speakerEmbedding"), join(models, "tiny-3dspeaker"));
}

/** Writes a recording of two voices (tests/fixtures/two-voices.ts). @param file whose words they speak @returns its path */
export async function interviewIn(folder: string, file?: string): Promise<string> {
  const path = join(folder, "interview.wav");
  const { pcm } = await twoVoices(file);
  await writeFile(path, Buffer.concat([wavHeader(pcm.length / 2), pcm]));
  return path;
}
