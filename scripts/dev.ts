import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createServer, type Plugin } from "vite";
import { readConfig } from "#server/config/config.ts";
import { withAnalytics } from "#server/page/analytics.ts";
import { root } from "./tools.mjs";

// `npm run dev`: the page by Vite with hot reload on WEB_PORT, the server started again when one of its files changes. Ctrl-C ends both.

const config = readConfig(process.env);
const publicUrl = config.publicUrl ?? `http://localhost:${config.webPort}`;

/** In production the server writes the API's address into index.html (server/page/site.ts). */
const apiAddress: Plugin = {
  name: "parlance-api-address",
  transformIndexHtml: (html) => {
    const api = config.apiUrl ?? `http://localhost:${config.port}`;
    return withAnalytics(html.replace(/(<meta name="parlance-api" content=")"/, `$1${api}"`), config.analytics);
  },
};

const page = await createServer({ root, plugins: [apiAddress], clearScreen: false });
await page.listen();

// The server serves the built page as well: here on any free port, where nobody looks.
const flags = ["--watch", "--watch-preserve-output", "--disable-warning=ExperimentalWarning"];
const server = spawn(process.execPath, [...flags, join(root, "server", "main.ts"), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, WEB_PORT: "0", PUBLIC_URL: publicUrl },
  stdio: ["ignore", "inherit", "inherit"],
});
const serverEnded = once(server, "exit");

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // A Ctrl-C in the terminal reaches the server too; a second signal does it no harm.
  process.on(signal, () => server.kill(signal));
}
await serverEnded;
await page.close();
process.exit(0);
