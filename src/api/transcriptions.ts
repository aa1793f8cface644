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
  /** The cursor of an answer. */
  after?: string;
}

interface ExportAsked {
  format: ExportFormat;
  content: ExportContent;
  language: string;
  name?: string;
  look?: ExportLook;
}

/** The calls about transcriptions. Each throws ApiError when there was no answer or one outside 200-299. */
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
    /** Newest first; `page` from 1, `limit` up to 1000; `search` filters. */
    history,

    /** On a server without the call for a single one, it is found in the history. */
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

    /** Moves it to the trash; as long as it is there `update(id, {deletedAt: null})` restores it. */
    remove: (id: string, signal?: AbortSignal) =>
      // The page shows it as deleted at once: whoever closes the tab then must not find it again.
      call(changing(id), { method: "DELETE", schema: AcceptedDeletion, signal, keepalive: true }),

    saveFinal: (json: FinalTranscription, signal?: AbortSignal) =>
      // A server that stores the row as sent reads a missing status as pending (SPEC.md section 3).
      call(`${base}/save-final-transcription`, { json: { ...json, status: "completed" }, schema: AcceptedTranscription, signal }),

    /** A sample to play with: the one that the person has, or a new one. */
    openSample: (json: SampleRequest, signal?: AbortSignal) =>
      call(`${base}/sample`, { json, schema: AcceptedTranscription, signal }),

    /** A recording that the server fetches; idempotent by `clientId`. */
    transcribeUrl: (json: UrlTranscription, signal?: AbortSignal) =>
      call(`${base}/transcribe-url`, { json, schema: AcceptedTranscription, signal }),

    /**
     * Gives this browser's audio element access: the answer sets a cookie for this one audio.
     * @returns whether the element has to ask with CORS for that cookie to be sent; otherwise it may be sent on to another server
     */
    allowAudio: async (id: string, signal?: AbortSignal): Promise<{ withCredentials: boolean }> => {
      const answer = await send(`${one(id)}/audio-access`, { method: "POST", credentials: "include", signal });
      if (answer.status === 204) return { withCredentials: true };
      const { direct } = parse(AudioAccess, await answer.json());
      return { withCredentials: !direct };
    },

    /**
     * Where the audio is downloaded from, as the file that it was: this browser has access for a while.
     * @param name what the file is called where it has no name of its own, without its ending; default: the title
     * @throws ApiError `notFound` when there is none any more
     */
    allowAudioDownload: async (id: string, name?: string, signal?: AbortSignal): Promise<string> => {
      const path = `${audioPath(id)}?download${name === undefined ? "" : `&${new URLSearchParams({ name })}`}`;
      return allowFile(send, id, path, signal);
    },

    /**
     * The file and its name. The labels around the texts are in `language`, an interface language.
     * `name`: what it is called, without its ending; default: the title
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

/** @throws ApiError 404 `notFound` when no page has it */
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

/** The audio's path, below the API's base URL. */
export const audioPath = (id: string): string => `${one(id)}/audio`;
/** The event stream's path: all of a person's transcriptions, or one with its segments. */
export const eventsPath = (id?: string): string => (id === undefined ? `${base}/events` : `${one(id)}/events`);

export type TranscriptionsApi = ReturnType<typeof createTranscriptionsApi>;

const trash = `${base}/trash`;

/** What has become of each: `failed` with the reasons. */
export interface BatchResult {
  done: string[];
  failed: { id: string; code: string }[];
}

/** Changes many in as many calls as it takes. One that fails says why of all that it and the later ones were to change. */
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

/** The calls about the trash. Each throws ApiError when there was no answer or one outside 200-299. */
export function createTrashApi(call: Call) {
  const changeAll = (path: string, ids: readonly string[], signal?: AbortSignal) =>
    inBatches(ids, (some) => call(path, { json: { ids: some }, schema: AcceptedBatch, signal }));
  return {
    /** What was deleted last first, in pages of 100. @param after a page's `next` */
    list: (after: string | null, signal?: AbortSignal) =>
      call(after === null ? trash : `${trash}?after=${encodeURIComponent(after)}`, { schema: AcceptedTrash, signal }),
    /** Moves transcriptions to the trash. */
    add: (ids: readonly string[], signal?: AbortSignal) => changeAll(trash, ids, signal),
    restore: (ids: readonly string[], signal?: AbortSignal) => changeAll(`${trash}/restore`, ids, signal),
    erase: (ids: readonly string[], signal?: AbortSignal) => changeAll(`${trash}/erase`, ids, signal),
    /** Erases what was in it at a time of the server's clock (ISO 8601). */
    empty: (until: string, signal?: AbortSignal) =>
      call(`${trash}?until=${encodeURIComponent(until)}`, { method: "DELETE", schema: AcceptedEmptyTrash, signal }),
  };
}

export type TrashApi = ReturnType<typeof createTrashApi>;
