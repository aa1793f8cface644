import type { ExportContent, Note, Transcription } from "#contract/index.ts";
import { transferring } from "#server/threads/serve.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import type { SegmentsJson } from "#server/transcription/thread-tasks.ts";
import { asAss } from "./ass.ts";
import { type ExportOptions, exportTranscription } from "./export.ts";
import { labelsFor } from "./labels.ts";

/** Creates files of a transcription's segments. The longest ones take seconds, so this runs in a thread. */
export const exportTasks = {
  /** Subtitles to be drawn into a picture. `aspect`: its width divided by its height. */
  captions: (input: {
    transcription: Omit<Transcription, "segments">;
    segments: SegmentsJson;
    content: ExportContent;
    language: string;
    aspect: number;
  }): string => {
    const { content, aspect } = input;
    const labels = labelsFor(input.language);
    return asAss({ ...input.transcription, segments: parseSegments(input.segments) }, { labels, content, aspect });
  },

  exported: async (input: {
    transcription: Omit<Transcription, "segments">;
    segments: SegmentsJson;
    options: ExportOptions;
    notes?: readonly Note[];
  }) => {
    const transcription = { ...input.transcription, segments: parseSegments(input.segments) };
    const { body, type } = await exportTranscription(transcription, input.options, input.notes);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return transferring({ bytes, type }, bytes.buffer);
  },
};
