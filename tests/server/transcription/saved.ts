import type * as v from "valibot";
import { HistoryAnswer, type Segment, Transcription } from "#contract/index.ts";
import { base, type Person, read } from "#tests/server/harness.ts";

/** Fields of a dictated transcription that a test sets. The rest gets defaults. */
export interface Draft {
  clientId?: string;
  recordingId?: string;
  title?: string;
  text?: string;
  translatedText?: string;
  date?: string;
  segments?: Segment[];
  targetLanguage?: string | null;
}

/** Saves a dictation without a recording. */
export async function save(person: Person, draft: Draft = {}): Promise<Transcription> {
  const final = {
    clientId: crypto.randomUUID(),
    title: "Untitled",
    text: draft.segments?.map(({ text }) => text).join(" ") ?? "hello",
    segments: [],
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
    ...draft,
  };
  return read(await person.call("POST", `${base}/save-final-transcription`, final), 200, Transcription);
}

export const change = async (person: Person, id: string, update: object) =>
  read(await person.call("PUT", `/audio/remove-transcription/${id}`, update), 200, Transcription);

export async function history(person: Person, query = ""): Promise<v.InferOutput<typeof HistoryAnswer>> {
  return read(await person.call("GET", `${base}/transcription-history${query}`), 200, HistoryAnswer);
}

/** The titles of one page of the history. */
export const titles = async (person: Person, query: string) => (await history(person, query)).data.map(({ title }) => title);
