import * as v from "valibot";
import { Transcription } from "./contract/index.ts";
import { ApiError, createPlainSend, createSend, type TokenSource } from "./http.ts";
import { createXhrFetch, type OnSent } from "./xhr.ts";

const path = "/api/v1/audio-transcriptions/upload-and-transcribe";

/** A file and what is asked for with it. */
export interface Upload {
  /** A UUID: what comes again under the same one is stored once. */
  clientId: string;
  file: File;
  sourceLanguage: string;
  /** null: no translation. */
  targetLanguage: string | null;
}

/** The file can't be read: moved, changed or deleted since it was chosen, or a folder. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
  readonly code = "unreadable";
}

/** Looks whether the file can be read. @throws UnreadableError */
export async function lookAt(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new UnreadableError(`${file.name} can't be read.`, { cause });
  }
}

/**
 * Makes the call that sends a file whole.
 * @param base address of the API, without a slash at its end
 */
export function createUpload(base: string, tokens: TokenSource) {
  /** @throws UnreadableError, ApiError as `Send` does, and an abort's own reason */
  return async (upload: Upload, signal: AbortSignal, onSent: OnSent): Promise<Transcription> => {
    // A file that changed meanwhile fails like a lost connection, and would be tried for ever.
    await lookAt(upload.file);
    // Without a token it would be sent whole only to be refused.
    if ((await tokens.live(signal)) === undefined) throw new ApiError(401, "unauthorized");
    const send = createSend(createPlainSend(base, createXhrFetch(onSent)), tokens);
    const response = await send(path, { method: "POST", body: formOf(upload), signal });
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), Transcription), await response.text());
    if (!answer.success) throw new ApiError(response.status, "internal", "The answer to an upload is not as promised.");
    return answer.output;
  };
}

/** The file comes last: the server decides by the fields before it takes it. */
function formOf({ clientId, file, sourceLanguage, targetLanguage }: Upload): FormData {
  const form = new FormData();
  form.append("clientId", clientId);
  form.append("sourceLanguage", sourceLanguage);
  if (targetLanguage !== null) form.append("targetLanguage", targetLanguage);
  form.append("size", String(file.size));
  form.append("file", file, file.name);
  return form;
}
