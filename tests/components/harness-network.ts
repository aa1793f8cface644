import { FetchInterceptor } from "@mswjs/interceptors/fetch";
import { WebSocketInterceptor } from "@mswjs/interceptors/WebSocket";
import { XMLHttpRequestInterceptor } from "@mswjs/interceptors/XMLHttpRequest";
import { type AnyHandler, type HttpHandler, http, type JsonBodyType, matchRequestUrl } from "msw";
import { defineNetwork, InterceptorSource } from "msw/experimental";
import { apiBase } from "#src/api/http.ts";

// The API behind the page: each test says what it answers. A call that no test has answered fails that test.

/** Calls that nobody has answered, as "GET /users/me". */
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
  // The page's own modules, texts and pictures.
  onUnhandledFrame: "bypass",
});

/** The calls of the running test that were not answered; empties the list. */
export const takeUnanswered = (): string[] => unanswered.splice(0);

/** The address of a path of the API, as MSW's handlers take it: "/transcription/:id". */
export const api = (path: string): string => `${apiBase}${path}`;

/** A call that has arrived. */
export interface ReceivedCall {
  request: Request;
  params: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** JSON; a response; or what makes one of them from the call. */
type Answer = JsonBodyType | Response | ((call: ReceivedCall) => JsonBodyType | Response | Promise<JsonBodyType | Response>);

/** By method and path: "GET /transcription/:id". */
export type Answers = Readonly<Record<string, Answer>>;

/** One for all of them: a handler of its own for each would read the request, and its cookies, once for each. */
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
      // Each call has an answer of its own; a stream has one reader only.
      return isStream(value) ? value : value.clone();
    }
    return undefined;
  });
}

const isStream = (response: Response) => response.headers.get("Content-Type") === "text/event-stream";

/** What the running test answers, the newest first. */
let given: AnyHandler[] = [];

/** From now on until the test ends, the API answers these calls like this. The newest answer to a call wins. */
export function answer(answers: Answers): void {
  connect(handlerFor(answers));
}

/** From now on until the test ends, these take what the page connects to. */
export function connect(...handlers: readonly AnyHandler[]): void {
  given = [...handlers, ...given];
  network.use(...handlers);
}

/** Answers every call that the test itself has not answered. */
export function answerOtherwise(answers: Answers): void {
  network.resetHandlers(handlerFor(answers), notAnswered);
  network.use(...given);
}

/** The test has ended. What its page still asks for is answered as by default. */
export function forgetAnswers(): void {
  given = [];
  network.resetHandlers();
}

/** A refusal with one of the contract's codes. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ message: code, code }, { status, headers });

/** No answer: the connection is lost. */
export const lost = (): Response => Response.error();

/** A stream of server-sent events that stays open until its reader leaves. */
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
