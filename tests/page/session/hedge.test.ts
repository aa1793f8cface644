import { expect, test } from "vitest";
import { hedged } from "#src/features/session/hedge.ts";

interface Request {
  signal: AbortSignal;
  answer(value: string): void;
  fail(error: Error): void;
}

const lost = new Error("lost");
const refused = new Error("refused");

/** A hedged request whose answers the test gives. */
function ask(isWanted = true) {
  const requests: Request[] = [];
  const end = new AbortController();
  const overdue = Promise.withResolvers<void>();
  const outcome = hedged(
    (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      requests.push({ signal, answer: resolve, fail: reject });
      return promise;
    },
    end.signal,
    { wait: () => overdue.promise.then(() => isWanted), isUnanswered: (error) => error === lost },
  );
  outcome.catch(() => {});
  const wait = async () => {
    overdue.resolve();
    await new Promise(setImmediate);
  };
  return { requests, outcome, wait, end };
}

test("sends a request once when the answer is in time", async () => {
  const { requests, outcome, wait } = ask();
  requests[0]?.answer("one");
  expect(await outcome).toBe("one");
  await wait();
  expect(requests).toHaveLength(1);
});

test("repeats a request without an answer, and takes the first answer", async () => {
  const { requests, outcome, wait } = ask();
  await wait();
  expect(requests).toHaveLength(2);
  requests[1]?.answer("two");
  expect(await outcome).toBe("two");
  await wait();
  // The first request's answer would set an older cookie.
  expect(requests[0]?.signal.aborted).toBe(true);
});

test("a hedged refresh accepts a later answer's newer cookie", async () => {
  const { requests, outcome, wait } = ask();
  await wait();
  requests[0]?.answer("one");
  expect(await outcome).toBe("one");
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);
});

test("takes a refusal as an answer, but waits for the other request after a network error", async () => {
  const first = ask();
  await first.wait();
  first.requests[1]?.fail(lost);
  first.requests[0]?.answer("one");
  expect(await first.outcome).toBe("one");
  const second = ask();
  await second.wait();
  second.requests[1]?.fail(refused);
  await expect(second.outcome).rejects.toBe(refused);
  const third = ask();
  await third.wait();
  for (const request of third.requests) request.fail(lost);
  await expect(third.outcome).rejects.toBe(lost);
});

test("a hedged refresh is not repeated after its caller has aborted", async () => {
  const { requests, wait } = ask(false);
  await wait();
  expect(requests).toHaveLength(1);
  const stopped = ask();
  stopped.end.abort();
  await stopped.wait();
  expect(stopped.requests).toHaveLength(1);
});
