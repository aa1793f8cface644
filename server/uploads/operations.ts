import { Transcription, UploadFields, UrlTranscription } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const upload = { scope: "transcriptions:write", tag: "uploads" } as const;

/** The operations that hand over a recording. */
export const uploadOperations = {
  file: { ...upload, id: "uploadAndTranscribe", form: UploadFields, status: 202, json: Transcription },
  url: { ...upload, id: "transcribeUrl", body: UrlTranscription, status: 202, json: Transcription },
  begin: { ...upload, id: "beginUpload", headers: ["Tus-Resumable", "Upload-Length", "Upload-Metadata"], status: 201 },
  ask: { ...upload, id: "askUpload", method: "head", headers: ["Tus-Resumable"], status: 200 },
  append: {
    ...upload,
    id: "continueUpload",
    headers: ["Tus-Resumable", "Upload-Offset"],
    bytes: "application/offset+octet-stream",
  },
  abandon: { ...upload, id: "abandonUpload", headers: ["Tus-Resumable"] },
} as const satisfies Record<string, Operation>;
