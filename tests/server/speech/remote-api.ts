import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The fields of a form body. */
  form(): Promise<FormData>;
  json(): unknown;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Strings are sent as they are, everything else as JSON. */
  body: unknown;
}

export interface RemoteApi {
  /** "http://127.0.0.1:port" */
  url: string;
  asked: Asked[];
  close(): Promise<void>;
}

/** A fake remote server on its own port. A promise that never resolves stands for an answer that never comes. */
export async function remoteApi(answer: (asked: Asked, count: number) => Answer | Promise<Answer>): Promise<RemoteApi> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const own: Asked = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body,
      form: () =>
        new Response(Uint8Array.from(body), { headers: { "content-type": request.headers["content-type"] ?? "" } }).formData(),
      json: () => JSON.parse(body.toString()),
    };
    asked.push(own);
    const { status = 200, headers = {}, body: content } = await answer(own, asked.length);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : JSON.stringify(content));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An address where no server listens. */
export async function deadUrl(): Promise<string> {
  const server = await remoteApi(() => ({ body: {} }));
  await server.close();
  return server.url;
}
