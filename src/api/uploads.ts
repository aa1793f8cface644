import type { DetailedError, Upload as TusUpload } from "tus-js-client";
import { ApiError, createPlainSend, createSend, type TokenSource } from "./http.ts";
import { createTusStack } from "./tus.ts";

const path = "/api/v1/uploads";
/** The size of a chunk in bytes. Proxies may buffer a whole chunk, so that much is sent again after an interruption. */
export const partBytes = 8 * 1024 * 1024;

/** A file and its options. */
export interface Upload {
  /** A UUID that makes the upload idempotent. */
  clientId: string;
  file: File;
  /** The URL of the partial upload; null at first. */
  url: string | null;
  sourceLanguage: string;
  /** null: no translation. */
  targetLanguage: string | null;
  /** "": use the file's name. */
  title: string;
  /** "": none. */
  vocabulary: string;
  speakers: boolean;
  /** The number of speakers; absent: detected automatically. */
  speakerCount?: number | undefined;
  /** The number of the sound track, from 1; absent: the file's default. */
  track?: number | undefined;
}

/** The callbacks of an upload. */
export interface UploadCallbacks {
  /** @param bytes of the file sent so far, including those that the server already had */
  onSent(bytes: number): void;
  /** The URL from which to resume; null: the upload must start again. */
  onUrl(url: string | null): void;
}

/** The file can't be read: it was moved, changed or deleted since the user chose it, or it is a folder. */
class UnreadableError extends Error {
  override readonly name = "UnreadableError";
  readonly code = "unreadable";
}

/** A failed attempt, with the fields of an ApiError. */
class UploadError extends Error {
  override readonly name = "UploadError";
  readonly status: number;
  readonly code: string;
  /** Whether the server had more of the file at the start of this attempt than at the start of the previous one. */
  readonly progressed: boolean;

  constructor({ status, code, message }: ApiError, progressed: boolean, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.progressed = progressed;
  }
}

/** Checks whether the file can be read. @throws UnreadableError */
export async function checkFile(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new UnreadableError(`${file.name} can't be read.`, { cause });
  }
}

/**
 * Creates the call that sends the part of a file that the server lacks.
 * @param base the API's base URL, without a trailing slash
 * @returns the transcription's id
 */
export function createUpload(base: string, tokens: TokenSource) {
  /** The offsets in bytes at which previous attempts started, by client id. */
  const beginnings = new Map<string, number>();

  /** @throws UnreadableError, UploadError (401 when nobody is signed in), and an abort's own reason */
  return async (upload: Upload, signal: AbortSignal, callbacks: UploadCallbacks): Promise<string> => {
    // A file that has changed would fail like a lost connection, and be retried forever.
    await checkFile(upload.file);
    const { clientId } = upload;
    const before = beginnings.get(clientId) ?? 0;
    let beginning: number | undefined;
    const attempt = (url: string | null) =>
      exchange({ ...upload, url }, endpointOf(base), createTusStack(tokens, signal), signal, {
        onUrl: callbacks.onUrl,
        onSent: (bytes) => {
          beginning ??= bytes;
          callbacks.onSent(bytes);
        },
      });
    try {
      const id = await attemptWithUrl(upload.url, attempt, callbacks);
      beginnings.delete(clientId);
      return id;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      beginnings.set(clientId, beginning ?? before);
      throw new UploadError(error, (beginning ?? before) > before, { cause: error });
    }
  };
}

/** An upload unknown to the server starts again, and a wrong offset is corrected. Each happens once at most. */
async function attemptWithUrl(
  url: string | null,
  attempt: (url: string | null) => Promise<string>,
  { onUrl }: UploadCallbacks,
): Promise<string> {
  try {
    return await attempt(url);
  } catch (error) {
    if (error instanceof NeedsOffset) return attempt(error.url);
    if (url === null || !(error instanceof ApiError) || ![404, 410].includes(error.status)) throw error;
    onUrl(null);
    return attempt(null);
  }
}

/** The answer to the creation was lost, and the server already has a part of the file. */
class NeedsOffset extends Error {
  readonly url: string;
  constructor(url: string) {
    super("The upload goes on elsewhere.");
    this.url = url;
  }
}

async function exchange(
  upload: Upload,
  endpoint: string,
  httpStack: ReturnType<typeof createTusStack>,
  signal: AbortSignal,
  { onSent, onUrl }: UploadCallbacks,
): Promise<string> {
  const { Upload: Tus } = await import("tus-js-client");
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const tus = new Tus(upload.file, {
    endpoint,
    uploadUrl: upload.url,
    httpStack,
    chunkSize: partBytes,
    // The machine decides when to retry, and the page persists the resume data.
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata: metadataOf(upload),
    onProgress: onSent,
    onUploadUrlAvailable: () => onUrl(tus.url),
    onSuccess: ({ lastResponse }) => resolve(idOf(lastResponse.getHeader("Location") ?? tus.url ?? "")),
    onError: (error) => reject(reasonOf(error, upload, tus)),
  });
  const stop = () => {
    void tus.abort();
    reject(signal.reason);
  };
  signal.addEventListener("abort", stop, { once: true });
  tus.start();
  return promise.finally(() => signal.removeEventListener("abort", stop));
}

function reasonOf(error: Error | DetailedError, upload: Upload, tus: TusUpload): unknown {
  const cause = "causingError" in error ? error.causingError : null;
  if (!(cause instanceof ApiError)) return new ApiError(0, "network", error.message, { cause: error });
  return cause.status === 409 && upload.url === null && tus.url !== null ? new NeedsOffset(tus.url) : cause;
}

function metadataOf(upload: Upload) {
  const { clientId, file, sourceLanguage, targetLanguage, title, vocabulary, speakers, speakerCount, track } = upload;
  return {
    clientId,
    sourceLanguage,
    filename: file.name,
    filetype: file.type,
    ...(targetLanguage !== null && { targetLanguage }),
    ...(title !== "" && { title }),
    ...(vocabulary !== "" && { vocabulary }),
    ...(speakers && { speakers: "1" }),
    ...(speakers && speakerCount !== undefined && { speakerCount: String(speakerCount) }),
    ...(track !== undefined && { track: String(track) }),
  };
}

/** The id in a partial upload's URL, which is also the transcription's id. */
export const idOf = (url: string) => url.split("/").at(-1) ?? "";

/** tus-js-client needs an absolute URL. */
function endpointOf(base: string): string {
  return new URL(`${base}${path}`, globalThis.location?.href).href;
}

/** Creates the call that deletes the server's partial upload. */
export function createDiscard(tokens: TokenSource) {
  const send = createSend(
    createPlainSend("", (target, init) => fetch(target, init)),
    tokens,
  );
  /**
   * @param url as `onUrl` has reported it
   * @throws ApiError
   */
  return async (url: string, signal: AbortSignal): Promise<void> => {
    await send(url, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" }, signal });
  };
}
