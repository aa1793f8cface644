import type { Operation } from "#server/http/operations.ts";

/** What programs ask of a recording's waveform. */
export const waveformOperations = {
  read: {
    id: "getPeaks",
    tag: "Transcriptions",
    scope: "transcriptions:read",
    summary: "The loudness of the audio, to draw it",
    description:
      "Bytes 0–3 are `PEAK`, byte 4 is 1 (the version), bytes 6–7 the milliseconds of a pair (uint16, little-endian), bytes 8–15 the " +
      "size of the audio (float64, little-endian). From byte 16 there are pairs of int8, the lowest and the highest level of each " +
      "stretch; a level l is the amplitude (l / 127)² with the sign of l. Without a pair: nothing of the audio can be decoded. " +
      "While they are being made the answer is 202 with `Retry-After`.",
    answer: { status: 200, type: "application/octet-stream" },
  },
} as const satisfies Record<string, Operation>;
