import { undefined as nothing } from "valibot";
import { type ExportContent, VideoAnswer } from "#contract/index.ts";
import { allowFile, fileIn } from "./files.ts";
import type { Call, Send } from "./http.ts";
import { transcriptionPath as one } from "./paths.ts";

/** The calls about video recordings. Each throws ApiError. */
export function createVideoApi(call: Call, send: Send) {
  const look = (id: string, signal?: AbortSignal) => call(`${one(id)}/video`, { schema: VideoAnswer, signal });
  return {
    picture: async (id: string, signal?: AbortSignal) => (await look(id, signal)).picture,
    captioned: async (id: string, signal?: AbortSignal) => (await look(id, signal)).captioned,
    /**
     * Starts to create a captioned video, which replaces the existing one.
     * @param lng interface language of labels such as "Speaker 1"
     */
    caption: async (id: string, content: ExportContent, lng: string, signal?: AbortSignal) =>
      (await call(`${one(id)}/captioned`, { method: "POST", json: { content, lng }, schema: VideoAnswer, signal })).captioned,
    uncaption: (id: string, signal?: AbortSignal) =>
      call(`${one(id)}/captioned`, { method: "DELETE", schema: nothing(), signal }),
    /**
     * Gives this browser temporary access to the video, and returns the download's path.
     * @throws ApiError `notFound` when the video does not exist any more
     */
    allowDownload: async (id: string, name?: string, signal?: AbortSignal) => {
      const query = name === undefined ? "" : `?${new URLSearchParams({ name })}`;
      return allowFile(send, id, `${one(id)}/audio/captioned${query}`, signal);
    },
    /** The subtitles of both languages in a ZIP file. */
    subtitles: async (id: string, { lng, name }: { lng: string; name: string | undefined }, signal?: AbortSignal) => {
      const query = new URLSearchParams({ lng, ...(name !== undefined && { name }) });
      return fileIn(await send(`${one(id)}/subtitles?${query}`, { signal }), "subtitles.zip");
    },
  };
}

/** The path of a recording's picture, relative to the API's base URL. */
export const picturePath = (id: string): string => `${one(id)}/audio/picture`;
