import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createServer, type Plugin } from "vite";
import { readConfig } from "#server/config/config.ts";
import { withAnalytics } from "#server/page/analytics.ts";
import { root } from "./tools.mjs";

// `npm run dev`: serves the page with Vite and hot reload on WEB_PORT, and restarts the server when one of its files
// changes. Ctrl-C ends both.

const config = readConfig(process.env);
const publicUrl = config.publicUrl ?? `http://localhost:${config.webPort}`;

/** In production, the server writes the API's address into index.html (server/page/site.ts). */
const apiAddress: Plugin = {
  name: "parlance-api-address",
  transformIndexHtml: (html) => {
    const api = config.apiUrl ?? `http://localhost:${config.port}`;
    return withAnalytics(html.replace(/(<meta name="parlance-api" content=")"/, `$1${api}"`), config.analytics);
  },
};

const page = await createServer({ root, plugins: [apiAddress], clearScreen: false });
await page.listen();

// The server also serves the built page; here it gets any free port, and nobody uses it.
const flags = ["--watch", "--watch-preserve-output", "--disable-warning=ExperimentalWarning"];
const server = spawn(process.execPath, [...flags, join(root, "server", "main.ts"), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, WEB_PORT: "0", PUBLIC_URL: publicUrl },
  stdio: ["ignore", "inherit", "inherit"],
});
const serverEnded = once(server, "exit");

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Ctrl-C in a terminal also reaches the server; a second signal does no harm.
  process.on(signal, () => server.kill(signal));
}
await serverEnded;
await page.close();
process.exit(0);
