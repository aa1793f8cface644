import type { JsonBodyType } from "msw";
import { onTestFinished } from "vitest";
import { lost } from "./harness-network.ts";

type Value = JsonBodyType | Response;

/** An answer that waits until the test gives it or ends, to see what the page shows meanwhile. */
export interface HeldAnswer {
  /** The answer to pass on: `answer({ "GET /users/me": held.answer })`. */
  answer(): Promise<Value>;
  /** Answers all waiting calls, or the next one if none has arrived yet. */
  give(value: Value): void;
  /** The number of calls so far. */
  calls(): number;
}

export function holdAnswer(): HeldAnswer {
  const waiting: PromiseWithResolvers<Value>[] = [];
  const early: Value[] = [];
  let calls = 0;
  // Otherwise these calls would still wait in later tests, and then make new requests.
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
