import { Transcription, UploadFields, UrlTranscription } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const upload = { scope: "transcriptions:write", tag: "Uploads" } as const;
const version = { "Tus-Resumable": "`1.0.0`" };

/** The ways to hand over a recording. */
export const uploadOperations = {
  file: {
    ...upload,
    id: "uploadAndTranscribe",
    summary: "Send a file in one request, and have it transcribed",
    description:
      "`clientId` is a UUID that your program makes: sent again with the same one after a lost answer, nothing is done twice. Then ask for the transcription until its `status` is not `processing`.",
    form: UploadFields,
    answer: { status: 202, json: Transcription },
  },
  url: {
    ...upload,
    id: "transcribeUrl",
    summary: "Have a recording fetched from an address, and transcribed",
    body: UrlTranscription,
    answer: { status: 202, json: Transcription },
  },
  begin: {
    ...upload,
    id: "beginUpload",
    summary: "Begin a resumable upload (tus 1.0)",
    description: "The metadata are the fields of uploadAndTranscribe, with `filename` and `filetype`. `Location` is the upload.",
    headers: {
      ...version,
      "Upload-Length": "The file's size in bytes.",
      "Upload-Metadata": "As tus has it: names and base64 values.",
    },
    answer: { status: 201 },
  },
  append: {
    ...upload,
    id: "continueUpload",
    summary: "Send a part of a resumable upload",
    headers: { ...version, "Upload-Offset": "How many bytes the server has." },
    bytes: "application/offset+octet-stream",
    answer: { status: 204 },
  },
  abandon: {
    ...upload,
    id: "abandonUpload",
    summary: "Give up a resumable upload",
    headers: version,
    answer: { status: 204 },
  },
} as const satisfies Record<string, Operation>;
