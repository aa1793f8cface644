import type { EngineInfo, TranslationOptions } from "#contract/index.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import type { InstalledModels } from "#server/models/model.ts";
import type { MemoryBudget } from "#server/threads/budget.ts";
import { queues } from "#server/threads/queues.ts";
import { Slots } from "#server/threads/slots.ts";
import { withTidyBlanks } from "#translation/tidy-blanks.ts";
import { openApertium } from "./apertium.ts";
import { openBergamot } from "./bergamot/engine.ts";
import { openChat } from "./chat.ts";
import { detectLanguage } from "./detect.ts";
import {
  baseLanguage,
  keyOfPair,
  type LanguagePair,
  pairOfKey,
  type TranslateOptions,
  type TranslationEngine,
  TranslationError,
} from "./engine.ts";
import { openLibreTranslate } from "./libretranslate.ts";

export { detectLanguage } from "./detect.ts";
export { TranslationError } from "./engine.ts";

export interface TranslationConfig {
  /** Base URL of an OpenAI-compatible chat API ("https://api.openai.com/v1"). */
  apiUrl?: string;
  apiKey?: string;
  /** Default "gpt-4o-mini". */
  apiModel?: string;
  /** Base URL of a LibreTranslate server ("http://localhost:5000"). */
  libreUrl?: string;
  libreKey?: string;
  log?: Pick<Log, "warn">;
}

export interface Translation {
  /** All supported pairs, with their first engine. */
  pairs(): (LanguagePair & { engine: string })[];
  /**
   * The pairs that several engines translate, with their engines in the order of use; those that are not chosen are
   * last.
   */
  options(): TranslationOptions[];
  infos(): EngineInfo[];
  supports(source: string, target: string): boolean;
  /** Whether this pair is supported, and none of its engines sends text to another machine. */
  staysHere(source: string, target: string): boolean;
  /**
   * Translates each text; the answer has the same length and order. Regions are ignored ("es-ES" is "es"). If no engine
   * accepts "auto" as the source, the language of the texts is detected here. Texts in the target language stay as they
   * are.
   * @throws TranslationError `translationUnavailable` when no engine supports the pair, `translationFailed` when the
   *   translation failed; Problem `tooManyAtOnce`, `tooLarge`
   */
  translate(texts: readonly string[], options: TranslateOptions): Promise<string[]>;
  /** Ends the engines' processes. */
  close(): Promise<void>;
}

const endless = new AbortController().signal;

/**
 * @param all in order of preference
 * @param models knows which engines are chosen for a pair
 * @param log records which engine fails, and why
 */
export function gatherTranslation(
  all: readonly (TranslationEngine & { close?: () => Promise<void> })[],
  models: InstalledModels = onlyBuiltIn,
  log?: Pick<Log, "warn">,
): Translation {
  let known: Map<string, Candidates> | undefined;
  const stop = models.onChange(() => {
    known = undefined;
  });
  const byPair = () => {
    known ??= candidatesByPair(all, models);
    return known;
  };
  const find = ({ source, target }: LanguagePair) =>
    byPair().get(keyOfPair({ source: baseLanguage(source), target: baseLanguage(target) }));

  const slots = new Slots(queues.translations);
  const translate = async (texts: readonly string[], given: TranslateOptions) => {
    const source = find(given) === undefined ? await detectedSource(texts, given, [...byPair().keys()]) : given.source;
    const options = { ...given, source };
    if (given.source !== source && baseLanguage(source) === baseLanguage(given.target)) return [...texts];
    return translateInOrder(askedInTurn(find(options)), texts, { ...options, log });
  };

  return {
    pairs: () =>
      [...byPair()].flatMap(
        ([
          key,
          {
            asked: [first],
          },
        ]) => (first === undefined ? [] : [{ ...pairOfKey(key), engine: first.id }]),
      ),
    options: () =>
      [...byPair()].flatMap(([key, { asked, others }]) => {
        const engines = [...asked, ...others].map(({ id, name }) => ({ id, name }));
        return engines.length < 2 ? [] : [{ ...pairOfKey(key), engines }];
      }),
    infos: () =>
      all.map(({ id, name, offline, unavailable }) => ({
        id,
        name,
        offline,
        available: unavailable === undefined,
        ...(unavailable === undefined ? {} : { detail: unavailable }),
      })),
    supports: (source, target) => (find({ source, target })?.asked.length ?? 0) > 0,
    staysHere: (source, target) => {
      const engines = askedInTurn(find({ source, target }));
      return engines.length > 0 && engines.every(({ offline }) => offline);
    },
    translate: (texts, given) => slots.run(given.signal ?? endless, (signal) => translate(texts, { ...given, signal }), given),
    close: async () => {
      stop();
      await Promise.all(all.map((engine) => engine.close?.()));
    },
  };
}

