import type { Operation } from "#server/http/operations.ts";
import { ExportQuery } from "./export.ts";

/** A transcription as a file. */
export const exportOperation = {
  tag: "transcriptions",
  scope: "transcriptions:read",
  id: "exportTranscription",
  query: ExportQuery,
  answer: { status: 200, type: "*/*" },
} as const satisfies Operation;
