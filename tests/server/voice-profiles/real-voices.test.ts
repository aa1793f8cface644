import { join } from "node:path";
import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { openDiarizer } from "#server/speech/diarization/diarizer.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { writeTinySpeakers } from "#tests/fixtures/tiny-speakers.ts";
import { twoVoices } from "#tests/fixtures/two-voices.ts";
import { read, settled, signUp, startTestServer, temporaryFolder, upload } from "#tests/server/harness.ts";
import { scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";
import { known, name, speakersOf, suggestions, turn } from "./recordings.ts";

test("recognizes a voice of an earlier recording with sherpa-onnx and suggests no name for the other voice", async () => {
  const folder = await temporaryFolder();
  await writeTinySpeakers(folder);
  const kinds = ["speakerSegmentation", "speakerEmbedding"] as const;
  const models = inMemoryModels(
    kinds.map((kind) => installed({ id: kind, folder: join(folder, kind), purpose: "speakers", kind, languages: [] })),
  );
  const { pcm, firstSeconds } = await twoVoices();
  const wav = Buffer.concat([wavHeader(pcm.length / 2), pcm]);
  // One word per voice.
  const said = segment("first second", 0, firstSeconds * 2);
  const server = await startTestServer({
    engines: scriptedEngines({ transcribe: async () => [said] }),
    diarizer: openDiarizer(models),
  });
  const person = await signUp(server);
  const record = async () => {
    const { id } = await read(await upload(person, wav, { fields: { speakers: "1" } }), 202, Transcription);
    await settled(person, id);
    return id;
  };
  await turn(person, true);
  const first = await record();
  expect(await speakersOf(person, first)).toEqual(["1", "2"]);
  await name(person, first, "2", "Whistler");
  expect(await known(person)).toEqual(["Whistler 1"]);
  expect(await suggestions(person, await record())).toEqual(["2 Whistler?"]);
});