/**
 * The language of texts in an unknown language, among the target and the languages that can be translated into it; else
 * the given source.
 * @param keys the pairs
 */
async function detectedSource(
  texts: readonly string[],
  { source, target }: LanguagePair,
  keys: readonly string[],
): Promise<string> {
  if (source !== "auto") return source;
  const base = baseLanguage(target);
  const sources = keys.map(pairOfKey).flatMap((pair) => (pair.target === base ? [pair.source] : []));
  return (await detectLanguage(texts.join("\n"), new Set([base, ...sources]))) ?? source;
}

/** The available engines of a pair. */
interface Candidates {
  /** Engines in the order of use. */
  asked: TranslationEngine[];
  /** Engines that are not used, because others are chosen. */
  others: TranslationEngine[];
  /**
   * Whether the operator has chosen engines, and thereby the engine that follows a failed one. Otherwise the failure of
   * the first is shown.
   */
  isChosen: boolean;
}

/** The engines to try: each one is used when the one before it fails. */
const askedInTurn = (candidates: Candidates | undefined): readonly TranslationEngine[] =>
  candidates?.isChosen ? candidates.asked : (candidates?.asked.slice(0, 1) ?? []);

function candidatesByPair(all: readonly TranslationEngine[], models: InstalledModels): Map<string, Candidates> {
  const byPair = new Map<string, TranslationEngine[]>();
  for (const engine of all) {
    if (engine.unavailable !== undefined) continue;
    for (const key of new Set(engine.pairs.map(keyOfPair))) byPair.set(key, [...(byPair.get(key) ?? []), engine]);
  }
  const { translation: choices } = models.choices();
  return new Map(
    [...byPair].map(([key, engines]) => {
      const chosen = choices[key]?.length ? choices[key] : undefined;
      const asked = enginesInOrder(engines, chosen);
      const others = engines.filter((engine) => !asked.includes(engine));
      return [key, { asked, others, isChosen: chosen !== undefined }];
    }),
  );
}

/**
 * The engines of a pair in the order of use: by preference, or as chosen for the pair. With a choice, no other engine
 * is used. If none of the chosen engines works, only offline ones are used: the operator did not choose to send texts
 * elsewhere.
 * @param engines the available ones, in order of preference
 */
function enginesInOrder(engines: readonly TranslationEngine[], chosen: readonly string[] | undefined): TranslationEngine[] {
  if (chosen === undefined) return [...engines];
  const listed = [...new Set(chosen)].flatMap((id) => engines.find((engine) => engine.id === id) ?? []);
  return listed.length > 0 ? listed : engines.filter((engine) => engine.offline);
}

/** The translation of the first engine, or of the next one if an engine fails and another may follow. */
async function translateInOrder(
  engines: readonly TranslationEngine[],
  texts: readonly string[],
  { log, ...options }: TranslateOptions & { log: Pick<Log, "warn"> | undefined },
): Promise<string[]> {
  let failure: unknown = new TranslationError(
    "translationUnavailable",
    `No translation from "${options.source}" to "${options.target}" is set up on this server.`,
  );
  let isPrivate = false;
  for (const engine of engines) {
    if (isPrivate && !engine.offline) continue;
    try {
      const translated = await engine.translate(texts, options);
      return translated.map((text) => withTidyBlanks(text, options.target));
    } catch (error) {
      options.signal?.throwIfAborted();
      log?.warn("translation failed", { engine: engine.id, ...describeError(error) });
      failure = error;
      isPrivate ||= engine.offline;
    }
  }
  throw failure;
}

/**
 * Detects the available engines. Order of preference: OpenAI-compatible chat, LibreTranslate, Bergamot with the
 * installed models, Apertium.
 * @param budget the memory that its models share with others; default: a budget of its own
 */
export async function openTranslation(
  config: TranslationConfig,
  models?: InstalledModels,
  budget?: MemoryBudget,
): Promise<Translation> {
  const { apiUrl, apiKey, apiModel, libreUrl, libreKey, log } = config;
  const engines = await Promise.all([
    ...(apiUrl === undefined ? [] : [openChat({ url: apiUrl, key: apiKey, model: apiModel })]),
    ...(libreUrl === undefined ? [] : [openLibreTranslate({ url: libreUrl, key: libreKey })]),
    ...(models === undefined ? [] : [openBergamot({ models, budget })]),
    openApertium(),
  ]);
  return gatherTranslation(engines, models, log);
}
