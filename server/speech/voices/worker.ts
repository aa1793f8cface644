// A separate process that holds a voice: onnxruntime ends the process in which a broken model is loaded. Argument:
// sherpa-onnx's parameters as JSON.
import sherpa from "sherpa-onnx-node";
import { serveRequests } from "#server/threads/serve-requests.ts";
import { type VoiceAnswer, VoiceRequest } from "./protocol.ts";

const voice = new sherpa.OfflineTts(JSON.parse(process.argv[2] ?? "{}"));

serveRequests(VoiceRequest, ({ text, speaker, rate }): VoiceAnswer => {
  const { samples, sampleRate } = voice.generate({ text, sid: speaker, speed: rate, enableExternalBuffer: false });
  const pcm = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at * 2);
  return { pcm, rate: sampleRate };
});
