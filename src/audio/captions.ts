import type { Segment } from "#contract/index.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";

/** A segment that will not change any more. */
export interface CaptionLine extends Segment {
  /** pending: in progress; failed: retried before it is saved; none: no translation was requested. */
  translating: "none" | "pending" | "done" | "failed";
}

export interface CaptionsState {
  readonly lines: readonly CaptionLine[];
  /** The interim text; may still change. */
  readonly partial: { text: string; start: number } | null;
}

/** @returns the translation of one segment's text. May reject. */
export type Translate = (text: string, signal: AbortSignal) => Promise<string>;

/** The recognised text, outside of the machine: it changes with every word. */
export interface Captions extends ReadableStore<CaptionsState> {
  /** Clears it for another recording. @param translate undefined for no translation */
  begin(translate: Translate | undefined): void;
  /** Clears the languages and stops the work; the words stay. */
  stop(): void;
  /** All segments so far; existing translations stay. */
  replace(segments: readonly Segment[]): void;
  setPartial(text: string, start: number): void;
  /** @param index among all segments of the recording */
  addFinal(index: number, segment: Segment): void;
  /** Resolves when everything possible is translated; failed ones are retried once. Never rejects. */
  translated(): Promise<void>;
}

const empty: CaptionsState = { lines: [], partial: null };

export function createCaptions(): Captions {
  const store = createStore(empty);
  let translate: Translate | undefined;
  let current = new AbortController();
  let working: Promise<void> | undefined;

  const setLines = (lines: readonly CaptionLine[], partial = store.get().partial) => store.set({ lines, partial });
  const asLine = (segment: Segment, before: CaptionLine | undefined): CaptionLine => {
    if (before?.text === segment.text && before.translating !== "none")
      return { ...segment, translating: before.translating, ...(before.translation && { translation: before.translation }) };
    if (segment.translation !== undefined) return { ...segment, translating: "done" };
    return { ...segment, translating: translate === undefined ? "none" : "pending" };
  };

  /** One at a time, in order: the first sentence is read first. */
  const work = async (ask: Translate, signal: AbortSignal) => {
    for (;;) {
      const index = store.get().lines.findIndex(({ translating }) => translating === "pending");
      const line = store.get().lines[index];
      if (line === undefined) return;
      const answer = await ask(line.text, signal).catch(() => undefined);
      if (signal.aborted) return;
      // It may have been replaced meanwhile by an untranslated text.
      setLines(store.get().lines.map((now, i) => (i === index && now.text === line.text ? answered(now, answer) : now)));
    }
  };
  const startWork = () => {
    if (translate === undefined || working !== undefined) return;
    const { signal } = current;
    const mine = work(translate, signal).finally(() => {
      if (working === mine) working = undefined;
    });
    working = mine;
  };
  const stop = () => {
    current.abort();
    current = new AbortController();
    working = undefined;
    translate = undefined;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    begin: (next) => {
      stop();
      translate = next;
      store.set(empty);
    },
    stop,
    replace: (segments) => {
      const before = store.get().lines;
      setLines(
        segments.map((segment, i) => asLine(segment, before[i])),
        null,
      );
      startWork();
    },
    setPartial: (text, start) => store.set({ ...store.get(), partial: text === "" ? null : { text, start } }),
    addFinal: (index, segment) => {
      const lines = store.get().lines.slice(0, index);
      setLines([...lines, asLine(segment, store.get().lines[index])], null);
      startWork();
    },
    translated: async () => {
      await working;
      if (translate === undefined) return;
      setLines(store.get().lines.map((line) => (line.translating === "failed" ? { ...line, translating: "pending" } : line)));
      startWork();
      await working;
    },
  };
}

function answered(line: CaptionLine, answer: string | undefined): CaptionLine {
  return answer === undefined ? { ...line, translating: "failed" } : { ...line, translation: answer, translating: "done" };
}
