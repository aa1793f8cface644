import type { SpeechEngines } from "#server/speech/index.ts";
import type { Translation } from "#server/translation/index.ts";

/** The ms for which the result is reused: a translator may have ten thousand pairs, and every navigation asks. */
const freshMs = 10_000;

export interface LanguageParts {
  config: { tryOutSlots: number };
  engines: Pick<SpeechEngines, "options" | "forLanguage">;
  translation: Pick<Translation, "pairs" | "staysHere">;
}

/** Base codes ("pt" for "pt-BR"), each once. */
export interface Languages {
  recognized: readonly string[];
  /** The target languages from a recognized language. */
  into: readonly string[];
  /**
   * The languages in which dictation can be tried without an account, in the contract's form, with their target
   * languages: "en:de,es".
   */
  toTry: readonly string[];
}

/** The languages that the server currently recognizes and translates; a short form of `GET /api/v1/engines`. */
export function createLanguages(parts: LanguageParts): () => Languages {
  let known: { at: number; languages: Languages } | undefined;
  return () => {
    const at = performance.now();
    if (known === undefined || at - known.at > freshMs) known = { at, languages: languagesOf(parts) };
    return known.languages;
  };
}

function languagesOf({ config, engines, translation }: LanguageParts): Languages {
  const base = (code: string) => code.toLowerCase().split("-")[0] ?? code;
  const options = engines.options().filter(({ code, available }) => available && code !== "auto");
  const recognized = new Set(options.map(({ code }) => base(code)));
  const pairs = translation.pairs().filter(({ source }) => recognized.has(base(source)));
  // Only engines on this machine (tryout/sockets.ts).
  const canBeTried = options.filter(({ code }) => engines.forLanguage(code, "live")?.engine.offline === true);
  const translated = (code: string) => {
    const from = pairs.filter(({ source, target }) => source === base(code) && translation.staysHere(source, target));
    return from.length === 0 ? code : `${code}:${from.map(({ target }) => target)}`;
  };
  const toTry = config.tryOutSlots > 0 ? canBeTried.map(({ code }) => translated(code)) : [];
  return { recognized: [...recognized], into: [...new Set(pairs.map(({ target }) => base(target)))], toTry };
}

/** The values by the names of their `<meta name="parlance-…">`. */
export const languageFacts = ({ recognized, into, toTry }: Languages): { hears: string; translates: string; tries: string } => ({
  hears: recognized.join(" "),
  translates: into.join(" "),
  tries: toTry.join(" "),
});

/**
 * Adds the languages to index.html, so that the first page can show them at once
 * (src/features/engines/languages-here.tsx).
 */
export function withLanguages(html: string, languages: Languages): string {
  const metas = Object.entries(languageFacts(languages))
    .map(([name, codes]) => `<meta name="parlance-${name}" content="${codes}" />`)
    .join("");
  return html.replace(/<meta name="parlance-api"/, (api) => metas + api);
}
