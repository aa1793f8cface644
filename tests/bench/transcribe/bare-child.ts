// The bare recognizer: sherpa-onnx alone with one thread. Arguments: a WAV file of 16,000 Hz, the index of its share,
// and the number of shares. Prints the text of every part of its share and the seconds of processor time as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { builtInModel } from "#server/models/built-in.ts";
import { wavHeader } from "#server/speech/index.ts";
import { recognizerConfig } from "#server/speech/sherpa/config.ts";
import { findFiles } from "#server/speech/sherpa/model.ts";
import { setBackground } from "#server/threads/priority.ts";
import { floatsOf } from "#speech/bytes.ts";
import { PieceCutter } from "#speech/cut.ts";

interface Recognizer {
  createStream(): { acceptWaveform(waveform: { samples: Float32Array; sampleRate: number }): void };
  decode(stream: object): void;
  getResult(stream: object): { text: string };
}
const sherpa: { OfflineRecognizer: new (config: object) => Recognizer } = createRequire(import.meta.url)("sherpa-onnx-node");

const [path = "", share = 0, shares = 1] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
// Like the server's recognition processes, so that other programs slow both alike.
setBackground(process.pid, true);
const model = await findFiles(builtInModel.folder, "moonshine");
if (typeof model === "string") throw new Error(`${builtInModel.folder}: ${model}`);
const recognizer = new sherpa.OfflineRecognizer(recognizerConfig(model, { threads: 1, language: "en" }));

const pcm = readFileSync(path).subarray(wavHeader(0).length);
// Longer parts have an empty text in sherpa-onnx 1.13.8.
const cutter = new PieceCutter({ shortest: 4, wanted: 9, longest: 9 });
const parts = [...cutter.push(pcm), ...cutter.finish()].filter(({ index }) => index % shares === share);
const texts = parts.map(({ index, startSample, endSample }) => {
  const samples = floatsOf(pcm.subarray(startSample * 2, endSample * 2));
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: 16_000 });
  recognizer.decode(stream);
  return { index, text: recognizer.getResult(stream).text };
});
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ texts, processorSeconds: (user + system) / 1e6 }));
