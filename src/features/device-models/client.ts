import type { Segment } from "#contract/index.ts";
import type { DeviceModelEvent } from "#machines/device-models/events.ts";
import { DeviceFailure } from "./failure.ts";
import type { ModelFiles } from "./files.ts";
import type { Question, Told } from "./messages.ts";
import type { DeviceRecogniser, RecognitionListener } from "./recogniser.ts";
import { createThread, type Task, type WorkerClient } from "./thread.ts";

/** A stream or recording that the worker recognizes. */
interface Recognition extends Task<Segment[]>, Partial<Pick<RecognitionListener, "onInterim" | "onFinal">> {
  onProgress?(fraction: number): void;
}

/**
 * Recognizes speech in a worker. The worker exists while the machine runs it.
 * @param url of the worker's script
 * @param send sends events to the machine
 */
export function createClient(
  url: string,
  files: ModelFiles,
  send: (event: DeviceModelEvent) => void,
): WorkerClient & DeviceRecogniser {
  const hear = (told: Told) => {
    const task = thread.find(told.id);
    if (told.type === "interim") task?.onInterim?.(told.text);
    if (told.type === "final") task?.onFinal?.(told.segment);
    if (told.type === "progress") task?.onProgress?.(told.fraction);
    if (told.type === "done") thread.finish(told.id)?.settle(told.segments);
    if (told.type === "failed") {
      if (told.code === "tooSlow") send({ type: "slowness.noted" });
      thread.finish(told.id)?.fail(told.code);
    }
  };
  const open = (lock: string) => thread.post({ type: "open", files, lock });
  const thread = createThread<Question, Told, Segment[], Recognition>({ name: "recogniser", url, open, hear, send });
  const { run, post, begin, cancel, ask } = thread;
  return {
    run,
    listen: (listener) => {
      const { promise, resolve, reject } = Promise.withResolvers<Segment[]>();
      // Prevents an unhandled rejection: the caller may not have called `end` yet.
      promise.catch(() => {});
      const fail = (code: string) => {
        reject(new DeviceFailure(code));
        listener.onFailed(code);
      };
      const id = begin({ onInterim: listener.onInterim, onFinal: listener.onFinal, settle: resolve, fail });
      post({ type: "listen", id });
      return {
        write: (pcm) => post({ type: "write", id, pcm }, [pcm.buffer]),
        end: () => {
          post({ type: "end", id });
          return promise;
        },
        cancel: () => cancel(id),
      };
    },
    transcribe: (sound, { signal, onProgress }) =>
      ask(signal, (task) => {
        const id = begin({ ...task, onProgress });
        post({ type: "transcribe", id, sound });
        return id;
      }),
  };
}
