import { undefined as nothing } from "valibot";
import { type ExportContent, VideoAnswer } from "#contract/index.ts";
import { allowFile, fileIn } from "./files.ts";
import type { Call, Send } from "./http.ts";
import { transcriptionPath as one } from "./paths.ts";

/** The calls about recordings that are videos. Each throws ApiError. */
export function createVideoApi(call: Call, send: Send) {
  const look = (id: string, signal?: AbortSignal) => call(`${one(id)}/video`, { schema: VideoAnswer, signal });
  return {
    picture: async (id: string, signal?: AbortSignal) => (await look(id, signal)).picture,
    captioned: async (id: string, signal?: AbortSignal) => (await look(id, signal)).captioned,
    /** Begins to make one, in place of the one that there is. @param lng of labels such as "Speaker 1", an interface language */
    caption: async (id: string, content: ExportContent, lng: string, signal?: AbortSignal) =>
      (await call(`${one(id)}/captioned`, { method: "POST", json: { content, lng }, schema: VideoAnswer, signal })).captioned,
    uncaption: (id: string, signal?: AbortSignal) =>
      call(`${one(id)}/captioned`, { method: "DELETE", schema: nothing(), signal }),
    /** Where the browser downloads it from: it has access for a while. @throws ApiError `notFound` when it is gone */
    allowDownload: async (id: string, name?: string, signal?: AbortSignal) => {
      const query = name === undefined ? "" : `?${new URLSearchParams({ name })}`;
      return allowFile(send, id, `${one(id)}/audio/captioned${query}`, signal);
    },
    /** Both languages' subtitles in a ZIP file. */
    subtitles: async (id: string, { lng, name }: { lng: string; name: string | undefined }, signal?: AbortSignal) => {
      const query = new URLSearchParams({ lng, ...(name !== undefined && { name }) });
      return fileIn(await send(`${one(id)}/subtitles?${query}`, { signal }), "subtitles.zip");
    },
  };
}

/** The address of a recording's picture, below the API's. */
export const picturePath = (id: string): string => `${one(id)}/audio/picture`;
