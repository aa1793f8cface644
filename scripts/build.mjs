import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build as buildWithVite } from "vite";
import { newestChange, node26, root } from "./tools.mjs";

// Builds the page into dist/, including the HTML of visitors' pages. With --if-stale, builds only when a source is
// newer. Vite writes to another folder, which is then moved as a whole: an interrupted build leaves the old page.

const sources = [
  ...["src", "machines", "speech", "translation", "contract", "public", "server/speech/assets", "server/speech/silero"],
  ...["index.html", "vite.config.ts", "package-lock.json"],
].map((name) => join(root, name));
const dist = join(root, "dist");

/** The font of the first visible text. */
const face = "node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2";

/** The routes that open offline, with everything that they may load. All other routes say that they need the server. */
const offlineRoutes = ["/_signedIn", "/_signedIn/_paid/speech-to-text"];
/** Modules that any page may load. */
const offlineModules = [
  "src/features/session/early-heard.ts",
  "src/features/shell/toasts.tsx",
  "src/routes/_signedIn/route.tsx?tsr-split=notFoundComponent",
];

const rendering = process.argv.indexOf("--render");
if (rendering !== -1) await render(process.argv[rendering + 1] ?? dist, process.argv[rendering + 2] ?? "");
else if (!process.argv.includes("--if-stale") || isStale()) build();

function isStale() {
  const built = statSync(join(dist, "index.html"), { throwIfNoEntry: false });
  return built === undefined || built.mtimeMs < newestChange(sources);
}

