import type { HttpRequest, HttpResponse, HttpStack } from "tus-js-client";
import { ApiError, createPlainSend, createSend, type TokenSource } from "./http.ts";
import { createXhrFetch } from "./xhr.ts";

/**
 * The HTTP stack for tus-js-client. Like every call, it uses the session's token, with one refresh and one retry after
 * a
 * 401. A refusal or a missing sign-in is an ApiError.
 * @param signal aborts everything
 */
export function createTusStack(tokens: TokenSource, signal: AbortSignal): HttpStack {
  return { createRequest: (method, url) => request(tokens, signal, method, url), getName: () => "parlance" };
}

function request(tokens: TokenSource, signal: AbortSignal, method: string, url: string): HttpRequest {
  const headers = new Headers();
  const stop = new AbortController();
  let onSent = (_bytes: number) => {};
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => headers.set(name, value),
    getHeader: (name) => headers.get(name) ?? undefined,
    setProgressHandler: (handler) => {
      onSent = handler;
    },
    send: async (body: unknown) => {
      const send = createSend(
        createPlainSend(
          "",
          createXhrFetch((bytes) => onSent(bytes)),
        ),
        tokens,
      );
      const part = body instanceof Blob ? body : null;
      // Without a token, the part would be sent only to be refused.
      if ((await tokens.live(signal)) === undefined) throw new ApiError(401, "unauthorized");
      const answer = await send(url, { method, headers, body: part, signal: AbortSignal.any([signal, stop.signal]) });
      return response(answer, await answer.text());
    },
    abort: async () => stop.abort(),
    getUnderlyingObject: () => null,
  };
}

function response(answer: Response, body: string): HttpResponse {
  return {
    getStatus: () => answer.status,
    getHeader: (name) => answer.headers.get(name) ?? undefined,
    getBody: () => body,
    getUnderlyingObject: () => answer,
  };
}
