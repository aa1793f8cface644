import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, preview } from "vite";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

/** The separate page of a bench, built like the product's. */
export interface BuiltPage extends AsyncDisposable {
  /** "http://localhost:49152" */
  readonly url: string;
  /** The folder of the built files. */
  readonly folder: string;
}

/** @param name the page's folder, beside this file */
export async function serveBuiltPage(name: string): Promise<BuiltPage> {
  const root = fileURLToPath(new URL(`./${name}`, import.meta.url));
  const folder = await makeTemporaryFolder();
  await build({
    configFile: false,
    root,
    mode: "production",
    logLevel: "warn",
    plugins: [react()],
    worker: { format: "es" },
    build: { outDir: folder, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 },
  });
  const server = await preview({
    configFile: false,
    root,
    logLevel: "warn",
    build: { outDir: folder },
    preview: { port: 0, host: "localhost" },
  });
  const [url] = server.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error("The page is served nowhere.");
  return {
    url: url.replace(/\/$/, ""),
    folder,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
