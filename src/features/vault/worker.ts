import { startWorker as startThread } from "#src/browser/start-worker.ts";
import workerUrl from "./crypto.worker.ts?worker&url";
import type { Answer, Question, TaskInputs, TaskName, TaskOutputs } from "./tasks.ts";

export type VaultWorker = ReturnType<typeof startWorker>;

/** A failure of the vault. `code` is a key of the locale files (`vault:problem.*`). */
export class VaultFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`The vault: ${code}`);
    this.code = code;
  }
}

/** Encrypts a text. @param recipient "age1…" @throws VaultFailure */
export function sealText(worker: Pick<VaultWorker, "ask">, recipient: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  return worker.ask("sealBytes", { recipient, bytes }, [bytes.buffer]);
}

/** A worker that encrypts and decrypts. */
export function startWorker() {
  const thread = startThread("vault", workerUrl, { type: "module", name: "vault" });
  const waiting = new Map<number, { settle(answer: MessageEvent["data"]): void; fail(code: string): void }>();
  let count = 0;
  let ended = false;
  const end = (code: string) => {
    ended = true;
    thread.terminate();
    for (const { fail } of waiting.values()) fail(code);
    waiting.clear();
  };
  thread.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if ("code" in data) asker?.fail(data.code);
    else asker?.settle(data.output);
  });
  // The script failed to load, or crashed.
  thread.addEventListener("error", () => end("network"));
  return {
    /** @throws VaultFailure with the error code; `locked` when the worker was terminated */
    ask: <Name extends TaskName>(
      name: Name,
      input: TaskInputs[Name],
      transfer: Transferable[] = [],
    ): Promise<TaskOutputs[Name]> => {
      const { promise, resolve, reject } = Promise.withResolvers<TaskOutputs[Name]>();
      if (ended) {
        reject(new VaultFailure("locked"));
        return promise;
      }
      const id = ++count;
      waiting.set(id, { settle: resolve, fail: (code) => reject(new VaultFailure(code)) });
      thread.postMessage({ id, name, input } satisfies Question<Name>, transfer);
      return promise;
    },
    /** Terminates the worker, and clears everything that it holds. */
    end: () => end("locked"),
  };
}