function build() {
  console.log("Building the page");
  const fresh = join(root, ".tmp", `dist-${process.pid}`);
  // A new folder for each build: a server that runs during a build can still load its old modules.
  const program = `rendering/${Date.now().toString(36)}/rendering.js`;
  mkdirSync(join(root, ".tmp"), { recursive: true });
  const vite = [join(root, "node_modules", "vite", "bin", "vite.js"), "build", "--logLevel", "warn", "--outDir"];
  const steps = [
    [...vite, fresh],
    [...vite, dirname(join(fresh, program)), "--ssr", "src/rendering.tsx"],
    // In a separate process, with the same Node as the page's server, so that both write the same HTML.
    ["--disable-warning=ExperimentalWarning", join(root, "scripts", "build.mjs"), "--render", fresh, program],
  ];
  for (const step of steps) {
    const done = spawnSync(node26, step, {
      cwd: root,
      // The caller may be the tests, with NODE_ENV=test, but the result must never be a development build.
      env: { ...process.env, NODE_ENV: "production", ...(process.stderr.isTTY ? {} : { NO_COLOR: "1" }) },
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (done.status === 0) continue;
    rmSync(fresh, { recursive: true, force: true });
    console.error("The page could not be built. The reason is above.");
    process.exit(1);
  }
  compressAssets(join(fresh, "assets"));
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

/**
 * Compresses once for all starts, so that the server (server/page/files.ts), or any other host of the folder, need not
 * do it at the first visit.
 */
function compressAssets(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
  }
}

/**
 * Writes into a build: pages/<language>/ with the HTML of each page that is the same for all visitors, and of all other
 * pages (shell.html); the landing page as index.html; and the renderer for the page's server
 * (server/page/rendering.ts).
 */
async function render(folder, program) {
  const { renderedRoutes, renderPage, pageDocument, shellDocument } = await import(pathToFileURL(join(folder, program)).href);
  const manifest = JSON.parse(readFileSync(join(folder, ".vite", "manifest.json"), "utf8"));
  const font = `<link rel="preload" href="/${partOf(manifest, face).file}" as="font" type="font/woff2" crossorigin />`;
  const template = readFileSync(join(folder, "index.html"), "utf8").replace("<script type=", `${font}\n    <script type=`);
  const routes = renderedRoutes();
  const everywhere = filesOf(manifest, ["index.html"]);
  const beside = (id) =>
    [...filesOf(manifest, [moduleOf(manifest, id)])].filter((file) => file.endsWith(".css") && !everywhere.has(file));
  const sheets = Object.fromEntries(routes.map(({ id, path }) => [path, beside(id).map((file) => `/${file}`)]));
  writeFileSync(join(folder, "rendering", "pages.json"), JSON.stringify({ program, sheets }));
  writeFileSync(join(folder, "rendering", "template.html"), template);
  const read = (language, namespace) => JSON.parse(readFileSync(join(folder, "locales", language, `${namespace}.json`), "utf8"));
  for (const language of readdirSync(join(folder, "locales"))) {
    const write = (name, html) => {
      const file = join(folder, "pages", language, `${name}.html`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, html);
    };
    write("shell", await shellDocument(template, language, read));
    for (const { path, made } of routes) {
      if (made !== "built") continue;
      // A static host has no facts about a server, and its address is not known yet.
      const visit = { href: path, origin: "https://parlance.invalid", language, locale: language, facts: {}, answers: {} };
      const rendered = await renderPage(visit, read);
      write(
        path === "/" ? "index" : path.slice(1),
        pageDocument(template, { href: path, language, sheets: sheets[path] }, rendered),
      );
    }
  }
  writeFileSync(join(folder, "index.html"), readFileSync(join(folder, "pages", "en", "index.html")));
  // For a static host; the page's server makes its own in the user's language (server/page/site.ts).
  writeFileSync(join(folder, "offline.html"), readFileSync(join(folder, "pages", "en", "shell.html")));
  writeManifests(folder, read);
  await buildServiceWorker(folder, manifest);
  rmSync(join(folder, ".vite"), { recursive: true });
}

/** The module of a route's component ("/_public/blog/$slug"), by its name in the build's manifest. */
function moduleOf(manifest, id) {
  const wanted = id.endsWith("/") ? [`${id}index`] : [id, `${id}/route`];
  const pathOf = (name) => /^src\/routes(\/.*)\.tsx\?tsr-split=component/.exec(name)?.[1]?.replaceAll(".", "/");
  const found = Object.keys(manifest).find((name) => wanted.includes(pathOf(name)));
  if (found === undefined) throw new Error(`The page has no component for ${id} (scripts/build.mjs).`);
  return found;
}

/** The manifest's entry of a module. @param name in its manifest */
function partOf(manifest, name) {
  const part = manifest[name];
  if (part === undefined) throw new Error(`The page has no ${name} (scripts/build.mjs).`);
  return part;
}

/**
 * The files of modules with all imports.
 * @param names in the build's manifest
 * @param all also includes what they may load later, except other routes
 */
function filesOf(manifest, names, all = false, files = new Set()) {
  for (const name of names) {
    const part = partOf(manifest, name);
    if (files.has(part.file)) continue;
    files.add(part.file);
    for (const file of [...(part.css ?? []), ...(part.assets ?? [])]) files.add(file);
    filesOf(manifest, part.imports ?? [], all, files);
    // Every page may load every route, so the entry's dynamic imports are left out.
    if (all && !part.isEntry) filesOf(manifest, part.dynamicImports ?? [], all, files);
  }
  return files;
}

/** The page is installed under names in the user's language: app/<language>.webmanifest (index.html links to it). */
function writeManifests(folder, read) {
  mkdirSync(join(folder, "app"), { recursive: true });
  for (const language of readdirSync(join(folder, "locales"))) {
    const { app } = read(language, "offline");
    const shortcut = (name, url) => ({ name, url, icons: [{ src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" }] });
    const manifest = {
      id: "/",
      name: "Parlance",
      short_name: "Parlance",
      description: app.description,
      lang: language,
      dir: "ltr",
      start_url: "/dashboard",
      scope: "/",
      display: "standalone",
      background_color: "#fbf9f5",
      theme_color: "#fbf9f5",
      categories: ["productivity", "utilities"],
      icons: [
        { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
        { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
        { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
        { src: "/icons/maskable-192.png", sizes: "192x192", type: "image/png", purpose: "maskable" },
        { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      ],
      shortcuts: [
        shortcut(app.dictate, "/speech-to-text"),
        shortcut(app.upload, "/file-upload-config"),
        shortcut(app.translate, "/voice-translator"),
      ],
      // The service worker handles these (src/service-worker/share-target.ts).
      share_target: {
        action: "/share-target",
        method: "POST",
        enctype: "multipart/form-data",
        params: { files: [{ name: "files", accept: ["audio/*", "video/*", ".m4a", ".mp3", ".wav", ".ogg", ".opus"] }] },
      },
    };
    writeFileSync(join(folder, "app", `${language}.webmanifest`), JSON.stringify(manifest));
  }
}

/**
 * Builds the service worker. It names its cache by the hash of all its files, so that every different build is a new
 * version.
 */
async function buildServiceWorker(folder, manifest) {
  const kept = filesOf(manifest, [...offlineRoutes.map((id) => moduleOf(manifest, id)), ...offlineModules], true);
  // Workers of the on-device models are cached with the models, by users who want them
  // (src/features/device-models/kept.ts).
  const assets = [...kept]
    .filter((file) => !file.includes(".worker-"))
    .toSorted()
    .map((file) => `/${file}`);
  const files = ["/offline.html", "/favicon.svg", "/icons/icon-192.png", ...assets];
  const hash = createHash("sha256").update(JSON.stringify(files));
  for (const file of files) hash.update(readFileSync(join(folder, file)));
  await buildWithVite({
    configFile: false,
    root,
    logLevel: "warn",
    define: { __SHELL__: JSON.stringify({ version: hash.digest("base64url").slice(0, 12), files }) },
    build: {
      target: "es2022",
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: join(root, "src", "service-worker", "main.ts"),
        output: { format: "iife", entryFileNames: "service-worker.js" },
      },
    },
  });
}
