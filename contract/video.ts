import * as v from "valibot";
import { ExportContent } from "./transcription.ts";

/**
 * Why a picture can't be shown, or captions can't be burnt in. `unreadable`: it can't be decoded. `tooLarge`: it has
 * more pixels, or the result more bytes, than this server accepts. `takesTooLong`: this server gave up. `unavailable`:
 * there is no ffmpeg that supports it.
 */
const videoProblems = ["unreadable", "tooLarge", "takesTooLong", "storageFull", "quotaReached", "unavailable"] as const;
export const VideoProblem = v.picklist(videoProblems);
export type VideoProblem = v.InferOutput<typeof VideoProblem>;

/** 0 to 1. */
const Fraction = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/**
 * The picture of a recording. `none`: it has none. `original`: browsers play the original. Otherwise a copy for
 * browsers is `waiting`, being made, `ready`, or has `failed`.
 */
export const VideoPicture = v.object({
  state: v.picklist(["none", "original", "waiting", "making", "ready", "failed"]),
  fraction: Fraction,
  problem: v.nullable(VideoProblem),
});
export type VideoPicture = v.InferOutput<typeof VideoPicture>;

/** A requested video with burnt-in captions. */
export const CaptionedVideo = v.object({
  state: v.picklist(["waiting", "making", "ready", "failed"]),
  content: ExportContent,
  fraction: Fraction,
  problem: v.nullable(VideoProblem),
  /** Number of different characters missing in the picture, because the server has no font for them. */
  undrawn: v.number(),
  /** When it is deleted (ISO 8601); null until it is ready. */
  expiresAt: v.nullable(v.string()),
});
export type CaptionedVideo = v.InferOutput<typeof CaptionedVideo>;

/** GET /api/v1/audio-transcriptions/transcription/{id}/video. */
export const VideoAnswer = v.object({ picture: VideoPicture, captioned: v.nullable(CaptionedVideo) });
export type VideoAnswer = v.InferOutput<typeof VideoAnswer>;

/**
 * POST /api/v1/audio-transcriptions/transcription/{id}/captioned → VideoAnswer (202). `lng`: the language of labels
 * such as "Speaker 1". It replaces an existing one.
 */
export const CaptionedRequest = v.object({
  content: ExportContent,
  lng: v.optional(v.pipe(v.string(), v.maxLength(20)), "en"),
});
export type CaptionedRequest = v.InferOutput<typeof CaptionedRequest>;

/** How long a video with captions is stored (milliseconds). */
export const captionedMs = 24 * 60 * 60 * 1000;
