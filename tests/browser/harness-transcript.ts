import { truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright";
import * as v from "valibot";
import { maxPairs, type Segment, Transcription, writePeaks } from "#contract/index.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { keptFile, openDatabase } from "./harness-data.ts";
import type { Parlance } from "./harness-server.ts";

export { longTalk, spokenSegment } from "#tests/fixtures/spoken.ts";

export interface MadeTranscript {
  title?: string;
  segments: readonly Segment[];
  sourceLanguage?: string;
  targetLanguage?: string | null;
  /** ISO 8601. */
  date?: string;
  /** Length in seconds of silent audio; without it there is no audio. */
  audioSeconds?: number;
  /** A WAV file instead of silence. */
  wav?: Buffer;
}

/**
 * Creates a finished transcription for the signed-in user: through the API, and its audio directly in the data.
 * @returns its path on the page
 */
export async function putTranscript(
  server: Parlance,
  page: Page,
  { audioSeconds, wav, ...made }: MadeTranscript,
): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const final = {
    clientId: crypto.randomUUID(),
    title: "A talk",
    text: made.segments.map(({ text }) => text).join(" "),
    translatedText: made.segments.map(({ translation = "" }) => translation).join(" "),
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
    ...made,
  };
  const answer = await fetch(new URL("/api/v1/audio-transcriptions/save-final-transcription", server.apiUrl), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(final),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { id } = v.parse(Transcription, await answer.json());
  if (audioSeconds !== undefined) await putSilence(server, id, audioSeconds);
  if (wav !== undefined) {
    await keptFile(server, `audio/${id}/original`).write(wav);
    noteAudio(server, id, (wav.length - wavHeader(0).length) / 2 / rate);
  }
  return `/transcription/${id}`;
}

/**
 * Creates the transcription of an MP4 video that the browser plays unchanged. The server has not examined its picture
 * yet.
 * @returns its path on the page
 */
export async function putVideo(
  server: Parlance,
  page: Page,
  { clip, ...made }: MadeTranscript & { clip: Buffer },
): Promise<string> {
  const path = await putTranscript(server, page, made);
  const id = path.split("/").at(-1) ?? "";
  await keptFile(server, `audio/${id}/original`).write(clip);
  using db = openDatabase(server);
  db.prepare("update transcriptions set audio_type = 'video/mp4', duration_seconds = 30 where id = ?").run(id);
  return path;
}

const rate = 16_000;

/**
 * In a data folder the audio is a sparse file, so hours of it take no space. The peaks exist already, so no test waits
 * for them.
 */
async function putSilence(server: Parlance, id: string, seconds: number): Promise<void> {
  const header = wavHeader(seconds * rate);
  const size = header.length + seconds * rate * 2;
  const file = keptFile(server, `audio/${id}/original`);
  if (server.data.bucket === undefined) {
    await file.write(header);
    await truncate(join(server.dataDir, "audio", id, "original"), size);
  } else {
    await file.write(Buffer.concat([header], size));
  }
  const levels = new Int8Array(2 * Math.min(maxPairs, Math.ceil(seconds * 25)));
  await keptFile(server, `audio/${id}/peaks`).write(Buffer.from(writePeaks({ pairMs: 40, levels, audioBytes: size })));
  noteAudio(server, id, seconds);
}

function noteAudio(server: Parlance, id: string, seconds: number): void {
  using db = openDatabase(server);
  db.prepare("update transcriptions set audio_type = 'audio/wav', duration_seconds = ? where id = ?").run(seconds, id);
}
