import { availableParallelism } from "node:os";
import { join } from "node:path";
import { gatherEngines, type SpeechConfig, type SpeechEngines } from "./engines.ts";
import { openOpenAi } from "./openai.ts";
import { openPocketSphinx } from "./pocketsphinx/engine.ts";
import { openSherpa } from "./sherpa/engine.ts";

export { type Piece, PieceCutter } from "./cut.ts";
export { AudioError, type Decoded, type DecodeOptions, decodeToPcm } from "./decode.ts";
export type { KnownVoice, SpeechEngine, SpeechStream, StreamEvent, StreamOptions, TranscribeOptions } from "./engine.ts";
export { pcmRate, SpeechError } from "./engine.ts";
export type { EngineChoice, SpeechConfig, SpeechEngines } from "./engines.ts";
export { shift } from "./shift.ts";
export { wavHeader } from "./wav.ts";

/** Detects the available speech engines. Order of preference: OpenAI-compatible server, sherpa-onnx, PocketSphinx. */
export async function openEngines(config: SpeechConfig): Promise<SpeechEngines> {
  const { apiUrl, apiKey, apiModel, apiTimeoutMs, dataDir, model, parallel = availableParallelism() } = config;
  const remote = apiUrl === undefined ? [] : [openOpenAi({ apiUrl, apiKey, apiModel, apiTimeoutMs })];
  const local = [openSherpa({ modelsFolder: join(dataDir, "models"), model, threads: parallel }), openPocketSphinx({ parallel })];
  return gatherEngines([...remote, ...(await Promise.all(local))]);
}
