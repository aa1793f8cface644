import type { CallbackLogicFunction } from "xstate";
import type { DeviceModelEvent } from "#machines/device-models/events.ts";
import { DeviceFailure } from "./failure.ts";
import type { TranslatorFile } from "./files.ts";
import type { Translated, TranslatorQuestion } from "./messages.ts";
import { createThread, orAborted } from "./thread.ts";

/** Translates in this browser, with a model that it keeps. No text leaves it. */
interface Client {
  /** The machine's actor `worker`. */
  run: CallbackLogicFunction<DeviceModelEvent, DeviceModelEvent>;
  /**
   * One translation for each text, in their order.
   * @throws DeviceFailure; the signal's reason when it is aborted
   */
  translate(texts: readonly string[], signal: AbortSignal): Promise<string[]>;
}

interface Task {
  settle(texts: string[]): void;
  fail(code: string): void;
}

interface TranslatorParts {
  /** Of the worker's script. */
  url: string;
  /** Where the files are kept. */
  cache: string;
  files(): readonly TranslatorFile[];
  target: string;
  /** To the machine. */
  send(event: DeviceModelEvent): void;
}

/** Translates in a worker, which is there while the machine runs it. */
export function createTranslator({ url, cache, files, target, send }: TranslatorParts): Client {
  const hear = ({ id, texts }: Translated) => finish(id)?.settle(texts);
  const open = (lock: string) => post({ type: "open", cache, files: files(), lock });
  const { run, post, begin, finish } = createThread<TranslatorQuestion, Translated, Task>({
    name: "translator",
    url,
    open,
    hear,
    send,
  });
  return {
    run,
    translate: (texts, signal) => {
      const result = Promise.withResolvers<string[]>();
      if (signal.aborted) return Promise.reject(signal.reason);
      const id = begin({ settle: result.resolve, fail: (code) => result.reject(new DeviceFailure(code)) });
      post({ type: "translate", id, texts, target });
      return orAborted(result, signal, () => {
        if (finish(id) !== undefined) post({ type: "cancel", id });
      });
    },
  };
}
