import type { JsonBodyType } from "msw";
import { onTestFinished } from "vitest";
import { lost } from "./harness-network.ts";

type Value = JsonBodyType | Response;

/** An answer that is held back until the test gives it, or has ended: for what the page shows meanwhile. */
export interface HeldAnswer {
  /** What the API answers with: `answer({ "GET /users/me": held.answer })`. */
  answer(): Promise<Value>;
  /** Answers all calls that wait; the next one if none has arrived yet. */
  give(value: Value): void;
  /** So many calls have arrived. */
  calls(): number;
}

export function holdAnswer(): HeldAnswer {
  const waiting: PromiseWithResolvers<Value>[] = [];
  const early: Value[] = [];
  let calls = 0;
  // What still waited for it would wait, and ask other things meanwhile, in the tests that follow.
  onTestFinished(() => {
    for (const call of waiting.splice(0)) call.resolve(lost());
  });
  return {
    answer: () => {
      calls += 1;
      const [given] = early.splice(0, 1);
      if (given !== undefined) return Promise.resolve(given);
      const call = Promise.withResolvers<Value>();
      waiting.push(call);
      return call.promise;
    },
    give: (value) => {
      if (waiting.length === 0) early.push(value);
      for (const call of waiting.splice(0)) call.resolve(value);
    },
    calls: () => calls,
  };
}
