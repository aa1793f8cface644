import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { dictionary } from "@zxcvbn-ts/language-common";
import { type BuildEnvironmentOptions, defineConfig, type Plugin } from "vite";

/** How many common passwords the page's aid knows: the server's list is fifty times as long, and too heavy to be sent to anybody. */
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

/**
 * A feature's rule wins over one of `src/ui` that is as specific, whichever of their sheets was loaded first: that differs from route to route,
 * and from one build to the next. The order of the layers stands in `src/ui/tokens.css`.
 */
function layers(): Plugin {
  const layerOf = (path: string) => (path.endsWith("/base.css") ? "base" : "ui");
  return {
    name: "css-layers",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/ui\/([\w-]+\.module|base)\.css$/ },
      handler: (sheet, path) => ({ code: `@layer ${layerOf(path)} {\n${sheet}\n}`, map: null }),
    },
  };
}

/** Each `import()` of the built page goes through `src/browser/styled-import.ts`. */
function styledImports(): Plugin {
  return {
    name: "styled-imports",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { importStyled as __vitePreload } from "${import.meta.dirname}/src/browser/styled-import.ts";`,
    },
  };
}

/**
 * ELK looks for a `require` that no browser has, and finds none: asking for it at all would put a stand-in for `require` into what every first
 * visit loads.
 */
function noRequire(): Plugin {
  return {
    name: "no-require",
    transform: {
      filter: { id: /\/elkjs\/lib\/elk-api\.js$/ },
      handler: (code) => ({ code: code.replaceAll('"function"==typeof require&&require', "false"), map: null }),
    },
  };
}

/** What opens without a network: the dictation in full; of all other pages, what says that they need the server. */
const offlineModules =
  /\/src\/(main\.tsx|whole-page\.ts|composition\.ts|landing-routes\.ts|features\/(landing\/landing-text\.tsx|frame\/signed-in-sidebar\.tsx|session\/early-heard\.ts|shell\/toasts\.tsx|offline\/\w[\w-]*\.tsx?|engines\/actor\.ts|dictation\/(actor|browser-speech)\.ts|uploads\/add-handed-over\.ts)|routes\/_signedIn\/(route|_paid\/speech-to-text)\.tsx)/;
/** … and the files that they name. */
const offlineFiles = /\/(newsreader-latin-wght|icons|microphone\.worklet)[\w.-]*$/;

/** `.vite/offline.json`: the files that the service worker keeps (scripts/build.mjs). */
function offlineShell(): Plugin {
  return {
    name: "offline-shell",
    apply: "build",
    generateBundle(_options, bundle) {
      const wanted = new Set<string>();
      const add = (name: string) => {
        const part = bundle[name];
        if (part === undefined || wanted.has(name)) return;
        wanted.add(name);
        if (part.type !== "chunk") return;
        for (const sheet of part.viteMetadata?.importedCss ?? []) wanted.add(sheet);
        for (const other of part.imports) add(other);
      };
      for (const [name, part] of Object.entries(bundle)) {
        const isNeeded = part.type === "chunk" ? part.moduleIds.some((id) => offlineModules.test(id)) : offlineFiles.test(name);
        if (isNeeded) add(name);
      }
      const files = [...wanted].toSorted().map((name) => `/${name}`);
      this.emitFile({ type: "asset", fileName: ".vite/offline.json", source: JSON.stringify(files) });
    },
  };
}

/** Routes whose pages are rendered to HTML. */
const renderedRoutes =
  /\/src\/routes\/(__root|_public\/(route|index|about|terms|privacy|signin|signup|blog\.index|blog\.\$slug))\.tsx/;

/** The renderer has nothing of what all other routes load: two thirds of the page. */
function renderedRoutesAlone(): Plugin {
  const nothing = "\0not-rendered";
  return {
    name: "rendered-routes-alone",
    enforce: "pre",
    resolveId: (_source, importer = "", { kind }) => {
      const isLeftOut = kind === "dynamic-import" && importer.includes("/src/routes/") && !renderedRoutes.test(importer);
      return isLeftOut ? nothing : undefined;
    },
    load: (id) => (id === nothing ? "export {};" : undefined),
  };
}

/**
 * What several routes need together, each with all that it imports and that is not in an earlier one: a route asks for some twenty files
 * instead of eighty, and for fewer bytes, as small files zip badly. Each is as large as what its routes need anyway.
 */
const sharedParts: readonly (readonly [name: string, test: RegExp])[] = [
  // What every page has sooner or later: nothing of it is in another one, which the landing page would load for its sake.
  ["whole-page", /\/src\/(whole-page|i18n\/base-language|features\/engines\/server-languages)\.ts$/],
  ["landing-text", /\/landing-text\.tsx$/],
  // Every page but the landing page. The inspector has this and the next one before the page itself has begun: they need nothing of it.
  ["contract", /\/src\/api\/contract\/index\.ts$/],
  ["xstate", /\/node_modules\/(xstate|@xstate)\//],
  ["format", /\/src\/i18n\/format\.ts$/],
  // Sign-in, the blog, and all that is signed in.
  [
    "session",
    /\/src\/(features\/session\/(actor|guard|api)\.ts|ui\/(notice|field|progress|retry-notice)\.tsx)$|\/machines\/failure\.ts$/,
  ],
  [
    "signed-in",
    /\/src\/(composition\.ts$|routes\/_signedIn\/route\.tsx|features\/(engines\/actor\.ts|transcriptions\/(unsaved\.ts|problem\.ts|job-progress\.tsx)|subscription\/(upgrade-link|usage-meter)\.tsx)|ui\/(dialog|file-button)\.tsx|browser\/new-id\.ts)|\/machines\/(uploads\/rules|turns)\.ts$/,
  ],
  ["stored", /\/src\/(browser\/indexed-db|audio\/recording-locks)\.ts$/],
  // Dictation and translator.
  ["speech", /\/src\/features\/dictation\/(recorder-actor\.ts|microphone-choice\.tsx|level-meter\.tsx)$/],
  ["uploads", /\/src\/features\/uploads\/(upload-list\.tsx|actor\.ts)$/],
  ["account-form", /\/src\/features\/account\/account-form\.tsx$/],
];

/** What is common to the page and to its renderer: the same modules, the same names of classes and files. */
const output = {
  // Each name stands in the first visit's script, and what is random in it zips not at all: seven characters (42 bits) tell versions apart.
  entryFileNames: "assets/[name]-[hash:7].js",
  chunkFileNames: "assets/[name]-[hash:7].js",
  assetFileNames: "assets/[name]-[hash:7][extname]",
};

/** The floor is what the recorder needs anyway: AudioWorklet, modules in workers, Web Locks. */
export const pageTarget = "es2022";

/** The page. The API is a program of its own (server/main.ts) that also serves what this builds. */
const pageBuild: BuildEnvironmentOptions = {
  target: pageTarget,
  // Which style sheets belong to which page: for its HTML (scripts/build.mjs).
  manifest: true,
  modulePreload: {
    polyfill: false,
    // The names of everything that each route brings along would be a tenth of the page's own code on a first visit. A route's scripts
    // are asked for all the same as soon as the route is wanted; what they import follows one turn later, and once only. (Loaders in
    // the routes' own scripts would weigh still less, but what they ask for would wait for yet another turn.)
    resolveDependencies: (_file, dependencies, { hostType }) => (hostType === "html" ? dependencies : []),
  },
  sourcemap: false,
  cssCodeSplit: true,
  assetsInlineLimit: 0,
  rolldownOptions: {
    output: {
      ...output,
      codeSplitting: {
        groups: [
          // What every visit needs, in two files instead of twenty: small ones zip badly. Libraries change less often than the page.
          { name: "libraries", tags: ["$initial"], test: /node_modules/, priority: 2 },
          { name: "page", tags: ["$initial"], priority: 1 },
          // A route's own libraries, apart from what changes with the page.
          { name: "combobox", test: /node_modules\/(@zag-js|@floating-ui|proxy-compare)\// },
          ...sharedParts.map(([name, test]) => ({ name, test })),
        ],
      },
    },
  },
};

/** What renders visitors' pages to HTML (src/rendering.tsx), with all that it needs: `vite build --ssr`. */
const rendererBuild: BuildEnvironmentOptions = {
  target: "node24",
  copyPublicDir: false,
  minify: false,
  assetsInlineLimit: 0,
  rolldownOptions: {
    output: {
      ...output,
      entryFileNames: "page.js",
      chunkFileNames: "[name]-[hash:7].js",
      codeSplitting: {
        // The page's server asks for page.js with the time at which it was built: what is loaded later must not find it under another name, and
        // with it another language and another router.
        groups: [{ name: "parts", tags: ["$initial"], test: /^(?!.*\/src\/rendering\.tsx$)/ }],
      },
    },
  },
};

/** What libraries are given instead of what they ask for. */
export const aliases = [
  { find: /^react-i18next$/, replacement: `${import.meta.dirname}/src/i18n/use-translation.ts` },
  // React has had it since version 18: the stand-ins for older ones need not be loaded.
  { find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/, replacement: "use-sync-external-store/with-selector" },
  { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" },
  // For browsers it has HTML parse "&copy;", which the page's policy (trusted types) refuses: a post with one could not be read.
  {
    find: /^decode-named-character-reference$/,
    replacement: `${import.meta.dirname}/node_modules/decode-named-character-reference/index.js`,
  },
] as const;

/** What is built shows itself to no browser's React tools: 0.4 kB of every first visit. */
export const builtDefines = { __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined" };

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
    }),
    react(),
    commonPasswords(),
    layers(),
    styledImports(),
    noRequire(),
    ...(isSsrBuild ? [renderedRoutesAlone()] : [offlineShell()]),
  ],
  resolve: { alias: [...aliases] },
  define: command === "build" ? builtDefines : {},
  // All of the page is looked through at once: what a route brings along must not load a page that is open anew (npm run dev).
  optimizeDeps: { entries: ["index.html", "src/**/*.{ts,tsx}", "!src/rendering.tsx"] },
  server: { port: Number(process.env.WEB_PORT ?? 5173), strictPort: true },
  ssr: { noExternal: true },
  // Without the line that Vite would add: every class of the first visit's page is named in its script.
  css: { modules: { generateScopedName: "[local]_[hash:base64:4]" } },
  build: isSsrBuild ? rendererBuild : pageBuild,
}));
