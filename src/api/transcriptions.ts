import { parse } from "valibot";
import {
  AcceptedBatch,
  AcceptedDeletion,
  AcceptedEmptyTrash,
  AcceptedHistory,
  AcceptedTranscription,
  AcceptedTrash,
  AudioAccess,
  batchSize,
  type ExportContent,
  type ExportFormat,
  type ExportLook,
  type FinalTranscription,
  type HistoryAnswer,
  type HistorySort,
  lookQuery,
  type SampleRequest,
  type Transcription,
  type TranscriptionUpdate,
  type UrlTranscription,
} from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { allowFile, fileIn } from "./files.ts";
import { ApiError, type Call, isNotOffered, type Send } from "./http.ts";
import { transcriptionsPath as base, transcriptionPath as one } from "./paths.ts";

/** SPEC.md section 7: updating and deleting share this path. */
const changing = (id: string) => `/audio/remove-transcription/${encodeURIComponent(id)}`;

interface HistoryPage {
  page: number;
  limit: number;
  search?: string;
  sort?: HistorySort;
  /** The cursor from the previous answer. */
  after?: string;
}

interface ExportAsked {
  format: ExportFormat;
  content: ExportContent;
  language: string;
  name?: string;
  look?: ExportLook;
}

/** The calls about transcriptions. Each throws ApiError without an answer, or for a status outside 200-299. */
export function createTranscriptionsApi(call: Call, send: Send) {
  const history = (asked: HistoryPage, signal?: AbortSignal): Promise<HistoryAnswer> => {
    const { page, limit, search = "", sort = "newest", after } = asked;
    const narrowed = search === "" ? "" : `&search=${encodeURIComponent(search)}`;
    const ordered = sort === "newest" ? "" : `&sort=${sort}`;
    const from = after === undefined ? "" : `&after=${encodeURIComponent(after)}`;
    return call(`${base}/transcription-history?page=${page}&limit=${limit}${narrowed}${ordered}${from}`, {
      schema: AcceptedHistory,
      signal,
    });
  };
  return {
    /** The history, newest first. `page` from 1, `limit` up to 1000; `search` filters. */
    history,

    /** On a server without a call for a single transcription, looks for it in the history. */
    get: async (id: string, signal?: AbortSignal): Promise<Transcription> => {
      try {
        return await call(one(id), { schema: AcceptedTranscription, signal });
      } catch (error) {
        if (!isNotOffered(error)) throw error;
        return findInHistory(history, id, signal);
      }
    },

    update: (id: string, json: TranscriptionUpdate, signal?: AbortSignal) =>
      call(changing(id), { method: "PUT", json, schema: AcceptedTranscription, signal }),

    /** Moves it to the trash. While it is there, `update(id, {deletedAt: null})` restores it. */
    remove: (id: string, signal?: AbortSignal) =>
      // `keepalive`: the page shows it as deleted at once, so the request must arrive even if the user closes the tab.
      call(changing(id), { method: "DELETE", schema: AcceptedDeletion, signal, keepalive: true }),

    saveFinal: (json: FinalTranscription, signal?: AbortSignal) =>
      // A server that stores the row unchanged would read a missing status as pending (SPEC.md section 3).
      call(`${base}/save-final-transcription`, { json: { ...json, status: "completed" }, schema: AcceptedTranscription, signal }),

    /** Returns the user's sample, or a new one. */
    openSample: (json: SampleRequest, signal?: AbortSignal) =>
      call(`${base}/sample`, { json, schema: AcceptedTranscription, signal }),

    /** Transcribes a recording that the server downloads. Idempotent by `clientId`. */
    transcribeUrl: (json: UrlTranscription, signal?: AbortSignal) =>
      call(`${base}/transcribe-url`, { json, schema: AcceptedTranscription, signal }),

    /**
     * Gives this browser's audio element access: the answer sets a cookie for this audio only.
     * @returns whether the element must use CORS, so that the cookie is sent; otherwise it may be redirected to
     *   another server
     */
    allowAudio: async (id: string, signal?: AbortSignal): Promise<{ withCredentials: boolean }> => {
      const answer = await send(`${one(id)}/audio-access`, { method: "POST", credentials: "include", signal });
      if (answer.status === 204) return { withCredentials: true };
      const { direct } = parse(AudioAccess, await answer.json());
      return { withCredentials: !direct };
    },

    /**
     * Gives this browser temporary access to the original audio file. Returns the download's path.
     * @param name the file's name if it has none of its own, without its extension; default: the title
     * @throws ApiError `notFound` when the audio does not exist any more
     */
    allowAudioDownload: async (id: string, name?: string, signal?: AbortSignal): Promise<string> => {
      const path = `${audioPath(id)}?download${name === undefined ? "" : `&${new URLSearchParams({ name })}`}`;
      return allowFile(send, id, path, signal);
    },

    /**
     * Returns the file and its name. The labels are in `language`, an interface language. `name`: the file's name
     * without its extension; default: the title
     */
    exportFile: async (id: string, { format, content, language, name, look }: ExportAsked, signal?: AbortSignal) => {
      const query = new URLSearchParams({
        format,
        content,
        lng: language,
        ...(name !== undefined && { name }),
        ...(look && lookQuery(look)),
      });
      return fileIn(await send(`${one(id)}/export?${query}`, { signal }), `transcript.${format}`);
    },
  };
}

