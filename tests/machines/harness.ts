import { onTestFinished } from "vitest";
import { type AnyActorRef, type EventObject, fromCallback, fromPromise, type NonReducibleUnknown } from "xstate";
import type { Transcription, TranscriptionSummary } from "#contract/index.ts";

/** Waits until the reactions to all settled promises have run. */
export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
export const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

export function stopsAfterTest<A extends AnyActorRef & { stop(): unknown }>(actor: A): A {
  onTestFinished(() => {
    actor.stop();
  });
  return actor;
}

/** A promise actor that answers when the test says so, and records its inputs. */
export function answering<Output, Input = NonReducibleUnknown>() {
  const asked: {
    input: Input;
    signal: AbortSignal;
    resolve(output: Output): Promise<void>;
    /** @param more fields of the error besides its code */
    reject(code: string, more?: object): Promise<void>;
    /** Rejects with any value, including one that is no error or has no code. */
    rejectWith(error: unknown): Promise<void>;
  }[] = [];
  const logic = fromPromise<Output, Input>(({ input, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const rejectWith = (error: unknown) => {
      reject(error);
      return tick();
    };
    asked.push({
      input,
      signal,
      resolve: (output) => {
        resolve(output);
        return tick();
      },
      reject: (code, more) => rejectWith(failure(code, more)),
      rejectWith,
    });
    return promise;
  });
  return {
    logic,
    asked,
    inputs: () => asked.map(({ input }) => input),
    last: () => {
      const ask = asked.at(-1);
      if (ask === undefined) throw new Error("nobody asked");
      return ask;
    },
  };
}

/** A callback actor that sends events when the test says so, and records received events. */
export function talking<Said extends EventObject, Heard extends EventObject = EventObject, Input = NonReducibleUnknown>() {
  const heard: Heard[] = [];
  const runs: { input: Input; send(event: Said): void }[] = [];
  let starts = 0;
  const logic = fromCallback<Heard, Input>(({ sendBack, receive, input }) => {
    const run = { input, send: sendBack };
    runs.push(run);
    starts += 1;
    receive((event) => heard.push(event));
    return () => {
      runs.splice(runs.indexOf(run), 1);
    };
  });
  return {
    logic,
    heard,
    starts: () => starts,
    running: () => runs.length,
    isRunning: () => runs.length > 0,
    /** Its input, while it runs. */
    input: () => runs.at(-1)?.input,
    say: (event: Said) => {
      const run = runs.at(-1);
      if (run === undefined) throw new Error(`nobody to say ${event.type}`);
      run.send(event);
    },
  };
}

/** One row; rows with a greater `minute` are newer. */
export function row(minute: number, parts: Partial<TranscriptionSummary> = {}): TranscriptionSummary {
  return {
    id: `t${minute}`,
    title: `title ${minute}`,
    text: "",
    translatedText: "",
    sourceLanguage: "en-US",
    targetLanguage: null,
    date: new Date(Date.UTC(2026, 2, 1) + minute * 60_000).toISOString(),
    status: "completed",
    origin: "dictation",
    durationSeconds: null,
    hasAudio: false,
    progress: null,
    error: null,
    ...parts,
  };
}

export function transcription(parts: Partial<Transcription> = {}): Transcription {
  const segment = (start: number, text: string) => ({ start, end: start + 1, text, words: [{ text, start, end: start + 1 }] });
  return {
    ...row(1),
    id: "t",
    title: "talk",
    text: "one two",
    segments: [segment(0, "one"), segment(1, "two")],
    fileName: null,
    engine: null,
    ...parts,
  };
}
