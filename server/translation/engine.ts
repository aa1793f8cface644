/** A pair of languages as two-letter codes (three-letter where ISO 639-1 has none). */
export interface LanguagePair {
  source: string;
  target: string;
}

/** A pair as one text ("en>es"), the key for choices. */
export function keyOfPair({ source, target }: LanguagePair): string {
  return `${source}>${target}`;
}

/** The pair of such a key. */
export function pairOfKey(key: string): LanguagePair {
  const [source = "", target = ""] = key.split(">");
  return { source, target };
}

export interface TranslateOptions extends LanguagePair {
  /** The account that wants the translation, or a network. */
  person: string;
  /** As defined in slots.ts. */
  isPatient?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * A translation engine. `pairs` are base codes ("es", never "es-ES"); `translate` gets the codes as requested.
 * Installed models can change, so `unavailable` and `pairs` are read each time.
 */
export interface TranslationEngine {
  readonly id: "openai" | "libretranslate" | "bergamot" | "apertium";
  readonly name: string;
  /** Whether the text stays on this machine. */
  readonly offline: boolean;
  /** The reason it is unavailable, and how to fix that; undefined when it works. */
  readonly unavailable: string | undefined;
  readonly pairs: readonly LanguagePair[];
  /**
   * Translates each text; the answer has the same length and order.
   * @throws TranslationError
   */
  translate(texts: readonly string[], options: TranslateOptions): Promise<string[]>;
}

/** A failure that is shown to users; `code` is the key of the text (contract/error.ts). */
export class TranslationError extends Error {
  readonly code: "translationUnavailable" | "translationFailed";
  constructor(code: TranslationError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TranslationError";
    this.code = code;
  }
}

/**
 * The language without its region, in its shortest code: "es-ES", "spa" and "ES" become "es". Norwegian's "nb" and "no"
 * count as the same; "auto" stays "auto".
 */
export function baseLanguage(code: string): string {
  const base = code.toLowerCase().split(/[-_@]/, 1)[0] ?? "";
  if (!/^[a-z]{2,3}$/.test(base)) return base;
  const shortest = new Intl.Locale(base).language;
  return shortest === "nb" ? "no" : shortest;
}
