import type { SpeechEngines } from "#server/speech/index.ts";
import type { Translation } from "#server/translation/index.ts";

/** How long what was found out is used (ms): a translator may have ten thousand pairs, and every navigation asks. */
const freshMs = 10_000;

export interface LanguageParts {
  engines: Pick<SpeechEngines, "options">;
  translation: Pick<Translation, "pairs">;
}

/** Base codes ("pt" for "pt-BR"), each once. */
export interface Languages {
  heard: readonly string[];
  /** What is translated into, from a language that is heard. */
  into: readonly string[];
}

/** What the server recognises and translates at this moment; the same as `GET /api/v1/engines` says, in short. */
export function createLanguages({ engines, translation }: LanguageParts): () => Languages {
  let known: { at: number; languages: Languages } | undefined;
  return () => {
    const at = performance.now();
    if (known === undefined || at - known.at > freshMs) known = { at, languages: languagesOf({ engines, translation }) };
    return known.languages;
  };
}

function languagesOf({ engines, translation }: LanguageParts): Languages {
  const base = (code: string) => code.toLowerCase().split("-")[0] ?? code;
  const options = engines.options().filter(({ code, available }) => available && code !== "auto");
  const heard = new Set(options.map(({ code }) => base(code)));
  const pairs = translation.pairs().filter(({ source }) => heard.has(base(source)));
  return { heard: [...heard], into: [...new Set(pairs.map(({ target }) => base(target)))] };
}

/** Adds them to index.html, so that the first page says at once what to expect (src/features/landing/languages-here.tsx). */
export function withLanguages(html: string, { heard, into }: Languages): string {
  const metas = `<meta name="parlance-hears" content="${heard.join(" ")}" /><meta name="parlance-translates" content="${into.join(" ")}" />`;
  return html.replace(/<meta name="parlance-api"/, (api) => metas + api);
}
