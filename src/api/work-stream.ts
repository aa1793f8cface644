import { type GenericSchema, is } from "valibot";
import { ErrorCode } from "#contract/index.ts";
import { parsed } from "#src/browser/stored.ts";
import { readEventStream } from "./event-stream.ts";
import { ApiError, jsonBody, type Send } from "./http.ts";

/** Has the server do a piece of work. @returns its answer for `readWorkStream` */
export const requestWork = (send: Send, path: string, json: unknown, signal: AbortSignal): Promise<Response> => {
  const request = jsonBody(json);
  const headers = { ...request.headers, Accept: "text/event-stream, application/json" };
  return send(path, { ...request, headers, signal, cache: "no-store" });
};

/** Why a piece of work has failed; `internal` for a code that this page does not know. */
export const failureCode = (code: string): ErrorCode => (is(ErrorCode, code) ? code : "internal");

/**
 * Reads the events about a piece of work that the server does for this call (server/http/work-stream.ts), to the last one.
 * @param onEvent receives all events up to the last, in order; says whether it was the last. What comes after that is not told
 * @throws ApiError `network` when the answer breaks off
 */
export async function readWorkStream<Event>(
  { body }: Response,
  schema: GenericSchema<unknown, Event>,
  onEvent: (event: Event) => boolean,
): Promise<void> {
  const brokenOff = (cause?: unknown) => new ApiError(0, "network", "The answer broke off.", { cause });
  if (body === null) throw brokenOff();
  let isOver = false;
  try {
    await readEventStream(body, ({ data }) => {
      const event = parsed(schema, data);
      if (!isOver && event !== null) isOver = onEvent(event);
    });
  } catch (cause) {
    if (!isOver) throw brokenOff(cause);
  }
  if (!isOver) throw brokenOff();
}
