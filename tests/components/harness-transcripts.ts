import { onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import type { Segment, Transcription, TranscriptionUpdate } from "#contract/index.ts";
import { corrected } from "#server/transcription/correct.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";
import { answer, openStream, refusal } from "./harness-network.ts";
import { type OpenOptions, openPage } from "./harness-page.ts";

const base = "/api/v1/audio-transcriptions/transcription/:id";
/** The path for changes and deletions of a transcription. */
export const changing = "/audio/remove-transcription/:id";

/** Three consecutive passages of two speakers. */
export const talk: readonly Segment[] = [
  spokenSegment("Good morning and welcome to the harbour.", 0, 4, { speaker: "1" }),
  spokenSegment("The harbour is old.", 4, 7, { speaker: "1" }),
  spokenSegment("May I ask about the Harbour?", 7, 10, { speaker: "2" }),
];
export const translatedTalk: readonly Segment[] = talk.map((segment, at) => ({ ...segment, translation: `frase ${at + 1}` }));

/** Opens the menu of actions for the whole transcription. */
export const openActions = () => page.getByLabelText("Actions", { exact: true }).click();

/** Runs an action of that menu. */
export async function act(name: string): Promise<void> {
  await openActions();
  await page.getByRole("main").getByRole("button", { name, exact: true }).click();
}

export const transcriptionOf = (parts: Partial<Transcription> = {}): Transcription => {
  const segments = parts.segments ?? [...talk];
  return {
    id: "talk",
    title: "A talk",
    text: segments.map(({ text }) => text).join(" "),
    translatedText: segments.flatMap(({ translation }) => translation ?? []).join(" "),
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
    status: "completed",
    origin: "upload",
    durationSeconds: 10,
    hasAudio: false,
    progress: null,
    error: null,
    segments,
    fileName: null,
    engine: null,
    ...parts,
  };
};

/** A server with one transcription that applies changes by the real server's rules and sends events about them. */
export interface TranscriptServer {
  kept: Transcription;
  /** The received updates, in order. */
  updates: TranscriptionUpdate[];
  /** Changes the transcription as another user or a job does, and sends the event. */
  tell(parts: Partial<Transcription>): void;
  /** Sends any event of its stream. */
  send(event: string, data: unknown): void;
}

export function persistTranscription(parts: Partial<Transcription> = {}): TranscriptServer {
  let stream = openStream();
  let isFollowed = false;
  const waiting: [event: string, data: unknown][] = [];
  const send = (event: string, data: unknown) => {
    if (isFollowed) stream.send(event, data);
    else waiting.push([event, data]);
  };
  const server: TranscriptServer = {
    kept: transcriptionOf(parts),
    updates: [],
    tell: (now) => {
      server.kept = { ...server.kept, ...now };
      send("transcription", { transcription: server.kept, ...(now.segments && { segments: now.segments }) });
    },
    send,
  };
  answer({
    [`GET ${base}`]: () => server.kept,
    [`GET ${base}/events`]: () => {
      stream = openStream();
      isFollowed = true;
      for (const [event, data] of waiting.splice(0)) send(event, data);
      return stream.response;
    },
    [`GET ${base}/notes`]: { notes: [] },
    [`GET ${base}/retention`]: { audioAt: null, textAt: null },
    [`GET ${base}/suggestions`]: { suggestions: [] },
    [`GET ${base}/peaks`]: refusal(404, "notFound"),
    [`POST ${base}/audio-access`]: () => new Response(null, { status: 204 }),
    [`PUT ${changing}`]: async ({ request }) => {
      const update: TranscriptionUpdate = await request.json();
      server.updates.push(update);
      const { segments } = corrected(server.kept.segments, update);
      const { title = server.kept.title, text, targetLanguage = server.kept.targetLanguage } = update;
      const said = segments.map((segment) => segment.text).join(" ");
      server.kept = {
        ...server.kept,
        title,
        targetLanguage,
        segments,
        text: text ?? (segments.length > 0 ? said : server.kept.text),
        ...((update.recognize ?? update.track) && { progress: { stage: "waiting", fraction: 0, secondsLeft: null } }),
      };
      return server.kept;
    },
  });
  return server;
}

/** Opens the page of a transcription that a server stores. */
export async function openTranscript(parts: Partial<Transcription> = {}, options?: OpenOptions): Promise<TranscriptServer> {
  const server = persistTranscription(parts);
  await openPage(`/transcription/${server.kept.id}`, options);
  return server;
}

/** Leaves the page of a transcription and opens it again, so that it shows only stored data. */
export async function openAgain({ kept }: TranscriptServer): Promise<void> {
  await openPage("/about");
  pageRouter().clearCache();
  await openPage(`/transcription/${kept.id}`);
}

export const passages = page.getByRole("list", { name: "Transcript" }).getByRole("listitem");
/** The passage with this index, from 0. */
export const passage = (index: number) => passages.nth(index);

/** The texts and translations that the passages show. */
export const shownTexts = (): string[] =>
  [...document.querySelectorAll("li[data-index] p")].map((text) => text.textContent.replace(/\s+/g, " ").trim());

export const undo = page.getByRole("button", { name: /^Undo/ });
export const redo = page.getByRole("button", { name: /^Redo/ });
/** The text field of the passage that starts at this time. */
export const field = (time: string) => page.getByRole("textbox", { name: `Text at ${time}`, exact: true });

/** The accessible name of the focused element. */
export const focusedName = (): string | null => document.activeElement?.getAttribute("aria-label") ?? null;

/** Replaces every sound of the page by silence of this length in seconds. */
export function soundOfSilence(seconds: number): void {
  const rate = 8000;
  const wav = new DataView(new ArrayBuffer(44 + rate * seconds));
  const letters = (at: number, text: string) => {
    for (const [i, letter] of [...text].entries()) wav.setUint8(at + i, letter.charCodeAt(0));
  };
  letters(0, "RIFF");
  wav.setUint32(4, 36 + rate * seconds, true);
  letters(8, "WAVEfmt ");
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, rate * seconds],
  ] as const)
    wav.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    wav.setUint16(at, value, true);
  letters(36, "data");
  new Uint8Array(wav.buffer, 44).fill(128);
  const url = URL.createObjectURL(new Blob([wav.buffer], { type: "audio/wav" }));
  const given = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "src")?.set;
  const spy = vi.spyOn(HTMLMediaElement.prototype, "src", "set").mockImplementation(function (this: HTMLMediaElement) {
    given?.call(this, url);
  });
  onTestFinished(() => {
    spy.mockRestore();
    URL.revokeObjectURL(url);
  });
}
