import { parentPort } from "node:worker_threads";
import { Problem } from "#server/common/problem.ts";

/** Functions that a thread does, by name; what they take and give is cloned. */
export type Work = Record<string, (input: never) => unknown>;

interface ThreadTask {
  name: string;
  /** As the function of this name takes it (Pool.run). */
  input: never;
}

/** What a function has thrown: a refusal of the contract, or anything else. */
export type ThreadRefusal = { problem: Pick<Problem, "code" | "message" | "status"> } | { error: unknown };

/** A result whose buffers are moved to whoever asked instead of cloned. */
const moved = new WeakMap<object, readonly ArrayBuffer[]>();

export function transferring<Result extends object>(result: Result, ...buffers: ArrayBuffer[]): Result {
  moved.set(result, buffers);
  return result;
}

/** Does the tasks of the pool that has started this thread, one at a time. */
export function serveThread(functions: Work): void {
  parentPort?.on("message", async ({ name, input }: ThreadTask) => {
    try {
      const result = await functions[name]?.(input);
      const buffers = typeof result === "object" && result !== null ? moved.get(result) : undefined;
      parentPort?.postMessage({ result }, [...(buffers ?? [])]);
    } catch (error) {
      parentPort?.postMessage(refusalOf(error));
    }
  });
}

function refusalOf(error: unknown): ThreadRefusal {
  if (!(error instanceof Problem)) return { error };
  const { code, message, status } = error;
  return { problem: { code, message, status } };
}