/** @throws ApiError 404 `notFound` when no page of the history contains it */
async function findInHistory(
  history: (asked: HistoryPage, signal?: AbortSignal) => Promise<HistoryAnswer>,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Transcription> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, pagination } = await history({ page, limit: 100 }, signal);
    const found = data.find((one) => one.id === id);
    if (found !== undefined) return { ...found, segments: [], fileName: null, engine: null };
    if (data.length === 0) break;
    pages = pagination.totalPages;
  }
  throw new ApiError(404, "notFound");
}

/** The audio's path, relative to the API's base URL. */
export const audioPath = (id: string): string => `${one(id)}/audio`;
/** The event stream's path: all of a user's transcriptions, or one with its segments. */
export const eventsPath = (id?: string): string => (id === undefined ? `${base}/events` : `${one(id)}/events`);

export type TranscriptionsApi = ReturnType<typeof createTranscriptionsApi>;

const trash = `${base}/trash`;

/** The result of each id: `done`, or `failed` with the reason. */
export interface BatchResult {
  done: string[];
  failed: { id: string; code: string }[];
}

/**
 * Changes many transcriptions, in as many calls as needed. If a call fails, its ids and all later ones fail with its
 * reason.
 */
export async function inBatches(ids: readonly string[], change: (some: string[]) => Promise<BatchResult>): Promise<BatchResult> {
  const result: BatchResult = { done: [], failed: [] };
  for (let from = 0; from < ids.length; from += batchSize) {
    try {
      const { done, failed } = await change(ids.slice(from, from + batchSize));
      append(result.done, done);
      append(result.failed, failed);
    } catch (error) {
      if (from === 0 || !(error instanceof ApiError)) throw error;
      append(
        result.failed,
        ids.slice(from).map((id) => ({ id, code: error.code })),
      );
      break;
    }
  }
  return result;
}

/** The calls about the trash. Each throws ApiError without an answer, or for a status outside 200-299. */
export function createTrashApi(call: Call) {
  const changeAll = (path: string, ids: readonly string[], signal?: AbortSignal) =>
    inBatches(ids, (some) => call(path, { json: { ids: some }, schema: AcceptedBatch, signal }));
  return {
    /** The trash in pages of 100, the most recently deleted first. @param after a page's `next` */
    list: (after: string | null, signal?: AbortSignal) =>
      call(after === null ? trash : `${trash}?after=${encodeURIComponent(after)}`, { schema: AcceptedTrash, signal }),
    /** Moves transcriptions to the trash. */
    add: (ids: readonly string[], signal?: AbortSignal) => changeAll(trash, ids, signal),
    restore: (ids: readonly string[], signal?: AbortSignal) => changeAll(`${trash}/restore`, ids, signal),
    erase: (ids: readonly string[], signal?: AbortSignal) => changeAll(`${trash}/erase`, ids, signal),
    /** Erases everything that was in the trash at this time of the server's clock (ISO 8601). */
    empty: (until: string, signal?: AbortSignal) =>
      call(`${trash}?until=${encodeURIComponent(until)}`, { method: "DELETE", schema: AcceptedEmptyTrash, signal }),
  };
}

export type TrashApi = ReturnType<typeof createTrashApi>;
