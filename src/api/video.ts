import { undefined as nothing } from "valibot";
import { type CaptionedVideo, type ExportContent, VideoAnswer, type VideoPicture } from "#contract/index.ts";
import { fileNameOf } from "./file-name.ts";
import type { Call, Send } from "./http.ts";

/** The calls about recordings that are videos. Each throws ApiError. */
export function createVideoApi(call: Call, send: Send) {
  const one = (id: string) => `/api/v1/audio-transcriptions/transcription/${encodeURIComponent(id)}`;
  const look = (id: string, signal?: AbortSignal) => call(`${one(id)}/video`, { schema: VideoAnswer, signal });
  return {
    picture: async (id: string, signal?: AbortSignal): Promise<VideoPicture> => (await look(id, signal)).picture,
    captioned: async (id: string, signal?: AbortSignal): Promise<CaptionedVideo | null> => (await look(id, signal)).captioned,
    /** Begins to make one, in place of the one that there is. @param lng of labels such as "Speaker 1", an interface language */
    caption: async (id: string, content: ExportContent, lng: string, signal?: AbortSignal): Promise<CaptionedVideo | null> =>
      (await call(`${one(id)}/captioned`, { method: "POST", json: { content, lng }, schema: VideoAnswer, signal })).captioned,
    uncaption: (id: string, signal?: AbortSignal): Promise<void> =>
      call(`${one(id)}/captioned`, { method: "DELETE", schema: nothing(), signal }),
    /** Where the browser downloads it from: it has access for a while. @throws ApiError `notFound` when it is gone */
    allowDownload: async (id: string, name?: string, signal?: AbortSignal): Promise<string> => {
      const query = name === undefined ? "" : `?${new URLSearchParams({ name })}`;
      const path = `${one(id)}/audio/captioned${query}`;
      // One byte: a failure has its code, and the whole is read by the browser alone.
      await send(path, { headers: { Range: "bytes=0-0" }, signal });
      await send(`${one(id)}/audio-access`, { method: "POST", credentials: "include", signal });
      return path;
    },
    /** Both languages' subtitles in a ZIP file. */
    subtitles: async (
      id: string,
      { lng, name }: { lng: string; name: string | undefined },
      signal?: AbortSignal,
    ): Promise<{ file: Blob; name: string }> => {
      const query = new URLSearchParams({ lng, ...(name !== undefined && { name }) });
      const answer = await send(`${one(id)}/subtitles?${query}`, { signal });
      return { file: await answer.blob(), name: fileNameOf(answer.headers.get("Content-Disposition"), "subtitles.zip") };
    },
  };
}

/** The address of a recording's picture, below the API's. */
export const picturePath = (id: string): string =>
  `/api/v1/audio-transcriptions/transcription/${encodeURIComponent(id)}/audio/picture`;
