import type { DeviceModelEvent } from "#machines/device-models/events.ts";
import type { TranslatorFile } from "./files.ts";
import type { Translated, TranslatorQuestion } from "./messages.ts";
import { createThread, type Task, type WorkerClient } from "./thread.ts";

/** Translates with a model stored in this browser. No text leaves the browser. */
interface Client extends WorkerClient {
  /**
   * Translates each text, in order.
   * @throws DeviceFailure; the signal's reason when it is aborted
   */
  translate(texts: readonly string[], signal: AbortSignal): Promise<string[]>;
}

interface TranslatorParts {
  /** The URL of the worker's script. */
  url: string;
  /** The name of the Cache with the files. */
  cache: string;
  files(): readonly TranslatorFile[];
  target: string;
  /** Sends an event to the machine. */
  send(event: DeviceModelEvent): void;
}

/** Translates in a worker. The worker exists while the machine runs it. */
export function createTranslator({ url, cache, files, target, send }: TranslatorParts): Client {
  const hear = ({ id, texts }: Translated) => finish(id)?.settle(texts);
  const open = (lock: string) => post({ type: "open", cache, files: files(), lock });
  const { run, post, begin, finish, ask } = createThread<TranslatorQuestion, Translated, string[], Task<string[]>>({
    name: "translator",
    url,
    open,
    hear,
    send,
  });
  return {
    run,
    translate: (texts, signal) =>
      ask(signal, (task) => {
        const id = begin(task);
        post({ type: "translate", id, texts, target });
        return id;
      }),
  };
}
