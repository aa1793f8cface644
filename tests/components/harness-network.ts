import { FetchInterceptor } from "@mswjs/interceptors/fetch";
import { WebSocketInterceptor } from "@mswjs/interceptors/WebSocket";
import { XMLHttpRequestInterceptor } from "@mswjs/interceptors/XMLHttpRequest";
import { type AnyHandler, type HttpHandler, http, type JsonBodyType, matchRequestUrl } from "msw";
import { defineNetwork, InterceptorSource } from "msw/experimental";
import { apiBase } from "#src/api/http.ts";

// The API behind the page. Each test defines its answers; a call without an answer fails the test.

/** Calls without an answer, as "GET /users/me". */
const unanswered: string[] = [];

const notAnswered = http.all(`${apiBase}/*`, ({ request }) => {
  unanswered.push(`${request.method} ${request.url.slice(apiBase.length)}`);
  return Response.error();
});

export const network = defineNetwork({
  sources: [
    new InterceptorSource({
      interceptors: [new FetchInterceptor(), new XMLHttpRequestInterceptor(), new WebSocketInterceptor()],
    }),
  ],
  context: { quiet: true },
  handlers: [notAnswered],
  // Requests for the page's own modules, texts and pictures pass.
  onUnhandledFrame: "bypass",
});

/** Returns the running test's calls without an answer, and empties the list. */
export const takeUnanswered = (): string[] => unanswered.splice(0);

/** The URL of an API path for MSW's handlers: "/transcription/:id". */
export const api = (path: string): string => `${apiBase}${path}`;

/** A call that the page has made. */
export interface ReceivedCall {
  request: Request;
  params: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** JSON, a response, or a function that makes one of them from the call. */
type Answer = JsonBodyType | Response | ((call: ReceivedCall) => JsonBodyType | Response | Promise<JsonBodyType | Response>);

/** Answers by method and path: "GET /transcription/:id". */
export type Answers = Readonly<Record<string, Answer>>;

/** One handler for all answers: separate handlers would each read the request and its cookies. */
function handlerFor(answers: Answers): HttpHandler {
  const known = Object.entries(answers).map(([name, answer]) => ({
    method: name.split(" ")[0],
    path: api(name.split(" ")[1] ?? ""),
    answer,
  }));
  return http.all(api("/*"), async ({ request }) => {
    const url = new URL(request.url);
    for (const { method, path, answer } of known) {
      if (request.method !== method) continue;
      const { matches, params = {} } = matchRequestUrl(url, path);
      if (!matches) continue;
      const value = typeof answer === "function" ? await answer({ request, params }) : answer;
      if (!(value instanceof Response)) return Response.json(value);
      // Each call gets its own copy of the response; a stream can have only one reader.
      return isStream(value) ? value : value.clone();
    }
    return undefined;
  });
}

const isStream = (response: Response) => response.headers.get("Content-Type") === "text/event-stream";

/** The running test's handlers, the newest first. */
let given: AnyHandler[] = [];

/** Answers these calls until the test ends. The newest answer to a call wins. */
export function answer(answers: Answers): void {
  connect(handlerFor(answers));
}

/** Adds handlers for the page's connections until the test ends. */
export function connect(...handlers: readonly AnyHandler[]): void {
  given = [...handlers, ...given];
  network.use(...handlers);
}

/** Sets the answers for every call that the test itself does not answer. */
export function answerOtherwise(answers: Answers): void {
  network.resetHandlers(handlerFor(answers), notAnswered);
  network.use(...given);
}

/** Removes the test's answers at its end. Later calls of its page get the default answers. */
export function forgetAnswers(): void {
  given = [];
  network.resetHandlers();
}

/** An error response with one of the contract's codes. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ message: code, code }, { status, headers });

/** A lost connection instead of an answer. */
export const lost = (): Response => Response.error();

/** A stream of server-sent events that stays open until its reader closes it. */
export function openStream(): { response: Response; send(event: string, data: unknown): void } {
  let write: (text: string) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      write = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  return {
    response: new Response(body, { headers: { "Content-Type": "text/event-stream" } }),
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
  };
}
