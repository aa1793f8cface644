import { Transcription, UploadFields, UrlTranscription } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const upload = { scope: "transcriptions:write", tag: "uploads" } as const;

/** The ways to hand over a recording. */
export const uploadOperations = {
  file: {
    ...upload,
    id: "uploadAndTranscribe",
    form: UploadFields,
    answer: { status: 202, json: Transcription },
  },
  url: {
    ...upload,
    id: "transcribeUrl",
    body: UrlTranscription,
    answer: { status: 202, json: Transcription },
  },
  begin: {
    ...upload,
    id: "beginUpload",
    headers: ["Tus-Resumable", "Upload-Length", "Upload-Metadata"],
    answer: { status: 201 },
  },
  append: {
    ...upload,
    id: "continueUpload",
    headers: ["Tus-Resumable", "Upload-Offset"],
    bytes: "application/offset+octet-stream",
    answer: { status: 204 },
  },
  abandon: {
    ...upload,
    id: "abandonUpload",
    headers: ["Tus-Resumable"],
    answer: { status: 204 },
  },
} as const satisfies Record<string, Operation>;
