import type { Send } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

/** A file that an answer is, with the name that the server has given it (RFC 6266: the encoded form). */
export async function fileIn(answer: Response, fallback: string): Promise<{ file: Blob; name: string }> {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  return { file: await answer.blob(), name: encoded === undefined ? fallback : decodeURIComponent(encoded) };
}

/**
 * Gives this browser access to a file of a transcript for a while.
 * @returns the path from which the browser downloads it
 * @throws ApiError `notFound` when it is gone
 */
export async function allowFile(send: Send, id: string, path: string, signal: AbortSignal | undefined): Promise<string> {
  // One byte: a failure has its code, and the whole is read by the browser alone.
  await send(path, { headers: { Range: "bytes=0-0" }, signal });
  await send(`${transcriptionPath(id)}/audio-access`, { method: "POST", credentials: "include", signal });
  return path;
}
