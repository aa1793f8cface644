import { readFile } from "node:fs/promises";
import type { RecogniserFile } from "#src/audio/recognise/recogniser.ts";
import { wavHeader } from "#src/audio/wav.ts";

const root = new URL("../../../../", import.meta.url);
const read = async (path: string) => new Uint8Array(await readFile(new URL(path, root)));

const paths: Record<RecogniserFile, string> = {
  encoder: "server/speech/assets/moonshine-tiny-en/encoder_model.ort",
  decoder: "server/speech/assets/moonshine-tiny-en/decoder_model_merged.ort",
  tokens: "server/speech/assets/moonshine-tiny-en/tokens.txt",
  silero: "server/speech/silero/silero_vad.onnx",
  wasm: "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm",
};

/** A file that the page downloads for recognition. */
export const recogniserFile = (file: RecogniserFile) => read(paths[file]);

/** An audio fixture of tests/fixtures/audio as a file. */
export async function recording(name: string): Promise<Blob> {
  return new Blob([await read(`tests/fixtures/audio/${name}`)]);
}

/** The samples of a mono WAV file of 16,000 Hz: a fixture of tests/fixtures/audio or the real voice (jfk.wav). */
export async function pcmOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = name === "jfk.wav" ? "server/speech/assets" : "tests/fixtures/audio";
  return (await read(`${folder}/${name}`)).slice(wavHeader(0).byteLength);
}

/** A WAV file of these sounds, one after another. */
export function wavOf(...parts: Uint8Array<ArrayBuffer>[]): Blob {
  const samples = parts.reduce((sum, part) => sum + part.length / 2, 0);
  return new Blob([wavHeader(samples), ...parts]);
}
