import type { CallbackLogicFunction } from "xstate";
import type { Segment } from "#contract/index.ts";
import type { DeviceModelEvent } from "#machines/device-models/events.ts";
import { newId } from "#src/browser/new-id.ts";
import { startWorker } from "#src/browser/start-worker.ts";
import { DeviceFailure } from "./failure.ts";
import type { ModelFiles } from "./files.ts";
import type { Answer, Question } from "./messages.ts";
import type { DeviceRecogniser, RecognitionListener } from "./recogniser.ts";
import workerUrl from "./recogniser.worker.ts?worker&url";

/** A stream or a recording that is being recognized. */
interface Task extends Partial<Pick<RecognitionListener, "onInterim" | "onFinal">> {
  onProgress?(fraction: number): void;
  settle(segments: Segment[]): void;
  fail(code: string): void;
}

interface Client extends DeviceRecogniser {
  /** The machine's actor `worker`. */
  run: CallbackLogicFunction<DeviceModelEvent, DeviceModelEvent>;
}

/**
 * Recognizes in a worker, which is there while the machine runs it.
 * @param send to the machine
 */
export function createClient(files: ModelFiles, send: (event: DeviceModelEvent) => void): Client {
  const tasks = new Map<number, Task>();
  let thread: Worker | undefined;
  let count = 0;
  const post = (question: Question, transfer: Transferable[] = []) => thread?.postMessage(question, transfer);
  /** @returns undefined when it is not running any more */
  const finish = (id: number): Task | undefined => {
    const task = tasks.get(id);
    if (tasks.delete(id)) send({ type: "use.ended" });
    return task;
  };
  const begin = (task: Task): number => {
    count += 1;
    send({ type: "use.begun" });
    if (thread === undefined) queueMicrotask(() => task.fail("absent"));
    else tasks.set(count, task);
    return count;
  };
  const cancel = (id: number) => {
    if (finish(id) !== undefined) post({ type: "cancel", id });
  };
  const hear = (answer: Exclude<Answer, { type: "begun" | "opened" | "closed" }>) => {
    const task = tasks.get(answer.id);
    if (answer.type === "interim") task?.onInterim?.(answer.text);
    if (answer.type === "final") task?.onFinal?.(answer.segment);
    if (answer.type === "progress") task?.onProgress?.(answer.fraction);
    if (answer.type === "done") finish(answer.id)?.settle(answer.segments);
    if (answer.type === "failed") {
      if (answer.code === "tooSlow") send({ type: "slowness.noted" });
      finish(answer.id)?.fail(answer.code);
    }
  };
  return {
    run: ({ sendBack }) => {
      const lock = `recogniser ${newId()}`;
      const stop = new AbortController();
      let reason = "absent";
      const lose = (code: string) => {
        reason = code;
        sendBack({ type: "worker.failed", code });
      };
      thread = startWorker("recogniser", workerUrl, { type: "module", name: "recogniser" });
      thread.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
        if (data.type === "opened") sendBack({ type: "worker.loaded" });
        else if (data.type === "closed") lose(data.code);
        else if (data.type === "begun") whenReleased(lock, stop.signal, () => lose("workerLost"));
        else hear(data);
      });
      // It failed to load, or crashed.
      thread.addEventListener("error", () => lose("workerLost"));
      post({ type: "open", files, lock });
      return () => {
        stop.abort();
        thread?.terminate();
        thread = undefined;
        const cutShort = [...tasks.values()];
        tasks.clear();
        // The machine has left its state then: whoever hears it may begin anew.
        queueMicrotask(() => {
          for (const { fail } of cutShort) fail(reason);
        });
      };
    },
    listen: (listener) => {
      const { promise, resolve, reject } = Promise.withResolvers<Segment[]>();
      // Nobody may wait for the end yet.
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
    transcribe: (sound, { signal, onProgress }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Segment[]>();
      if (signal.aborted) return Promise.reject(signal.reason);
      const id = begin({ onProgress, settle: resolve, fail: (code) => reject(new DeviceFailure(code)) });
      post({ type: "transcribe", id, sound });
      const abort = () => {
        cancel(id);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", abort));
    },
  };
}

/** A worker that the browser ends, for want of memory, says nothing: its lock is free then. */
function whenReleased(lock: string, signal: AbortSignal, then: () => void): void {
  // It rejects when it is not waited for any more.
  navigator.locks.request(lock, { signal }, then).catch(() => {});
}
