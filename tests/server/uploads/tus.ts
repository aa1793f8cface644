import type { Running } from "#server/start.ts";
import type { Person } from "#tests/server/harness.ts";

/** A minimal client of the tus protocol that returns the raw answers for the test to check. */
export const uploads = "/api/v1/uploads";
const tus = { "Tus-Resumable": "1.0.0" };

function metadata(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");
}

export const newFields = () => ({ clientId: crypto.randomUUID(), sourceLanguage: "en", filename: "speech.wav" });

interface Creation {
  size: number | string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

export function create(person: Person, { size, fields = newFields(), headers = {} }: Creation): Promise<Response> {
  return person.call("POST", uploads, undefined, {
    ...tus,
    "Upload-Length": String(size),
    "Upload-Metadata": metadata(fields),
    ...headers,
  });
}

/** Creates an upload and sends its first bytes in one request. @param signal cuts the connection when it is aborted */
export function createWith(
  server: Pick<Running, "apiUrl">,
  person: Person,
  { size, fields = newFields(), body, signal }: Creation & { body: BodyInit; signal?: AbortSignal },
): Promise<Response> {
  const init = {
    method: "POST",
    headers: {
      ...tus,
      Authorization: `Bearer ${person.token}`,
      "Upload-Length": String(size),
      "Upload-Metadata": metadata(fields),
      "Content-Type": "application/offset+octet-stream",
    },
    body,
    signal: signal ?? null,
    duplex: "half",
  };
  return fetch(`${server.apiUrl}${uploads}`, init);
}

/** Creates an upload. @returns its path */
export async function begin(person: Person, creation: Creation): Promise<string> {
  const answer = await create(person, creation);
  if (answer.status !== 201) throw new Error(`not taken: ${answer.status} ${await answer.text()}`);
  return answer.headers.get("Location") ?? "";
}

/** Bytes that the server has received. */
export async function offsetOf(person: Person, path: string): Promise<number> {
  const answer = await ask(person, path);
  if (answer.status !== 200) throw new Error(`not there: ${answer.status}`);
  return Number(answer.headers.get("Upload-Offset"));
}

export const ask = (person: Person, path: string) => person.call("HEAD", path, undefined, tus);
export const terminate = (person: Person, path: string) => person.call("DELETE", path, undefined, tus);

/** @param signal cuts the connection when it is aborted */
export function append(
  server: Pick<Running, "apiUrl">,
  person: Person,
  path: string,
  { offset, body, signal }: { offset: number; body: BodyInit; signal?: AbortSignal },
): Promise<Response> {
  const init = {
    method: "PATCH",
    headers: {
      ...tus,
      Authorization: `Bearer ${person.token}`,
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
    },
    body,
    signal: signal ?? null,
    // Needed for a stream as a body; the DOM's types don't know the field.
    duplex: "half",
  };
  return fetch(`${server.apiUrl}${path}`, init);
}

export const idOf = (path: string) => path.split("/").at(-1) ?? "";

/** Sends the bytes and never ends by itself: the connection must be cut. */
export function endless(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: () => new Promise(() => {}),
  });
}
