import * as v from "valibot";
import { UploadFields } from "./transcription.ts";

const { clientId, sourceLanguage, targetLanguage, title, vocabulary, speakers, speakerCount, track } = UploadFields.entries;

/**
 * POST /api/v1/audio-transcriptions/transcribe-url: the server fetches a recording, or a podcast feed's newest episode.
 */
export const UrlTranscription = v.object({
  clientId,
  sourceLanguage,
  targetLanguage,
  title,
  vocabulary,
  speakers,
  speakerCount,
  track,
  /** http or https, on the public network. */
  url: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(4096)),
});
export type UrlTranscription = v.InferOutput<typeof UrlTranscription>;
