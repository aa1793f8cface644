import { undefined as nothing } from "valibot";
import {
  AcceptedSharedLinks,
  CreatedSharedLink,
  type ExportContent,
  type NewSharedLink,
  SharedAnswer,
  type SharedFormat,
  SharedLink,
  type SharedLinkChange,
  SharedLinkSecret,
  type SharedOpening,
} from "#contract/index.ts";
import { fileIn } from "./files.ts";
import type { Call, Send } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

const linksOf = (transcription: string) => `${transcriptionPath(transcription)}/links`;

/** The calls about links to the user's own transcripts. Each throws ApiError. */
export function createSharingApi(call: Call) {
  const one = (transcription: string, id: string) => `${linksOf(transcription)}/${encodeURIComponent(id)}`;
  return {
    list: async (transcription: string, signal?: AbortSignal) =>
      (await call(linksOf(transcription), { schema: AcceptedSharedLinks, signal })).links,
    create: (transcription: string, json: NewSharedLink, signal?: AbortSignal) =>
      call(linksOf(transcription), { json, schema: CreatedSharedLink, signal }),
    /** Rejects with `gone` for a link that can't be copied again. */
    secret: async (transcription: string, id: string, signal?: AbortSignal) =>
      (await call(`${one(transcription, id)}/secret`, { schema: SharedLinkSecret, signal })).secret,
    change: (transcription: string, id: string, json: SharedLinkChange, signal?: AbortSignal) =>
      call(one(transcription, id), { method: "PATCH", json, schema: SharedLink, signal }),
    revoke: (transcription: string, id: string, signal?: AbortSignal) =>
      call(one(transcription, id), { method: "DELETE", schema: nothing(), signal }),
  };
}

/** The audio's path, relative to the API's base URL. */
export const sharedAudioPath = (id: string): string => `/api/v1/shared/${encodeURIComponent(id)}/audio`;

/** The calls of a link's page, without an account. `send` must not have a token. Each throws ApiError. */
export function createVisitApi(call: Call, send: Send) {
  return {
    open: (id: string, json: SharedOpening, signal?: AbortSignal) =>
      call(`/api/v1/shared/${encodeURIComponent(id)}/open`, { json, schema: SharedAnswer, signal }),
    /** Checks whether the audio may still be played. */
    checkAudio: async (id: string, signal?: AbortSignal): Promise<void> => {
      await send(sharedAudioPath(id), { method: "HEAD", signal });
    },
    exportFile: async (
      id: string,
      { format, content, language }: { format: SharedFormat; content: ExportContent; language: string },
      signal?: AbortSignal,
    ) => {
      const query = new URLSearchParams({ format, content, lng: language });
      return fileIn(await send(`/api/v1/shared/${encodeURIComponent(id)}/export?${query}`, { signal }), `transcript.${format}`);
    },
  };
}
