import * as v from "valibot";
import { ErrorCode } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { HeardBy, Segment } from "./transcription.ts";

/**
 * WS /api/v1/audio-transcriptions/realtime
 *
 * The first message is `start`, for a new recording or to resume one after a lost connection. The server answers
 * `ready` with `ack`, the next expected sequence number, and the existing finals. Then binary messages follow: four
 * bytes of sequence number (unsigned, little-endian, from 0), then PCM, signed 16-bit little-endian, mono, 16,000 Hz. A
 * frame is confirmed (`ack` > its number) once it is on disk; until then the page keeps it. A repeated number is
 * ignored. A gap is answered with `ready`, so that the page resends from there. `end` has the total number of frames;
 * `done` follows when every word is final.
 *
 * `limit` means that the month's free minutes are used up (SPEC.md section 9): recording must stop, and `end` is
 * expected. Frames in flight are accepted for at most two seconds; then `limit` comes with `frames`, the number of
 * accepted frames. With `silence`, not the minutes are used up, but the silence allowed in one recording of a limited
 * user; silence itself costs no minutes.
 *
 * With `heardBy` the page transcribes by itself, with the browser's own recognizer (`browser`) or with Parlance's model
 * on the device (`device`). Then no engine of the server does. The page sends each of its finals as `heard`, numbered
 * from 0, after its frames and before `end`. The server answers `final`, as for its own. A repeated index is ignored,
 * and a gap is answered with `ready`. If the page can't continue, it starts the same recording without `heardBy`, and
 * an engine transcribes all of it.
 */
export const sampleRate = 16_000;
/** 80 ms of samples: each additional millisecond delays the final words by one. */
export const frameSamples = 1_280;
/**
 * WS /api/v1/try-out: the same without an account, for `tryOutSeconds`. The token of `start` is ignored. No frame is
 * confirmed, because the server stores nothing; the page keeps them. A new connection starts anew. `limit` comes with
 * the number of accepted frames. With `targetLanguage`, each `final` is sent again once it is translated; later finals
 * may have come before.
 */
export const tryOutPath = "/api/v1/try-out";
export const tryOutSeconds = 30;
/** Largest binary message, in bytes: 4 + 2 s of PCM. */
export const maxFrameBytes = 4 + 2 * 2 * sampleRate;

export const ClientMessage = v.variant("type", [
  v.object({
    type: v.literal("start"),
    token: v.pipe(v.string(), v.maxLength(4096)),
    recordingId: v.pipe(v.string(), v.uuid()),
    sourceLanguage: SpeechLanguage,
    targetLanguage: v.optional(TextLanguage),
    heardBy: v.optional(HeardBy),
  }),
  v.object({ type: v.literal("heard"), index: v.pipe(v.number(), v.integer(), v.minValue(0)), segment: Segment }),
  v.object({ type: v.literal("end"), frames: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
]);
export type ClientMessage = v.InferOutput<typeof ClientMessage>;

export const ServerMessage = v.variant("type", [
  v.object({ type: v.literal("ready"), ack: v.number(), segments: v.array(Segment) }),
  v.object({ type: v.literal("ack"), ack: v.number() }),
  v.object({
    type: v.literal("partial"),
    text: v.string(),
    /** How many characters at the beginning are stable; absent: unknown. */
    stable: v.optional(v.number()),
    start: v.number(),
  }),
  v.object({ type: v.literal("final"), index: v.number(), segment: Segment }),
  v.object({ type: v.literal("done"), segments: v.array(Segment), durationSeconds: v.number() }),
  v.object({ type: v.literal("limit"), frames: v.nullable(v.number()), silence: v.optional(v.boolean()) }),
  v.object({ type: v.literal("error"), code: ErrorCode, message: v.string() }),
]);
export type ServerMessage = v.InferOutput<typeof ServerMessage>;

/**
 * Close codes: 4400 bad message, 4401 token refused, 4408 nothing received for five minutes (stored frames are kept),
 * 4409 the same recording is open elsewhere, 4429 many tiny frames, or too many dictations of one user.
 */
export const closeCodes = { badMessage: 4400, unauthorized: 4401, idle: 4408, elsewhere: 4409, tooFast: 4429 } as const;
