import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, preview } from "vite";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

/** A page of the same libraries that does nothing else, built as the product is. */
export interface BarePage extends AsyncDisposable {
  /** "http://localhost:49152" */
  readonly url: string;
}

const root = fileURLToPath(new URL("./bare", import.meta.url));

export async function serveBarePage(): Promise<BarePage> {
  const outDir = await makeTemporaryFolder();
  await build({
    configFile: false,
    root,
    mode: "production",
    logLevel: "warn",
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: "es2022" },
  });
  const server = await preview({
    configFile: false,
    root,
    logLevel: "warn",
    build: { outDir },
    preview: { port: 0, host: "localhost" },
  });
  const [url] = server.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error("The bare page is served nowhere.");
  return {
    url: url.replace(/\/$/, ""),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
