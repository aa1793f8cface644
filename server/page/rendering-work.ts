import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import { type PageVisit, type ReadTexts, RenderedPage, type RenderedParts, type Renderer } from "#contract/rendering.ts";

/** Input of the work. */
export interface Rendering {
  /** The built page's folder. */
  distDir: string;
  visit: PageVisit;
  /** The route: "/blog/$slug" for all posts. */
  route: string;
}

/** The whole document; or the API's paths whose answers it needs; or nothing. */
export type RenderedDocument = { document: string } | Exclude<RenderedPage, RenderedParts>;

interface Loaded {
  renderer: Renderer;
  readTexts: ReadTexts;
  template: string;
  /** Addresses of what a page alone begins with, by route. */
  files: Record<string, string[]>;
}

const Files = v.record(v.string(), v.array(v.string()));
const Texts = v.record(v.string(), v.unknown());

/** By the build's folder and time. */
let loaded: { version: string; parts: Promise<Loaded> } | undefined;

export const renderingWork = {
  /** A visitor's page as HTML. The renderer is loaded when the first one is asked for. @throws when the page can't be rendered */
  renderDocument: async ({ distDir, visit, route }: Rendering): Promise<RenderedDocument> => {
    const { renderer, readTexts, template, files } = await load(distDir);
    const rendered = v.parse(RenderedPage, await renderer.renderPage(visit, readTexts));
    if (!("html" in rendered)) return rendered;
    const { href, language } = visit;
    return { document: renderer.pageDocument(template, { href, language, files: files[route] ?? [] }, rendered) };
  },
};

async function load(distDir: string): Promise<Loaded> {
  const program = join(distDir, "rendering", "page.js");
  const { mtimeMs } = await stat(program);
  const version = `${program}?${mtimeMs}`;
  if (loaded?.version !== version) loaded = { version, parts: open(distDir, program, mtimeMs) };
  return loaded.parts;
}

async function open(distDir: string, program: string, builtAt: number): Promise<Loaded> {
  // A page that was built anew is another module.
  const renderer: Renderer = await import(`${pathToFileURL(program).href}?${builtAt}`);
  const texts = new Map<string, Record<string, unknown>>();
  const readTexts: ReadTexts = (language, namespace) => {
    const file = join(distDir, "locales", language, `${namespace}.json`);
    const known = texts.get(file) ?? v.parse(Texts, JSON.parse(readFileSync(file, "utf8")));
    texts.set(file, known);
    return known;
  };
  return {
    renderer,
    readTexts,
    template: readFileSync(join(distDir, "rendering", "template.html"), "utf8"),
    files: v.parse(Files, JSON.parse(readFileSync(join(distDir, "rendering", "files.json"), "utf8"))),
  };
}
