import { onTestFinished } from "vitest";
import { type AnyActorRef, type EventObject, fromCallback, fromPromise, type NonReducibleUnknown } from "xstate";
import type { Transcription, TranscriptionSummary } from "#contract/index.ts";

/** Lets every promise that is settled be heard. */
export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
export const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

export function stopsAfterTest<A extends AnyActorRef & { stop(): unknown }>(actor: A): A {
  onTestFinished(() => {
    actor.stop();
  });
  return actor;
}

/** A promise actor that answers when the test says so, and a record of what it was asked. */
export function answering<Output, Input = NonReducibleUnknown>() {
  const asked: {
    input: Input;
    signal: AbortSignal;
    resolve(output: Output): Promise<void>;
    /** @param more what the error says besides its code */
    reject(code: string, more?: object): Promise<void>;
  }[] = [];
  const logic = fromPromise<Output, Input>(({ input, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    asked.push({
      input,
      signal,
      resolve: (output) => {
        resolve(output);
        return tick();
      },
      reject: (code, more) => {
        reject(failure(code, more));
        return tick();
      },
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

/** A callback actor that sends what the test wants, and a record of what it heard. */
export function talking<Said extends EventObject, Heard extends EventObject = EventObject, Input = NonReducibleUnknown>() {
  const heard: Heard[] = [];
  const runs: ((event: Said) => void)[] = [];
  const logic = fromCallback<Heard, Input>(({ sendBack, receive }) => {
    runs.push(sendBack);
    receive((event) => heard.push(event));
    return () => {
      runs.splice(runs.indexOf(sendBack), 1);
    };
  });
  return {
    logic,
    heard,
    running: () => runs.length,
    say: (event: Said) => {
      const speak = runs.at(-1);
      if (speak === undefined) throw new Error(`nobody to say ${event.type}`);
      speak(event);
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
