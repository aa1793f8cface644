// A process of its own that holds a voice: onnxruntime ends whatever process a broken model is loaded in. Argument: sherpa-onnx's
// parameters as JSON.
import { createRequire } from "node:module";
import { serveRequests } from "#server/threads/serve-requests.ts";
import { type VoiceAnswer, VoiceRequest } from "./protocol.ts";

interface Voice {
  generate(request: { text: string; sid: number; speed: number; enableExternalBuffer: boolean }): {
    /** From -1 to 1. */
    samples: Float32Array;
    sampleRate: number;
  };
}
/** The part of sherpa-onnx-node that is used here; the package has no type declarations. */
interface Sherpa {
  OfflineTts: new (config: object) => Voice;
}

const sherpa: Sherpa = createRequire(import.meta.url)("sherpa-onnx-node");
const voice = new sherpa.OfflineTts(JSON.parse(process.argv[2] ?? "{}"));

serveRequests(VoiceRequest, ({ text, speaker, rate }): VoiceAnswer => {
  const { samples, sampleRate } = voice.generate({ text, sid: speaker, speed: rate, enableExternalBuffer: false });
  const pcm = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at * 2);
  return { pcm, rate: sampleRate };
});
