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
  /** @param track the sound to recognize; browsers that don't know the parameter open the system's microphone themselves */
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

/** Where a language is recognized. device: nothing leaves it; vendor: the sound may go to the browser's vendor. */
export interface RecognitionPlace {
  place: "device" | "vendor";
  /** The browser can fetch what it needs to recognize it on this device. */
  isInstallable: boolean;
}

/**
 * Browsers that can't be asked are believed to know all languages, by their vendor's service. One that only can fetch them is not
 * told to listen before it has.
 * @returns undefined when it does not recognize the language
 */
export async function whereRecognized(Recognizer: BrowserRecognizerClass, tag: string): Promise<RecognitionPlace | undefined> {
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
