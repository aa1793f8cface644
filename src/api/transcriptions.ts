import {
  DeletionAnswer,
  type ExportFormat,
  type FinalTranscription,
  HistoryAnswer,
  Transcription,
  type TranscriptionUpdate,
  type UrlTranscription,
} from "./contract/index.ts";
import type { Call, Send } from "./http.ts";

const base = "/api/v1/audio-transcriptions";
const one = (id: string) => `${base}/transcription/${encodeURIComponent(id)}`;
/** SPEC.md section 7: changing and deleting share this path. */
const changing = (id: string) => `/audio/remove-transcription/${encodeURIComponent(id)}`;

/** The file's name as the server says it (RFC 6266: the encoded form first). */
function fileNameOf(disposition: string | null, fallback: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  return encoded === undefined ? fallback : decodeURIComponent(encoded);
}

/** The calls about transcriptions. Each throws ApiError when there was no answer or one outside 200-299. */
export function createTranscriptionsApi(call: Call, send: Send) {
  return {
    /** Newest first; `page` from 1, `limit` up to 1000. */
    history: (query: { page: number; limit: number }, signal?: AbortSignal) =>
      call(`${base}/transcription-history?page=${query.page}&limit=${query.limit}`, { schema: HistoryAnswer, signal }),

    get: (id: string, signal?: AbortSignal) => call(one(id), { schema: Transcription, signal }),

    update: (id: string, json: TranscriptionUpdate, signal?: AbortSignal) =>
      call(changing(id), { method: "PUT", json, schema: Transcription, signal }),

    /** Gone for good ten minutes later; until then `update(id, {deletedAt: null})` brings it back. */
    remove: (id: string, signal?: AbortSignal) => call(changing(id), { method: "DELETE", schema: DeletionAnswer, signal }),

    saveFinal: (json: FinalTranscription, signal?: AbortSignal) =>
      call(`${base}/save-final-transcription`, { method: "POST", json, schema: Transcription, signal }),

    /** A recording that the server fetches; the same `clientId` is made once. */
    transcribeUrl: (json: UrlTranscription, signal?: AbortSignal) =>
      call(`${base}/transcribe-url`, { json, schema: Transcription, signal }),

    /** Lets this browser's audio element hear it: the answer sets a cookie for this one audio. */
    allowAudio: async (id: string, signal?: AbortSignal): Promise<void> => {
      await send(`${one(id)}/audio-access`, { method: "POST", credentials: "include", signal });
    },

    /** The file and its name. What stands around the texts is in `language`, one of the interface's. */
    exportFile: async (
      id: string,
      { format, language }: { format: ExportFormat; language: string },
      signal?: AbortSignal,
    ): Promise<{ file: Blob; name: string }> => {
      const answer = await send(`${one(id)}/export?format=${format}&lng=${encodeURIComponent(language)}`, { signal });
      const name = fileNameOf(answer.headers.get("Content-Disposition"), `transcript.${format}`);
      return { file: await answer.blob(), name };
    },
  };
}

/** Where the audio is played from, below the API's address. */
export const audioPath = (id: string): string => `${one(id)}/audio`;
/** Where the server tells what changes: all of a person's transcriptions, or one with its segments. */
export const eventsPath = (id?: string): string => (id === undefined ? `${base}/events` : `${one(id)}/events`);
