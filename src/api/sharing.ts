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
import { fileNameOf } from "./file-name.ts";
import type { Call, Send } from "./http.ts";

const linksOf = (transcription: string) =>
  `/api/v1/audio-transcriptions/transcription/${encodeURIComponent(transcription)}/links`;

/** The calls about the links to one's own transcripts. Each throws ApiError. */
export function createSharingApi(call: Call) {
  const one = (transcription: string, id: string) => `${linksOf(transcription)}/${encodeURIComponent(id)}`;
  return {
    list: async (transcription: string, signal?: AbortSignal): Promise<readonly SharedLink[]> =>
      (await call(linksOf(transcription), { schema: AcceptedSharedLinks, signal })).links,
    create: (transcription: string, json: NewSharedLink, signal?: AbortSignal): Promise<CreatedSharedLink> =>
      call(linksOf(transcription), { json, schema: CreatedSharedLink, signal }),
    /** Rejects with the code `gone` for a link that can't be copied again. */
    secret: async (transcription: string, id: string, signal?: AbortSignal): Promise<string> =>
      (await call(`${one(transcription, id)}/secret`, { schema: SharedLinkSecret, signal })).secret,
    change: (transcription: string, id: string, json: SharedLinkChange, signal?: AbortSignal): Promise<SharedLink> =>
      call(one(transcription, id), { method: "PATCH", json, schema: SharedLink, signal }),
    revoke: (transcription: string, id: string, signal?: AbortSignal): Promise<void> =>
      call(one(transcription, id), { method: "DELETE", schema: nothing(), signal }),
  };
}

/** Relative to the API's base. */
export const sharedAudioPath = (id: string): string => `/api/v1/shared/${encodeURIComponent(id)}/audio`;

/** The calls of a link's page, without an account: `send` has no token. Each throws ApiError. */
export function createVisitApi(call: Call, send: Send) {
  return {
    open: (id: string, json: SharedOpening, signal?: AbortSignal): Promise<SharedAnswer> =>
      call(`/api/v1/shared/${encodeURIComponent(id)}/open`, { json, schema: SharedAnswer, signal }),
    /** Whether the sound may be played still. */
    checkAudio: async (id: string, signal?: AbortSignal): Promise<void> => {
      await send(sharedAudioPath(id), { method: "HEAD", signal: signal ?? null });
    },
    exportFile: async (
      id: string,
      { format, content, language }: { format: SharedFormat; content: ExportContent; language: string },
      signal?: AbortSignal,
    ): Promise<{ file: Blob; name: string }> => {
      const query = new URLSearchParams({ format, content, lng: language });
      const answer = await send(`/api/v1/shared/${encodeURIComponent(id)}/export?${query}`, { signal: signal ?? null });
      return { file: await answer.blob(), name: fileNameOf(answer.headers.get("Content-Disposition"), `transcript.${format}`) };
    },
  };
}
