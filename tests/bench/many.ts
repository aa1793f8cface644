import type { Route } from "playwright";
import * as v from "valibot";
import { type HistoryAnswer, HistoryQuery, type TranscriptionSummary } from "#contract/index.ts";

/** The words of every text. */
export const words =
  "the train to harbor leaves at seven we met in old library because rain had stopped and nobody else wanted coffee please write down what doctor said about new medicine her answer came late but it was clear enough for everyone at table next week they will open second office near river so bring your notes and a warm coat".split(
    " ",
  );
/** A word of only the oldest transcription: finding it means that all were searched. */
export const rareWord = "zwetschgenknödel";
/** Words per text, as in a minute of speech. */
const wordsEach = 60;
const newest = Date.UTC(2026, 0, 1);

/** Creates this many transcriptions, newest first, the same in every run. Every 40th has failed. */
export function manyTranscriptions(count: number): TranscriptionSummary[] {
  let state = 1;
  // A linear congruential generator (Numerical Recipes' constants): the same texts in every run.
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[(state >>> 8) % words.length] ?? "";
  };
  const text = (length: number) => Array.from({ length }, next).join(" ");
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${index.toString().padStart(12, "0")}`,
    title: `${text(4)} ${index}`,
    text: index === count - 1 ? `${text(wordsEach)} ${rareWord}` : text(wordsEach),
    translatedText: index % 3 === 0 ? text(wordsEach) : "",
    sourceLanguage: "en",
    targetLanguage: index % 3 === 0 ? "es" : null,
    date: new Date(newest - index * 60_000).toISOString(),
    status: index % 40 === 39 ? "failed" : "completed",
    origin: "upload",
    durationSeconds: 60,
    hasAudio: true,
    progress: null,
    error: null,
  }));
}

export interface FakeHistory {
  /** Answers transcription-history in place of the server, as the contract says. */
  answer(route: Route): Promise<void>;
  /** Bytes of all answers so far. */
  bytes(): number;
}

export function fakeHistory(items: readonly TranscriptionSummary[]): FakeHistory {
  let bytes = 0;
  const texts = new Map(items.map((one) => [one.id, `${one.title}\n${one.text}\n${one.translatedText}`.toLowerCase()]));
  return {
    answer: async (route) => {
      const url = new URL(route.request().url());
      const { page, limit, search, after } = v.parse(HistoryQuery, Object.fromEntries(url.searchParams));
      const term = search.toLowerCase();
      const found = term === "" ? items : items.filter(({ id }) => texts.get(id)?.includes(term));
      const from = after === undefined ? (page - 1) * limit : Number(after);
      const data = found.slice(from, from + limit);
      const pagination = { page, limit, total: found.length, totalPages: Math.ceil(found.length / limit) };
      const origin = (await route.request().headerValue("origin")) ?? "*";
      const next = from + limit < found.length ? String(from + limit) : null;
      const body = JSON.stringify({ data, pagination, next } satisfies HistoryAnswer);
      bytes += Buffer.byteLength(body);
      await route.fulfill({
        contentType: "application/json",
        body,
        headers: { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" },
      });
    },
    bytes: () => bytes,
  };
}
