import * as v from "valibot";
import type { EnginesAnswer } from "#contract/index.ts";
import type { Side } from "#machines/translator/events.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";
import { canDetect, detected, type SideLanguage, translationTarget } from "./side-languages.ts";

/** The languages of the two sides. The first may be "auto". */
type Sides = readonly [string, string];

/** The user's settings for the translator, stored in this browser. */
interface TranslatorChoices {
  readonly sides: Sides;
  /** Whether translations are spoken. */
  readonly aloud: boolean;
  /** Speaking rate; 1 is the voice's own. */
  readonly rate: number;
  /** Whether the translator opens face to face; null: the user has not chosen, and the device decides. */
  readonly opensFaceToFace: boolean | null;
}

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

const Persisted = v.object({
  sides: v.tuple([v.string(), v.string()]),
  aloud: v.boolean(),
  rate: v.pipe(v.number(), v.minValue(0.5), v.maxValue(2)),
  opensFaceToFace: v.optional(v.nullable(v.boolean()), null),
});

const persisted = stored<TranslatorChoices>("translator", Persisted);

export interface ChoicesStore extends ReadableStore<TranslatorChoices> {
  set(change: Partial<TranslatorChoices>): void;
  /** Sets one side's language. Swaps the two if the other side has it. */
  choose(side: Side, code: string): void;
  swap(): void;
}

/** The settings, persisted in this browser. Replaces unavailable values. @param preferred the interface language */
export function createChoices(engines: EnginesAnswer, languages: readonly SideLanguage[], preferred: string): ChoicesStore {
  const store = createStore(readChoices(engines, languages, preferred));
  const set = (change: Partial<TranslatorChoices>) => {
    store.set({ ...store.get(), ...change });
    persisted.keep(store.get());
  };
  const swap = () => {
    const [own, other] = store.get().sides;
    // Language detection stays on the side that supports it.
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
      // The second side does not support language detection.
      else set({ sides: [code, languages.find((language) => language.code !== code)?.code ?? other] });
    },
  };
}

function readChoices(engines: EnginesAnswer, languages: readonly SideLanguage[], preferred: string): TranslatorChoices {
  const found = persisted.read();
  const choices = found ?? { aloud: true, rate: 1, opensFaceToFace: null };
  const exists = (code: string) => languages.some((language) => language.code === code);
  const isKnown = ([own, other]: Sides) => (exists(own) || (own === detected && canDetect(engines))) && exists(other);
  const sides = found !== null && isKnown(found.sides) ? found.sides : firstSides(engines, languages, preferred);
  return { ...choices, sides };
}

/** The interface language or else the first available one, and a language into which it can be translated. */
function firstSides(engines: EnginesAnswer, languages: readonly SideLanguage[], preferred: string): Sides {
  const base = preferred.split("-")[0] ?? preferred;
  const working = languages.filter(({ ability }) => ability === "spoken");
  const own = (working.find(({ code }) => code === base) ?? working[0] ?? languages[0])?.code ?? "en";
  const other = languages.find(({ code }) => code !== own && translationTarget(engines, own, code) !== null)?.code;
  return [own, other ?? languages.find(({ code }) => code !== own)?.code ?? "es"];
}
