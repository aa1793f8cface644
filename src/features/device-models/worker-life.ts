import type { Life } from "./messages.ts";

const say = (life: Life) => postMessage(life);

/**
 * Starts a worker: takes its lock, opens its model, and reports the result.
 * @param lock held for as long as the worker lives
 */
export async function beginLife(lock: string, open: () => Promise<void>, codeOf: (error: unknown) => string): Promise<void> {
  void navigator.locks.request(lock, () => {
    say({ type: "begun" });
    return new Promise(() => {});
  });
  try {
    await open();
    say({ type: "opened" });
  } catch (error) {
    say({ type: "closed", code: codeOf(error) });
  }
}
