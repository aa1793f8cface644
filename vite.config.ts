import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { dictionary } from "@zxcvbn-ts/language-common";
import { defineConfig, type Plugin } from "vite";

/**
 * The number of common passwords that the page checks. The server's list is fifty times as long, which is too large for
 * a page.
 */
const knownPasswords = 8_000;

/** `virtual:common-passwords`: the first ones of zxcvbn's list. */
function commonPasswords(): Plugin {
  const name = "virtual:common-passwords";
  const id = `\0${name}`;
  const top = dictionary["passwords-common"].slice(0, knownPasswords);
  return {
    name: "common-passwords",
    resolveId: (source) => (source === name ? id : undefined),
    load: (loaded) => (loaded === id ? `export default ${JSON.stringify(top)};` : undefined),
  };
}

const bergamot = "node_modules/@browsermt/bergamot-translator/worker/bergamot-translator-worker";

/** The files of the recogniser's model that a browser can keep (src/features/device-models/), by what they are. */
const modelFiles = {
  encoder: "server/speech/assets/moonshine-tiny-en/encoder_model.ort",
  decoder: "server/speech/assets/moonshine-tiny-en/decoder_model_merged.ort",
  tokens: "server/speech/assets/moonshine-tiny-en/tokens.txt",
  silero: "server/speech/silero/silero_vad.onnx",
  wasm: "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm",
};

const hashOf = (bytes: Uint8Array, encoding: "hex" | "base64url") => createHash("sha256").update(bytes).digest(encoding);

/**
 * A model's file, gzipped, and its description for the page. It is gzipped only once, because this takes two seconds.
 * The page gunzips it. The name does not end in .gz: a host that sent a Content-Encoding could not send ranges.
 */
async function packModelFile(path: string) {
  const content = await readFile(join(import.meta.dirname, path));
  const sha256 = hashOf(content, "hex");
  const folder = join(import.meta.dirname, ".tmp", "device-models");
  const kept = join(folder, sha256);
  const packed = await readFile(kept).catch(async () => {
    const made = await promisify(gzip)(content);
    await mkdir(folder, { recursive: true });
    // Renamed when complete: an interrupted build must not leave a partial file for the next one.
    await writeFile(`${kept}.${process.pid}`, made);
    await rename(`${kept}.${process.pid}`, kept);
    return made;
  });
  const name = basename(path).replace(/\.\w+$/, "");
  const fileName = `assets/${name}-${hashOf(packed, "base64url").slice(0, 8)}.bin`;
  return { packed, fileName, about: { url: `/${fileName}`, bytes: packed.length, sha256, isGzipped: true } };
}

/** `virtual:device-models`: the paths, sizes and hashes of the files, including Bergamot's WebAssembly. */
function deviceModels(): Plugin {
  const name = "virtual:device-models";
  const id = `\0${name}`;
  const packAll = async () =>
    Promise.all(
      Object.entries({ ...modelFiles, bergamotWasm: `${bergamot}.wasm` }).map(async ([part, path]) => ({
        part,
        ...(await packModelFile(path)),
      })),
    );
  let packing: ReturnType<typeof packAll> | undefined;
  const pack = () => {
    packing ??= packAll();
    return packing;
  };
  return {
    name: "device-models",
    resolveId: (source) => (source === name ? id : undefined),
    load: {
      filter: { id: /virtual:device-models$/ },
      async handler() {
        const files = await pack();
        if (this.environment.mode === "build" && this.environment.config.consumer === "client") {
          for (const { fileName, packed } of files) this.emitFile({ type: "asset", fileName, source: packed });
        }
        const { bergamotWasm, ...english } = Object.fromEntries(files.map(({ part, about }) => [part, about]));
        return `export default ${JSON.stringify(english)};\nexport const bergamotWasm = ${JSON.stringify(bergamotWasm)};`;
      },
    },
    // `npm run dev` has no folder of built files.
    configureServer: ({ middlewares }) => {
      middlewares.use(async (request, response, next) => {
        if (request.url?.startsWith("/assets/") !== true) return next();
        const file = (await pack()).find(({ about }) => about.url === request.url);
        if (file === undefined) return next();
        response.setHeader("Content-Type", "application/octet-stream");
        response.end(file.packed);
      });
    },
  };
}

/**
 * `virtual:bergamot`: Bergamot's classic script as a function of its global variable `Module`. Its functions become
 * global variables, which are not on a module's `this`.
 */
function bergamotScript(): Plugin {
  const name = "virtual:bergamot";
  const id = `\0${name}`;
  return {
    name: "bergamot",
    resolveId: (source) => (source === name ? id : undefined),
    load: {
      filter: { id: /virtual:bergamot$/ },
      handler: async () => {
        const code = await readFile(join(import.meta.dirname, `${bergamot}.js`), "utf8");
        return `export default function (Module) {\n${code.replace("global_object = this;", "global_object = globalThis;")}\nreturn Module; }`;
      },
    },
  };
}

/**
 * The runtime's WebAssembly is one of the model's files. Without this plugin, Vite would add it to the build again,
 * with 14 MB.
 */
function withoutRuntime(): Plugin {
  return {
    name: "without-runtime",
    enforce: "pre",
    transform: {
      filter: { id: /onnxruntime-web.*\.mjs$/ },
      handler: (code) => code.replaceAll('new URL("ort-wasm-simd-threaded.wasm",import.meta.url)', "new URL(import.meta.url)"),
    },
  };
}

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
    }),
    react(),
    commonPasswords(),
    deviceModels(),
    bergamotScript(),
  ],
  worker: { plugins: () => [withoutRuntime(), bergamotScript()] },
  resolve: {
    alias: {
      // In browsers it parses "&copy;" as HTML, which the page's policy (trusted types) refuses: the post would fail.
      "decode-named-character-reference": `${import.meta.dirname}/node_modules/decode-named-character-reference/index.js`,
    },
  },
  // For `npm run dev`: Vite reloads the page when it finds a dependency while the page is open.
  optimizeDeps: { entries: ["index.html", "src/**/*.{ts,tsx}", "!src/rendering.tsx"] },
  server: { port: Number(process.env.WEB_PORT ?? 5173), strictPort: true },
  // The program that renders visitors' pages to HTML (src/rendering.tsx) is bundled with all dependencies.
  ssr: { noExternal: true },
  build: {
    // The floor is what the recorder needs anyway: AudioWorklet, modules in workers, Web Locks.
    target: isSsrBuild ? "node24" : "es2022",
    // The files of each route: for its HTML, and for the service worker (scripts/build.mjs).
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // The page's policy allows no fonts and workers in data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The code of every visit is in a few files, loaded in parallel: many small files compress badly and queue.
          groups: [
            {
              debugName: "libraries",
              name: (id) => (/\/node_modules\/react(-dom)?\//.test(id) ? "react" : "libraries"),
              tags: ["$initial"],
              test: /node_modules/,
              priority: 2,
            },
            { name: "page", tags: ["$initial"], priority: 1 },
            // The primitives themselves; those with folders of their own have heavy libraries.
            { name: "ui", test: /\/src\/ui\/[\w-]+\.(tsx?|module\.css)$/ },
          ],
        },
      },
    },
  },
}));
