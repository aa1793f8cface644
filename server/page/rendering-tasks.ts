import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import { type PageVisit, type ReadTexts, RenderedPage, type RenderedParts, type Renderer } from "#contract/rendering.ts";

/** Input of the work. */
export interface Rendering {
  /** The built page's folder. */
  distDir: string;
  /** The renderer, in that folder: each build has another name for it. */
  program: string;
  visit: PageVisit;
  /** Addresses of the style sheets that the page has beside those of every page. */
  sheets: readonly string[];
}

/** The whole document; or the API's paths whose answers it needs; or nothing. */
export type RenderedDocument = { document: string } | Exclude<RenderedPage, RenderedParts>;

interface Loaded {
  renderer: Renderer;
  readTexts: ReadTexts;
  template: string;
}

const Texts = v.record(v.string(), v.unknown());

let loaded: { program: string; parts: Promise<Loaded> } | undefined;

export const renderingTasks = {
  /**
   * Renders a visitor's page as HTML. The first call loads the renderer.
   * @throws if the page can't be rendered
   */
  renderDocument: async ({ distDir, program, visit, sheets }: Rendering): Promise<RenderedDocument> => {
    if (loaded?.program !== program) loaded = { program, parts: open(distDir, program) };
    const { renderer, readTexts, template } = await loaded.parts;
    const rendered = v.parse(RenderedPage, await renderer.renderPage(visit, readTexts));
    if (!("html" in rendered)) return rendered;
    const { href, language } = visit;
    return { document: renderer.pageDocument(template, { href, language, sheets }, rendered) };
  },
};

async function open(distDir: string, program: string): Promise<Loaded> {
  const renderer: Renderer = await import(pathToFileURL(join(distDir, program)).href);
  const texts = new Map<string, Record<string, unknown>>();
  const readTexts: ReadTexts = (language, namespace) => {
    const file = join(distDir, "locales", language, `${namespace}.json`);
    const known = texts.get(file) ?? v.parse(Texts, JSON.parse(readFileSync(file, "utf8")));
    texts.set(file, known);
    return known;
  };
  return { renderer, readTexts, template: readFileSync(join(distDir, "rendering", "template.html"), "utf8") };
}
