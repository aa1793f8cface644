import { type GenericSchema, is } from "valibot";
import { ErrorCode } from "#contract/index.ts";
import { parsed } from "#src/browser/stored.ts";
import { readEventStream } from "./event-stream.ts";
import { ApiError, jsonBody, type Send } from "./http.ts";

/** Requests work from the server. @returns the answer, for `readWorkStream` */
export const requestWork = (send: Send, path: string, json: unknown, signal: AbortSignal): Promise<Response> => {
  const request = jsonBody(json);
  const headers = { ...request.headers, Accept: "text/event-stream, application/json" };
  return send(path, { ...request, headers, signal, cache: "no-store" });
};

/** The error code of failed work; `internal` for a code that this page does not know. */
export const failureCode = (code: string): ErrorCode => (is(ErrorCode, code) ? code : "internal");

/**
 * Reads the events of the work that the server does for this call (server/http/work-stream.ts), up to the last one.
 * @param onEvent receives all events in order; returns whether the event was the last one. Later events are ignored
 * @throws ApiError `network` when the answer is cut off
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
