import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { dictionary } from "@zxcvbn-ts/language-common";
import { defineConfig, type Plugin } from "vite";

/** How many common passwords the page knows. The list of the server is fifty times as long: too heavy for a page. */
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
  ],
  resolve: {
    alias: {
      // For browsers it has HTML parse "&copy;", which the page's policy (trusted types) refuses: the post would fail.
      "decode-named-character-reference": `${import.meta.dirname}/node_modules/decode-named-character-reference/index.js`,
    },
  },
  // For `npm run dev`: found while a page is open, a dependency would load that page anew.
  optimizeDeps: { entries: ["index.html", "src/**/*.{ts,tsx}", "!src/rendering.tsx"] },
  server: { port: Number(process.env.WEB_PORT ?? 5173), strictPort: true },
  // What renders visitors' pages to HTML (src/rendering.tsx) is one program with all that it needs.
  ssr: { noExternal: true },
  build: {
    // The floor is what the recorder needs anyway: AudioWorklet, modules in workers, Web Locks.
    target: isSsrBuild ? "node24" : "es2022",
    // Which files belong to which route: for its HTML, and for the service worker (scripts/build.mjs).
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // The page's policy allows no fonts and workers in data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every visit needs comes in a few files side by side: many small ones zip badly and take turns.
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
