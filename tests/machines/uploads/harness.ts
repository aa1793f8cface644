import { fromCallback, fromPromise, type NonReducibleUnknown } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { UploadEvent, UploadFile, UploadOptions } from "#machines/uploads/events.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";

/** A call of an upload that the test answers. */
export interface Asked<Answer> {
  id: string;
  signal: AbortSignal;
  answer(value: Answer): void;
  refuse(error: unknown): void;
}

/** An error that looks like an `ApiError` to a machine. */
export const refusal = (status: number, code: string, progressed = false) =>
  Object.assign(new Error(code), { status, code, progressed });

export const options: UploadOptions = { sourceLanguage: "en", targetLanguage: null, title: "", vocabulary: "", speakers: false };

export function summary(changes: Partial<TranscriptionSummary> = {}): TranscriptionSummary {
  return {
    id: "t1",
    title: "Talk",
    text: "",
    translatedText: "",
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-11-20T10:00:00.000Z",
    status: "processing",
    origin: "upload",
    durationSeconds: null,
    hasAudio: true,
    progress: { stage: "waiting", fraction: 0, secondsLeft: null },
    error: null,
    ...changes,
  };
}

/** The machine of one upload in an environment where the test answers each call. */
export function createUploadHarness() {
  const checks: Asked<void>[] = [];
  const transfers: Asked<TranscriptionSummary>[] = [];
  const asks: Asked<TranscriptionSummary>[] = [];
  const retries: Asked<TranscriptionSummary>[] = [];
  const discards: Asked<void>[] = [];
  const listeners = { updates: new Set<Listener>(), wakeUps: new Set<Listener>(), signIn: new Set<Listener>() };
  const opened: string[] = [];

  const listening = <Input extends NonReducibleUnknown>(kind: keyof typeof listeners) =>
    fromCallback<UploadEvent, Input>(({ sendBack }) => {
      opened.push(kind);
      listeners[kind].add(sendBack);
      return () => listeners[kind].delete(sendBack);
    });
  const recording = <Answer>(list: Asked<Answer>[], id: string, signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    list.push({ id, signal, answer: resolve, refuse: reject });
    return promise;
  };

  const machine = uploadMachine.provide({
    actors: {
      checkFile: fromPromise<void, UploadFile>(({ input, signal }) => recording(checks, input.id, signal)),
      transfer: fromPromise<TranscriptionSummary, { file: UploadFile; options: UploadOptions }>(({ input, signal }) =>
        recording(transfers, input.file.id, signal),
      ),
      discard: fromPromise<void, { id: string }>(({ input, signal }) => recording(discards, input.id, signal)),
      ask: fromPromise<TranscriptionSummary, { id: string }>(({ input, signal }) => recording(asks, input.id, signal)),
      reprocess: fromPromise<TranscriptionSummary, { id: string }>(({ input, signal }) => recording(retries, input.id, signal)),
      updates: listening<{ id: string }>("updates"),
      wakeUps: listening<NonReducibleUnknown>("wakeUps"),
      signIn: listening<NonReducibleUnknown>("signIn"),
    },
  });
  const emit = (kind: keyof typeof listeners, event: UploadEvent) => {
    for (const listener of [...listeners[kind]]) listener(event);
  };
  return { machine, checks, transfers, asks, retries, discards, emit, opened, listeners };
}

type Listener = (event: UploadEvent) => void;

/** Waits until the reactions to settled promises have run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}
