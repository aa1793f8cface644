import type { Operation } from "#server/http/operations.ts";

/** What programs ask of a recording's waveform. */
export const waveformOperations = {
  read: {
    id: "getPeaks",
    tag: "transcriptions",
    scope: "transcriptions:read",
    answer: { status: 200, type: "application/octet-stream" },
  },
} as const satisfies Record<string, Operation>;
