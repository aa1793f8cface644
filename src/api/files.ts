import type { Send } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

/** The file in an answer, with the name from the server (RFC 6266, encoded form). */
export async function fileIn(answer: Response, fallback: string): Promise<{ file: Blob; name: string }> {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  return { file: await answer.blob(), name: encoded === undefined ? fallback : decodeURIComponent(encoded) };
}

/**
 * Gives this browser temporary access to a transcript's file.
 * @returns the path from which the browser downloads it
 * @throws ApiError `notFound` when the file does not exist any more
 */
export async function allowFile(send: Send, id: string, path: string, signal: AbortSignal | undefined): Promise<string> {
  // Requests one byte, so that a failure has its code. Only the browser reads the whole file.
  await send(path, { headers: { Range: "bytes=0-0" }, signal });
  await send(`${transcriptionPath(id)}/audio-access`, { method: "POST", credentials: "include", signal });
  return path;
}
