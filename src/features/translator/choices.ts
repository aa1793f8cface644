import * as v from "valibot";
import type { EnginesAnswer } from "#contract/index.ts";
import type { Side } from "#machines/translator/events.ts";
import { storage } from "#src/browser/storage.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { canDetect, detected, type SideLanguage, translationTarget } from "./side-languages.ts";

/** The languages of the two sides; the first may be "auto". */
export type Sides = readonly [string, string];

/** What a person chose for the translator, in this browser. */
export interface TranslatorChoices {
  readonly sides: Sides;
  /** Translations are spoken. */
  readonly aloud: boolean;
  /** How fast: 1 is the voice's own speed. */
  readonly rate: number;
  /** The other side's half stands on its head, for who sits opposite. */
  readonly faceToFace: boolean;
}

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

const key = "translator";
const Persisted = v.object({
  sides: v.tuple([v.string(), v.string()]),
  aloud: v.boolean(),
  rate: v.pipe(v.number(), v.minValue(0.5), v.maxValue(2)),
  faceToFace: v.boolean(),
});

export interface ChoicesStore extends ReadableStore<TranslatorChoices> {
  set(change: Partial<TranslatorChoices>): void;
  /** What one side speaks. The other side's language changes places with it. */
  choose(side: Side, code: string): void;
  swap(): void;
}

/** Remembered in this browser; what does not exist any more gives way. @param preferred the page's language */
export function createChoices(engines: EnginesAnswer, languages: readonly SideLanguage[], preferred: string): ChoicesStore {
  const store = createStore(readChoices(engines, languages, preferred));
  const set = (change: Partial<TranslatorChoices>) => {
    store.set({ ...store.get(), ...change });
    storage.write(key, JSON.stringify(store.get()));
  };
  const swap = () => {
    const [own, other] = store.get().sides;
    // What is to be detected stays where it can be.
    if (own !== detected) set({ sides: [other, own] });
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    set,
    swap,
    choose: (side, code) => {
      const { sides } = store.get();
      const other = sides[side === 0 ? 1 : 0];
      if (code !== other) set({ sides: side === 0 ? [code, other] : [other, code] });
      else if (store.get().sides[0] !== detected) swap();
      // What is detected can't be on the second side.
      else set({ sides: [code, languages.find((language) => language.code !== code)?.code ?? other] });
    },
  };
}

function readChoices(engines: EnginesAnswer, languages: readonly SideLanguage[], preferred: string): TranslatorChoices {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Persisted), storage.read(key));
  const kept = parsed.success ? parsed.output : { aloud: true, rate: 1, faceToFace: false };
  const exists = (code: string) => languages.some((language) => language.code === code);
  const isKnown = ([own, other]: Sides) => (exists(own) || (own === detected && canDetect(engines))) && exists(other);
  const sides = parsed.success && isKnown(parsed.output.sides) ? parsed.output.sides : firstSides(engines, languages, preferred);
  return { ...kept, sides };
}

/** The page's language if it works here, else the first that does; and what it can be translated to. */
function firstSides(engines: EnginesAnswer, languages: readonly SideLanguage[], preferred: string): Sides {
  const base = preferred.split("-")[0] ?? preferred;
  const working = languages.filter(({ ability }) => ability === "spoken");
  const own = (working.find(({ code }) => code === base) ?? working[0] ?? languages[0])?.code ?? "en";
  const other = languages.find(({ code }) => code !== own && translationTarget(engines, own, code) !== null)?.code;
  return [own, other ?? languages.find(({ code }) => code !== own)?.code ?? "es"];
}
