import * as v from "valibot";
import { CaptionedRequest, VideoAnswer } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";
import { FileTitle } from "#server/transcription/export.ts";

const about = { tag: "Transcriptions" } as const;
const reads = { ...about, scope: "transcriptions:read" } as const;
const writes = { ...about, scope: "transcriptions:write" } as const;

/** What a file that is downloaded is called. */
export const VideoQuery = v.object({ name: FileTitle });

/** `lng`: of labels such as "Speaker 1". */
export const SubtitlesQuery = v.object({ name: FileTitle, lng: v.optional(v.string(), "en") });

/** What programs do with a recording that is a video. */
export const videoOperations = {
  read: {
    ...reads,
    id: "getVideo",
    summary: "What there is of a video",
    description:
      "`picture.state` is `original` where browsers play the file as it came, `none` where it has no picture; otherwise a copy that they can play is made. " +
      "`captioned` is the video with captions in its picture that was asked for last.",
    answer: { status: 200, json: VideoAnswer },
  },
  picture: {
    ...reads,
    id: "getPicture",
    summary: "The video as browsers play it",
    description: "The file as it came, or the copy that was made of it. Takes `Range`.",
    answer: { status: 200, type: "*/*" },
  },
  subtitles: {
    ...reads,
    id: "getSubtitlePair",
    summary: "Subtitles in both languages as files",
    description:
      "A ZIP file with a WebVTT file of what was said and, where it is translated, one of the translation; each is named for its language.",
    query: SubtitlesQuery,
    answer: { status: 200, type: "application/zip" },
  },
  caption: {
    ...writes,
    id: "captionVideo",
    summary: "Put captions into the picture of a video",
    description: "One at a time: 409 while another of your videos is made. It is kept for a day, or until you ask for another.",
    body: CaptionedRequest,
    answer: { status: 202, json: VideoAnswer },
  },
  uncaption: {
    ...writes,
    id: "deleteCaptionedVideo",
    summary: "Delete the video with captions, or stop making it",
    answer: { status: 204 },
  },
  captioned: {
    ...reads,
    id: "getCaptionedVideo",
    summary: "The video with captions in its picture",
    description: "An MP4 file. Takes `Range`.",
    query: VideoQuery,
    answer: { status: 200, type: "video/mp4" },
  },
} as const satisfies Record<string, Operation>;
