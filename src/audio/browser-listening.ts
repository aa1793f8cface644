import type { BrowserRecognizer, BrowserRecognizerClass, RecognizerResults } from "./browser-recognizer.ts";

/** Final words, with times in seconds from the beginning of the recording. */
export interface RecognizedText {
  start: number;
  end: number;
  text: string;
}

export interface ListeningParts {
  Recognizer: BrowserRecognizerClass;
  /** BCP 47. */
  tag: string;
  /** Whether the audio must not leave the device. */
  onDevice: boolean;
  track: MediaStreamTrack | undefined;
  /** Seconds recorded so far. The recognizer reports no times itself. */
  elapsed(): number;
  /** The end of the last words, in seconds. */
  recognizedUntil(): number;
  onPartial(text: string, start: number): void;
  onFinal(recognized: RecognizedText): void;
  /** Called for the first recognized words. */
  onRecognized(): void;
  /** Called with an error code of the Web Speech API. `onEnd` follows. */
  onProblem(code: string): void;
  /** The last callback. */
  onEnd(): void;
}

/** The approximate delay between the start of words and their first interim text (seconds). */
const delaySeconds = 0.5;
/** The minimum length of a segment (seconds), so that segments reported at the same moment follow each other. */
const shortestSeconds = 0.01;

export interface Listening {
  /** Asks for the last words, then ends. */
  stop(): void;
  /** Ends at once. The interim words become final. */
  close(): void;
}

/** Starts the browser's recognizer once. */
export function listenWithBrowser(parts: ListeningParts): Listening {
  return new BrowserListening(parts);
}

class BrowserListening implements Listening {
  readonly #parts: ListeningParts;
  readonly #recognizer: BrowserRecognizer;
  /** The number of final results so far. Browsers repeat them in later events. */
  #finals = 0;
  #interim = "";
  /** When the interim words began, in seconds. */
  #since: number | undefined;
  #hasRecognized = false;
  #isOver = false;

  constructor(parts: ListeningParts) {
    this.#parts = parts;
    const recognizer = new parts.Recognizer();
    this.#recognizer = recognizer;
    recognizer.lang = parts.tag;
    recognizer.continuous = true;
    recognizer.interimResults = true;
    recognizer.maxAlternatives = 1;
    if (parts.onDevice) recognizer.processLocally = true;
    recognizer.onresult = (event) => this.#onResult(event);
    recognizer.onerror = ({ error }) => {
      if (!this.#isOver) parts.onProblem(error);
    };
    recognizer.onend = () => this.#end();
    try {
      recognizer.start(parts.track);
    } catch {
      // The recognizer is still busy with its last run, or the microphone has just disappeared. Handled like an
      // interruption.
      queueMicrotask(() => {
        if (this.#isOver) return;
        parts.onProblem("aborted");
        this.#end();
      });
    }
  }

  stop(): void {
    if (!this.#isOver) this.#recognizer.stop();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#keepInterim();
    this.#recognizer.onresult = null;
    this.#recognizer.onerror = null;
    this.#recognizer.onend = null;
    this.#recognizer.abort();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#keepInterim();
    this.#parts.onEnd();
  }

  #onResult({ results }: RecognizerResults): void {
    if (this.#isOver) return;
    const interim: string[] = [];
    for (let i = this.#finals; i < results.length; i++) {
      const result = results[i];
      const text = result?.[0]?.transcript.trim() ?? "";
      if (result?.isFinal && interim.length === 0) {
        this.#finals = i + 1;
        this.#keep(text);
      } else if (text !== "") interim.push(text);
    }
    this.#interim = interim.join(" ");
    if (this.#interim !== "") this.#begin();
    this.#parts.onPartial(this.#interim, this.#since ?? this.#parts.elapsed());
  }

  /** Called when new words begin. */
  #begin(): void {
    const { elapsed, recognizedUntil, onRecognized } = this.#parts;
    this.#since ??= Math.max(recognizedUntil(), elapsed() - delaySeconds, 0);
    if (this.#hasRecognized) return;
    this.#hasRecognized = true;
    onRecognized();
  }

  #keepInterim(): void {
    const text = this.#interim;
    this.#interim = "";
    this.#keep(text);
    this.#parts.onPartial("", 0);
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#begin();
    const start = this.#since ?? 0;
    this.#since = undefined;
    this.#parts.onFinal({ start, end: Math.max(start + shortestSeconds, this.#parts.elapsed()), text });
  }
}
