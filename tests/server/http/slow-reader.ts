import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request; `unfinished`: a form of which only the beginning is sent. */
export interface Sent {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  unfinished?: FormData;
}

/** A request whose body or answer the client stops sending or reading. */
export interface Begun {
  /** The server's response object. */
  outgoing: ServerResponse;
  /** Resolves when the server has closed the response. */
  closed: Promise<unknown>;
  /**
   * Reads the rest.
   * @returns whether the answer is complete, and the text that arrived
   */
  rest(): Promise<{ isWhole: boolean; text: string }>;
}

let count = 0;

/** Begins a request and reads only the head of its answer. */
export async function begin(apiUrl: string, { method = "GET", path, headers, body, unfinished }: Sent): Promise<Begun> {
  count += 1;
  const mark = String(count);
  const server = Promise.withResolvers<ServerResponse>();
  const take = (message: unknown) => {
    const { request: incoming, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (incoming.headers["x-mark"] === mark) server.resolve(response);
  };
  diagnostics.subscribe("http.server.request.start", take);
  const form = unfinished === undefined ? undefined : new Response(unfinished);
  const bytes = form === undefined ? undefined : new Uint8Array(await form.arrayBuffer());
  const outgoing = request(`${apiUrl}${path}`, {
    method,
    agent: false,
    headers: {
      ...headers,
      "X-Mark": mark,
      ...(form && { "Content-Type": form.headers.get("content-type") ?? "", "Content-Length": bytes?.length }),
    },
  });
  onTestFinished(() => void outgoing.destroy());
  const failed = new Promise<undefined>((resolve) => outgoing.once("error", () => resolve(undefined)));
  const answered = once(outgoing, "response").then(([answer]: IncomingMessage[]) => answer?.pause());
  answered.catch(() => {});
  if (bytes === undefined) outgoing.end(body);
  else outgoing.write(bytes.subarray(0, bytes.length / 2));
  const response = await server.promise;
  diagnostics.unsubscribe("http.server.request.start", take);
  if (bytes === undefined) await answered;
  return {
    outgoing: response,
    closed: response.closed ? Promise.resolve() : once(response, "close"),
    rest: async () => {
      const answer = await Promise.race([answered.catch(() => undefined), failed]);
      if (answer === undefined) return { isWhole: false, text: "" };
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      const end = new Promise((resolve) => answer.once("error", resolve).once("close", resolve));
      answer.resume();
      await end;
      return { isWhole: answer.complete, text: Buffer.concat(parts).toString("utf8") };
    },
  };
}
