import { parentPort } from "node:worker_threads";
import { Problem } from "#server/errors/problem.ts";

/** Functions that run in a thread, by name; their input and output are cloned. */
export type ThreadTasks = Record<string, (input: never) => unknown>;

export interface ThreadTask {
  name: string;
  /** Input of the function of this name (Pool.run). */
  input: unknown;
}

/** An error thrown by a function: a Problem of the contract, or anything else. */
type ThreadRefusal = { problem: Pick<Problem, "code" | "message" | "status"> } | { error: unknown };

/** A message from a thread: its functions are loaded, or a task has ended. The pool knows the type of a result. */
export type ThreadMessage = { isReady: true } | { result: never } | ThreadRefusal;

/** Results whose buffers are transferred to the caller instead of cloned. */
const moved = new WeakMap<object, readonly ArrayBuffer[]>();

export function transferring<Result extends object>(result: Result, ...buffers: ArrayBuffer[]): Result {
  moved.set(result, buffers);
  return result;
}

/** Runs the pool's tasks in this thread, one at a time. */
export function serveThread(functions: ThreadTasks): void {
  parentPort?.on("message", async ({ name, input }: ThreadTask & { input: never }) => {
    try {
      const result = await functions[name]?.(input);
      const buffers = typeof result === "object" && result !== null ? moved.get(result) : undefined;
      parentPort?.postMessage({ result }, [...(buffers ?? [])]);
    } catch (error) {
      parentPort?.postMessage(refusalOf(error));
    }
  });
  parentPort?.postMessage({ isReady: true } satisfies ThreadMessage);
}

function refusalOf(error: unknown): ThreadRefusal {
  if (!(error instanceof Problem)) return { error };
  const { code, message, status } = error;
  return { problem: { code, message, status } };
}
