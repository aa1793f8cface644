import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import { type MemoryBudget, machineMemory } from "#server/threads/budget.ts";
import { ModelMemory, type Wanted } from "#server/threads/memory.ts";
import { translateInPieces } from "#translation/pieces.ts";
import { baseLanguage, keyOfPair, type LanguagePair, type TranslationEngine, TranslationError } from "../engine.ts";
import { type BergamotFiles, directPairs, findFiles } from "./files.ts";
import { BergamotProcess } from "./process.ts";

/** Each of Mozilla's models translates from English or to English. */
const between = "en";
/**
 * Rough memory of a loaded model (bytes): measured 200 MB for small ones. All models together take at most a quarter of
 * the machine's memory.
 */
const processMemory = 300 * 1024 ** 2;

/** Longest wait of a translation for memory (ms). */
const longestWait = 20_000;

export interface BergamotConfig {
  models: InstalledModels;
  /** Most models loaded at a time. Default: two to four, by this machine's memory. */
  maxLoaded?: number | undefined;
  /** The memory shared with other models; default: a budget of its own. */
  budget?: MemoryBudget | undefined;
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}

export interface BergamotEngine extends TranslationEngine {
  /** Id of the running process. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** The engine of Firefox's translations. It works offline, in the pairs whose models are installed. */
export function openBergamot({
  models,
  maxLoaded = affordable(machineMemory()),
  budget,
  timeoutMs,
  idleMs,
}: BergamotConfig): BergamotEngine {
  const refuse = (why: string) => new TranslationError("translationUnavailable", why);
  const memory = new ModelMemory<BergamotProcess>({ budget, idleMs, liveWaitMs: longestWait, mayExceed: true, refuse });
  const wanted: Wanted<BergamotProcess> = {
    model: "bergamot",
    use: "live",
    bytes: maxLoaded * processMemory,
    start: async () => new BergamotProcess({ maxLoaded, timeoutMs, idleMs }),
  };
  let known: Map<string, InstalledModel> | undefined;
  const stop = models.onChange(() => {
    known = undefined;
  });
  const direct = () => {
    known ??= directPairs(models.all());
    return known;
  };
  return {
    id: "bergamot",
    name: "Bergamot",
    offline: true,
    get unavailable() {
      return direct().size === 0 ? "No translation model is installed: /admin/models has them." : undefined;
    },
    get pairs() {
      return allPairs(direct());
    },
    get pid() {
      return memory.children[0]?.pid;
    },
    translate: async (texts, { source, target, person, signal }) => {
      const route = routeOf(direct(), { source: baseLanguage(source), target: baseLanguage(target) });
      if (route.length === 0) throw new TranslationError("translationUnavailable", "Bergamot has no model for this pair.");
      await using held = new AsyncDisposableStack();
      for (const { id } of route) held.use(await models.hold(id).catch(removed));
      const files = route.map(filesOf);
      // The models are held until the translation is done.
      return await translateInPieces(texts, async (pieces) => {
        signal?.throwIfAborted();
        // Lent for each piece, so that a dictation that needs the memory waits for one piece only.
        using loan = await memory.lend(wanted, signal);
        return await loan.child.translate(files, pieces, person, signal);
      });
    },
    close: async () => {
      stop();
      await memory.close();
    },
  };
}

/**
 * How many models may be loaded on a machine with this much memory (bytes): at least two, which a pair may need, at
 * most four.
 */
export function affordable(memory: number): number {
  return Math.min(Math.max(Math.floor(memory / 4 / processMemory), 2), 4);
}

function removed(error: unknown): never {
  throw new TranslationError("translationUnavailable", "The model for this pair was removed.", { cause: error });
}

function filesOf({ id, folder }: InstalledModel): BergamotFiles {
  const files = findFiles(folder);
  if (typeof files !== "string") return files;
  throw new TranslationError("translationFailed", `The model ${id} does not work: ${files}.`);
}

/** The direct pairs, and those through English. */
function allPairs(direct: ReadonlyMap<string, unknown>): LanguagePair[] {
  const languages = [...new Set([...direct.keys()].flatMap((key) => key.split(">")))];
  return languages
    .flatMap((source) => languages.map((target) => ({ source, target })))
    .filter((pair) => pair.source !== pair.target && routeOf(direct, pair).length > 0);
}

/** The model of a pair, or the two models through English; empty without either. */
function routeOf<Model>(direct: ReadonlyMap<string, Model>, { source, target }: LanguagePair): Model[] {
  const only = direct.get(keyOfPair({ source, target }));
  if (only !== undefined) return [only];
  const first = direct.get(keyOfPair({ source, target: between }));
  const second = direct.get(keyOfPair({ source: between, target }));
  return first === undefined || second === undefined ? [] : [first, second];
}
