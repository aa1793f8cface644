import * as v from "valibot";
import { type ErrorBody, sampleRate, statusOf, Transcription } from "#contract/index.ts";
import type { ChunkReport, ChunkRun } from "#machines/debug/chunked-transcription.ts";
import { ApiError, type Send } from "#src/api/http.ts";
import { until } from "./test-live-run.ts";
import { wavOf } from "./test-sound.ts";

const base = "/api/v1/audio-transcriptions";
/** Poll interval for a chunk's text (ms). */
const askEvery = 250;

/**
 * Sends one chunk as a separate file and waits for its text. Returns a report if only this chunk fails.
 * @throws ApiError for a failure that affects every chunk: 401, 402, or no answer; the signal's reason when aborted
 */
export async function sendChunk(
  send: Send,
  sound: Float32Array<ArrayBuffer>,
  { seconds, language }: ChunkRun,
  index: number,
  signal: AbortSignal,
): Promise<ChunkReport> {
  const from = index * Math.round(seconds * sampleRate);
  const part = sound.slice(from, from + Math.round(seconds * sampleRate));
  const file = wavOf(part, `chunk-${index + 1}.wav`);
  const report = { index, start: from / sampleRate, seconds: part.length / sampleRate, bytes: file.size };
  const begin = performance.now();
  try {
    const answer = await send(`${base}/upload-and-transcribe`, { method: "POST", body: formOf(file, language), signal });
    let raw = await answer.text();
    const uploaded = performance.now() - begin;
    let row = parse(raw);
    while (statusOf(row.status) === "pending" || statusOf(row.status) === "processing") {
      await until(performance.now() + askEvery, signal);
      signal.throwIfAborted();
      raw = await (await send(`${base}/transcription/${row.id}`, { signal })).text();
      row = parse(raw);
    }
    return { ...report, uploaded, finished: performance.now() - begin, text: row.text, code: row.error?.code ?? null, raw };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError) || [0, 401, 402].includes(error.status)) throw error;
    const raw = JSON.stringify({ message: error.message, code: error.code } satisfies ErrorBody);
    return { ...report, uploaded: null, finished: null, text: "", code: error.code, raw };
  }
}

function formOf(file: File, language: string): FormData {
  const form = new FormData();
  form.set("clientId", crypto.randomUUID());
  form.set("sourceLanguage", language);
  form.set("title", file.name);
  form.set("size", String(file.size));
  form.set("file", file);
  return form;
}

function parse(raw: string): Transcription {
  return v.parse(v.pipe(v.string(), v.parseJson(), Transcription), raw);
}
