import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

export interface StaticPage extends AsyncDisposable {
  /** "http://localhost:port" */
  url: string;
}

/**
 * Serves the build as any static host does: every other path is index.html.
 * @param api the API's address for the page
 */
export async function servePage(api: string): Promise<StaticPage> {
  const index = await readFile(join(dist, "index.html"), "utf8");
  const html = index
    .replace(/<meta name="parlance-api"[^>]*>/, "")
    .replace("<head>", `<head><meta name="parlance-api" content="${api}" />`);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const type = types[extname(pathname)];
    const file = type === undefined ? undefined : await readFile(join(dist, pathname)).catch(() => undefined);
    if (type !== undefined && file === undefined) return void response.writeHead(404).end();
    // The names contain a hash, so a browser never needs to request them again.
    const keeping = pathname.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, { "content-type": type ?? "text/html; charset=utf-8", "cache-control": keeping });
    response.end(file ?? html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The page has no port.");
  return {
    url: `http://localhost:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
