import type { SpeechLanguage } from "#contract/index.ts";

/** The used part of the Web Speech API's SpeechRecognition, which TypeScript's library lacks. */
export interface BrowserRecognizer {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  maxAlternatives: number;
  /**
   * Whether recognition must stay on the device. Browsers without this property ignore it, so the page sets it only for
   * browsers that support it.
   */
  processLocally?: boolean;
  onresult: ((event: RecognizerResults) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  /** @param track the audio to recognize; browsers without this parameter open the system's microphone themselves */
  start(track?: MediaStreamTrack): void;
  /** Reports the last results, then ends. */
  stop(): void;
  abort(): void;
}

export interface RecognizerResults {
  /** All results of this run, including earlier ones. */
  readonly results: ArrayLike<{ readonly isFinal: boolean; readonly [alternative: number]: { readonly transcript: string } }>;
}

interface Availability {
  langs: string[];
  processLocally: boolean;
}

export interface BrowserRecognizerClass {
  new (): BrowserRecognizer;
  /** Newer browsers only. Resolves with "available", "downloadable", "downloading" or "unavailable". */
  available?(options: Availability): Promise<string>;
  /** Newer browsers only. Downloads the language pack for recognition on this device. */
  install?(options: Availability): Promise<boolean>;
}

/** The browser's recognizer; undefined if there is none, or the browser denies it (without https). */
export function browserRecognizer(page: object = globalThis): BrowserRecognizerClass | undefined {
  for (const name of ["SpeechRecognition", "webkitSpeechRecognition"]) {
    const found: unknown = Reflect.get(page, name);
    if (isRecognizerClass(found)) return found;
  }
  return undefined;
}

/** Where a language is recognized. device: no audio leaves it; vendor: audio may go to the browser's vendor. */
export interface RecognitionPlace {
  place: "device" | "vendor";
  /** Whether the browser can download the language pack for this device. */
  isInstallable: boolean;
}

/**
 * A browser without `available` is assumed to know all languages, through its vendor's service. A downloadable language
 * must be installed before its first use.
 * @returns undefined when the browser does not recognize the language
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

/** BCP 47 tags with the region that recognizers expect. */
const tags: Readonly<Partial<Record<SpeechLanguage, string>>> = {
  en: "en-US",
  "pt-br": "pt-BR",
  da: "da-DK",
  "no-NO": "nb-NO",
};

/** The tag with which the Web Speech API names the language. */
export const recognizerTag = (code: SpeechLanguage): string => tags[code] ?? code;
