import { FetchInterceptor } from "@mswjs/interceptors/fetch";
import { WebSocketInterceptor } from "@mswjs/interceptors/WebSocket";
import { XMLHttpRequestInterceptor } from "@mswjs/interceptors/XMLHttpRequest";
import { type AnyHandler, type HttpHandler, HttpResponse, http, type JsonBodyType } from "msw";
import { defineNetwork, InterceptorSource } from "msw/experimental";
import { apiBase } from "#src/api/http.ts";

// The API behind the page: each test says what it answers. A call that no test has answered fails that test.

/** Calls that nobody has answered, as "GET /users/me". */
const unanswered: string[] = [];

const notAnswered = http.all(`${apiBase}/*`, ({ request }) => {
  unanswered.push(`${request.method} ${request.url.slice(apiBase.length)}`);
  return HttpResponse.error();
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

function handlersFor(answers: Answers): HttpHandler[] {
  return Object.entries(answers).map(([name, answer]) => {
    const [method = "", path = ""] = name.split(" ");
    return methodOf(method)(api(path), async ({ request, params }) => {
      const value = typeof answer === "function" ? await answer({ request, params }) : answer;
      // Each call has an answer of its own; a stream has one reader only.
      return value instanceof Response ? (isStream(value) ? value : value.clone()) : HttpResponse.json(value);
    });
  });
}

const isStream = (response: Response) => response.headers.get("Content-Type") === "text/event-stream";

function methodOf(method: string) {
  switch (method) {
    case "GET":
      return http.get;
    case "POST":
      return http.post;
    case "PUT":
      return http.put;
    case "PATCH":
      return http.patch;
    case "DELETE":
      return http.delete;
    case "HEAD":
      return http.head;
    default:
      throw new Error(`"${method}" is no method of the API.`);
  }
}

/** What the running test answers, the newest first. */
let given: AnyHandler[] = [];

/** From now on until the test ends, the API answers these calls like this. The newest answer to a call wins. */
export function answer(answers: Answers): void {
  const handlers = handlersFor(answers);
  given = [...handlers, ...given];
  network.use(...handlers);
}

/** From now on until the test ends, these take what the page connects to. */
export function connect(...handlers: readonly AnyHandler[]): void {
  given = [...handlers, ...given];
  network.use(...handlers);
}

/** Answers every call that the test itself has not answered. */
export function answerOtherwise(answers: Answers): void {
  network.resetHandlers(...handlersFor(answers), notAnswered);
  network.use(...given);
}

/** The test has ended. What its page still asks for is answered as by default. */
export function forgetAnswers(): void {
  given = [];
  network.resetHandlers();
}

/** A refusal with one of the contract's codes. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  HttpResponse.json({ message: code, code }, { status, headers });

/** No answer: the connection is lost. */
export const lost = (): Response => HttpResponse.error();

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
