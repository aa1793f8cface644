import { type AnyRouter, createMemoryHistory } from "@tanstack/react-router";
import i18next, { type BackendModule } from "i18next";
import { prerender } from "react-dom/static";
import { initReactI18next } from "react-i18next";
import {
  escaped,
  jsonInScript,
  type PageVisit,
  type ReadTexts,
  type RenderedPage,
  type RenderedParts,
  type RenderedRoute,
} from "#contract/rendering.ts";
import { answersId, answerWith, missingAnswers } from "./browser/answers.ts";
import { setPageRouter } from "./browser/page-router.ts";
import { beginRendering, isHydrationPromised } from "./browser/server-rendered.ts";
import { pageTree } from "./features/layout/page-tree.tsx";
import { i18nOptions } from "./i18n/options.ts";
import { pageTitle } from "./navigation.ts";
import { createPageRouter } from "./router.ts";

// Renders a visitor's page as HTML: at build time if it is the same for everybody, otherwise on the page server
// (server/page/rendering.ts). Renders one page at a time, because the language and the input of `beginRendering` are
// global.

/** The routes whose pages arrive as HTML (src/router.ts). */
export function renderedRoutes(): RenderedRoute[] {
  const { routesById } = createPageRouter(createMemoryHistory());
  return Object.values(routesById).flatMap(({ id, fullPath, options }) => {
    const made = options.staticData?.html;
    return made === undefined ? [] : [{ id, path: fullPath.replace(/(.)\/$/, "$1"), made }];
  });
}

/**
 * Renders a page, or returns which answers of the API it needs first, or that it redirects.
 * @throws a component's error
 */
export async function renderPage(visit: PageVisit, readTexts: ReadTexts): Promise<RenderedPage> {
  await speak(visit.language, readTexts);
  const { href, origin, locale, facts, answers } = visit;
  beginRendering({ facts, address: origin + href, languages: [locale] });
  answerWith(new Map(Object.entries(answers)));
  const router = createPageRouter(createMemoryHistory({ initialEntries: [href] }));
  setPageRouter(router);
  await router.load();
  const needs = missingAnswers();
  if (needs.length > 0) return { needs };
  const { matches } = router.state;
  if (matches.length === 0) return { leadsElsewhere: true };
  if (matches.some(({ status }) => status !== "success")) throw new Error(`${href} can't be rendered.`);
  const whole = await htmlOf(router);
  if (!isHydrationPromised()) throw new Error(`The page ${href} does not call useHydration (src/ui/hydration.ts).`);
  const [links = ""] = /^(<link [^>]*>)+/.exec(whole) ?? [];
  const description = matches.findLast(({ staticData }) => staticData.descriptionKey)?.staticData.descriptionKey;
  return {
    // React finds them again wherever they are in the document.
    links,
    html: whole.slice(links.length),
    data: answersOf(answers),
    title: pageTitle(router),
    description: description === undefined ? "" : i18next.t(description),
  };
}

/**
 * index.html with the rendered page.
 * @param href its path and query
 * @param sheets addresses of style sheets that only this page needs
 */
export function pageDocument(
  template: string,
  { href, language, sheets }: { href: string; language: string; sheets: readonly string[] },
  { html, data, links, title, description }: RenderedParts,
): string {
  return (
    withLanguage(template, language, ` data-page="${escaped(href)}"`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
      .replace(/(<meta name="description" content=")[^"]*/, (whole, start) =>
        description ? start + escaped(description) : whole,
      )
      .replace("</head>", () => `${links}${linksTo(sheets)}</head>`)
      // The page is readable without these scripts, so style sheets and the font come first.
      .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
      .replace('<div id="root"></div>', () => `<div id="root">${html}</div>${data}`)
      .replace("<noscript></noscript>", "")
  );
}

/** index.html for pages that are not rendered, with the text for users who have turned off scripts. */
export async function shellDocument(template: string, language: string, readTexts: ReadTexts): Promise<string> {
  await speak(language, readTexts);
  const words = escaped(i18next.t("needsScript"));
  return withLanguage(template, language, "").replace("<noscript></noscript>", () => `<noscript>${words}</noscript>`);
}

const linksTo = (sheets: readonly string[]): string =>
  sheets.map((address) => `<link rel="stylesheet" crossorigin href="${address}">`).join("");

function withLanguage(template: string, language: string, more: string): string {
  return template
    .replace(/<html lang="[^"]*"/, () => `<html lang="${language}"${more}`)
    .replace("/locales/en/", () => `/locales/${language}/`)
    .replace("/app/en.webmanifest", () => `/app/${language}.webmanifest`);
}

/** Renders to the end, including lazily loaded parts, in one piece that needs no script to be put together. */
async function htmlOf(router: AnyRouter): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(pageTree(router), {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void failures.push(error),
  });
  const html = await new Response(prelude).text();
  if (failures.length > 0) throw failures[0];
  return html;
}

/** The answers for the page's script, which hydrates the HTML with them. Escaped so that they can't end the element. */
function answersOf(answers: PageVisit["answers"]): string {
  if (Object.keys(answers).length === 0) return "";
  return `<script type="application/json" id="${answersId}">${jsonInScript(answers)}</script>`;
}

let started: Promise<unknown> | undefined;
/** Reads the text files for the page being rendered. */
let read: ReadTexts = () => ({});

const texts: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, namespace, callback) => callback(null, read(language, namespace)),
};

async function speak(language: string, readTexts: ReadTexts): Promise<void> {
  read = readTexts;
  started ??= i18next
    .use(texts)
    .use(initReactI18next)
    .init({ ...i18nOptions, lng: language });
  await started;
  if (i18next.language !== language) await i18next.changeLanguage(language);
}
