import * as v from "valibot";
import { CaptionedRequest, VideoAnswer } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";
import { FileTitle } from "#server/transcription/file-title.ts";

const about = { tag: "transcriptions" } as const;
const reads = { ...about, scope: "transcriptions:read" } as const;
const writes = { ...about, scope: "transcriptions:write" } as const;

/** The name of a downloaded file. */
export const VideoQuery = v.object({ name: FileTitle });

/** `lng`: the language of labels such as "Speaker 1". */
export const SubtitlesQuery = v.object({ name: FileTitle, lng: v.optional(v.string(), "en") });

/** Operations of programs on a recording that is a video. */
export const videoOperations = {
  read: { ...reads, id: "getVideo", json: VideoAnswer },
  picture: { ...reads, id: "getPicture", type: "*/*" },
  subtitles: { ...reads, id: "getSubtitlePair", query: SubtitlesQuery, type: "application/zip" },
  caption: { ...writes, id: "captionVideo", body: CaptionedRequest, status: 202, json: VideoAnswer },
  uncaption: { ...writes, id: "deleteCaptionedVideo" },
  captioned: { ...reads, id: "getCaptionedVideo", query: VideoQuery, type: "video/mp4" },
} as const satisfies Record<string, Operation>;
