import type { SpeechLanguage } from "#contract/index.ts";

/** What the page uses of the Web Speech API's SpeechRecognition, which TypeScript's library lacks. */
export interface BrowserRecognizer {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  maxAlternatives: number;
  /** Nothing leaves the device. Browsers without it ignore the assignment: they are only told so where they said that they can. */
  processLocally?: boolean;
  onresult: ((event: RecognizerResults) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  /** @param track what it hears; browsers that don't know the parameter open the system's microphone themselves */
  start(track?: MediaStreamTrack): void;
  /** Gives its last results, then ends. */
  stop(): void;
  abort(): void;
}

export interface RecognizerResults {
  /** All of this listening, those before included. */
  readonly results: ArrayLike<{ readonly isFinal: boolean; readonly [alternative: number]: { readonly transcript: string } }>;
}

interface Availability {
  langs: string[];
  processLocally: boolean;
}

export interface BrowserRecognizerClass {
  new (): BrowserRecognizer;
  /** Newer browsers: "available", "downloadable", "downloading" or "unavailable". */
  available?(options: Availability): Promise<string>;
  /** Newer browsers: fetches what is needed on this device. */
  install?(options: Availability): Promise<boolean>;
}

/** The browser's recogniser; undefined where it has none, or denies it (without https). */
export function browserRecognizer(page: object = globalThis): BrowserRecognizerClass | undefined {
  for (const name of ["SpeechRecognition", "webkitSpeechRecognition"]) {
    const found: unknown = Reflect.get(page, name);
    if (isRecognizerClass(found)) return found;
  }
  return undefined;
}

/** Where a language is heard. device: nothing leaves it; vendor: the sound may go to the browser's vendor, as far as is known. */
export interface HearingPlace {
  place: "device" | "vendor";
  /** The browser can fetch what it needs to hear it on this device. */
  isInstallable: boolean;
}

/**
 * Browsers that can't be asked are believed to hear everything, by their vendor's service. One that can only fetch what it needs is not
 * told to listen before it has.
 * @returns undefined when it does not hear the language
 */
export async function whereHeard(Recognizer: BrowserRecognizerClass, tag: string): Promise<HearingPlace | undefined> {
  const ask = async (processLocally: boolean) =>
    Recognizer.available?.({ langs: [tag], processLocally }).catch(() => "unavailable");
  const local = await ask(true);
  if (local === "available") return { place: "device", isInstallable: false };
  const isInstallable = local === "downloadable" && Recognizer.install !== undefined;
  const anywhere = await ask(false);
  return anywhere === "unavailable" && !isInstallable ? undefined : { place: "vendor", isInstallable };
}

const isRecognizerClass = (value: unknown): value is BrowserRecognizerClass => typeof value === "function";

/** With the region that recognisers expect; BCP 47. */
const tags: Readonly<Partial<Record<SpeechLanguage, string>>> = {
  en: "en-US",
  "pt-br": "pt-BR",
  da: "da-DK",
  "no-NO": "nb-NO",
};

/** The language as the Web Speech API names it. */
export const recognizerTag = (code: SpeechLanguage): string => tags[code] ?? code;
