import { largest } from "#contract/lists.ts";
// A separate process that detects who spoke when. It is not a thread: onnxruntime calls abort() for a file that is not
// a model, and an hour of speech takes minutes of CPU time and gigabytes of memory, which the server must survive. The
// process ends with its task.

import { closeSync, openSync, readSync } from "node:fs";
import { constants, setPriority } from "node:os";
import sherpa, { type Turn } from "sherpa-onnx-node";
import * as v from "valibot";
import { serveRequests } from "#server/threads/serve-requests.ts";
import { floatsOf } from "#speech/bytes.ts";
import { DiarizationModels, DiarizationWindow, type WindowTurns } from "./protocol.ts";

const sampleRate = 16_000;
/** This much speech is enough to know a voice (seconds); more costs time. */
const sampleSeconds = 30;
/** Largest distance between two stretches of one voice: sherpa-onnx's default (0 to 1). */
const threshold = 0.5;
/**
 * Shorter speech is not a turn, and a shorter pause does not end one (seconds): pyannote's defaults for conversations.
 */
const minDurationOn = 0.3;
const minDurationOff = 0.5;

const { segmentation, embedding, threads, speakers } = v.parse(DiarizationModels, JSON.parse(process.argv[2] ?? "{}"));

try {
  // Live speech takes precedence.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Not allowed here: the process competes with the others.
}
const own = { numThreads: threads, provider: "cpu", debug: 0 };
const extractor = new sherpa.SpeakerEmbeddingExtractor({ model: embedding, ...own });
const diarization = new sherpa.OfflineSpeakerDiarization({
  segmentation: { pyannote: { model: segmentation }, ...own },
  embedding: { model: embedding, ...own },
  clustering: { numClusters: speakers ?? -1, threshold },
  minDurationOn,
  minDurationOff,
});
serveRequests(DiarizationWindow, diarize);

function diarize({ pcm, from, samples }: DiarizationWindow): WindowTurns {
  if (diarization.sampleRate !== sampleRate) throw new Error(`The model needs ${diarization.sampleRate} Hz.`);
  const audio = readWindow(pcm, from, samples);
  const turns = diarization.process(audio);
  const offset = from / sampleRate;
  return {
    turns: turns.map(({ start, end, speaker }) => ({
      start: Math.max(0, start) + offset,
      end: Math.max(start, end, 0) + offset,
      speaker,
    })),
    voices: voicesOf(audio, turns),
  };
}

function readWindow(path: string, from: number, count: number): Float32Array {
  const bytes = Buffer.alloc(count * 2);
  const file = openSync(path, "r");
  try {
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(file, bytes, read, bytes.length - read, from * 2 + read);
      if (more === 0) throw new Error("The decoded audio has become shorter.");
      read += more;
    }
  } finally {
    closeSync(file);
  }
  return floatsOf(bytes);
}

/** The voice of each speaker, from the speaker's longest turns. */
function voicesOf(audio: Float32Array, turns: readonly Turn[]) {
  const count = Math.max(-1, largest(turns.map(({ speaker }) => speaker))) + 1;
  return Array.from({ length: count }, (_, speaker) => {
    const own = turns.filter((turn) => turn.speaker === speaker).sort((a, b) => b.end - b.start - (a.end - a.start));
    const stream = extractor.createStream();
    let left = sampleSeconds;
    for (const { start, end } of own) {
      const seconds = Math.min(end - start, left);
      if (seconds <= 0) break;
      left -= seconds;
      const first = Math.max(0, Math.round(start * sampleRate));
      stream.acceptWaveform({ samples: audio.slice(first, first + Math.round(seconds * sampleRate)), sampleRate });
    }
    stream.inputFinished();
    return extractor.isReady(stream) ? [...extractor.compute(stream, false)] : new Array<number>(extractor.dim).fill(0);
  });
}
