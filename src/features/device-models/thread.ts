import type { CallbackLogicFunction } from "xstate";
import type { DeviceModelEvent } from "#machines/device-models/events.ts";
import { newId } from "#src/browser/new-id.ts";
import { startWorker } from "#src/browser/start-worker.ts";
import { DeviceFailure } from "./failure.ts";
import type { Cancellation, Life } from "./messages.ts";

/** The page's side of a worker. */
export interface WorkerClient {
  /** The machine's actor `worker`. */
  run: CallbackLogicFunction<DeviceModelEvent, DeviceModelEvent>;
}

/** A task that a worker has not finished yet. */
export interface Task<Result> {
  settle(result: Result): void;
  fail(code: string): void;
}

interface ThreadParts<Told extends { id: number }> {
  /** The name of the worker, its Trusted Types policy, and its lock. */
  name: string;
  url: string;
  /**
   * Posts the message that makes the worker open its model. @param lock the worker holds this Web Lock as long as it
   * lives
   */
  open(lock: string): void;
  /** Called when the worker reports about a task. */
  hear(told: Told): void;
  /** Sends an event to the machine. */
  send(event: DeviceModelEvent): void;
}

/** A model's worker and its open tasks. The worker exists while the machine runs it. */
export function createThread<Question extends { type: string }, Told extends { id: number }, Result, Asked extends Task<Result>>({
  name,
  url,
  open,
  hear,
  send,
}: ThreadParts<Told>) {
  const tasks = new Map<number, Asked>();
  let thread: Worker | undefined;
  let count = 0;
  const post = (question: Question | Cancellation, transfer: Transferable[] = []) => thread?.postMessage(question, transfer);
  /** @returns undefined when the task is not running any more */
  const finish = (id: number): Asked | undefined => {
    const task = tasks.get(id);
    if (tasks.delete(id)) send({ type: "use.ended" });
    return task;
  };
  const cancel = (id: number) => {
    if (finish(id) !== undefined) post({ type: "cancel", id });
  };
  const run: WorkerClient["run"] = ({ sendBack }) => {
    const lock = `${name} ${newId()}`;
    const stop = new AbortController();
    let reason = "absent";
    const lose = (code: string) => {
      reason = code;
      sendBack({ type: "worker.failed", code });
    };
    thread = startWorker(name, url, { type: "module", name });
    thread.addEventListener("message", ({ data }: MessageEvent<Life | Told>) => {
      if ("id" in data) hear(data);
      else if (data.type === "opened") sendBack({ type: "worker.loaded" });
      else if (data.type === "closed") lose(data.code);
      else whenReleased(lock, stop.signal, () => lose("workerLost"));
    });
    // The script failed to load, or crashed.
    thread.addEventListener("error", () => lose("workerLost"));
    open(lock);
    return () => {
      stop.abort();
      thread?.terminate();
      thread = undefined;
      const cutShort = [...tasks.values()];
      tasks.clear();
      // Waits until the machine has left its state, because the caller may begin a new task at once.
      queueMicrotask(() => {
        for (const { fail } of cutShort) fail(reason);
      });
    };
  };
  /** @returns the task's id */
  const begin = (task: Asked): number => {
    count += 1;
    send({ type: "use.begun" });
    if (thread === undefined) queueMicrotask(() => task.fail("absent"));
    else tasks.set(count, task);
    return count;
  };
  return {
    run,
    post,
    find: (id: number): Asked | undefined => tasks.get(id),
    finish,
    cancel,
    begin,
    /**
     * Runs a task, and cancels it when the signal is aborted.
     * @param start begins and posts the task; returns its id
     * @throws DeviceFailure; the signal's reason
     */
    ask: (signal: AbortSignal, start: (task: Task<Result>) => number): Promise<Result> => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      if (signal.aborted) return Promise.reject(signal.reason);
      const id = start({ settle: resolve, fail: (code) => reject(new DeviceFailure(code)) });
      const abort = () => {
        cancel(id);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", abort));
    },
  };
}

/**
 * Calls `then` when the lock becomes free. The browser may kill a worker that uses too much memory without any event;
 * only its lock shows that.
 */
function whenReleased(lock: string, signal: AbortSignal, then: () => void): void {
  // Rejects when the signal is aborted.
  navigator.locks.request(lock, { signal }, then).catch(() => {});
}
