import { expect, test } from "vitest";
import { hedged } from "#src/features/session/hedge.ts";

interface Request {
  signal: AbortSignal;
  answer(value: string): void;
  fail(error: Error): void;
}

const lost = new Error("lost");
const refused = new Error("refused");

/** A refresh whose requests a test answers. */
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

test("a request that is answered in time is made once", async () => {
  const { requests, outcome, wait } = ask();
  requests[0]?.answer("one");
  expect(await outcome).toBe("one");
  await wait();
  expect(requests).toHaveLength(1);
});

test("one that stays without an answer is made once more, and what answers first counts", async () => {
  const { requests, outcome, wait } = ask();
  await wait();
  expect(requests).toHaveLength(2);
  requests[1]?.answer("two");
  expect(await outcome).toBe("two");
  await wait();
  // Its cookie would be the older one.
  expect(requests[0]?.signal.aborted).toBe(true);
});

test("the later request may come after the first was answered: its cookie is as new or newer", async () => {
  const { requests, outcome, wait } = ask();
  await wait();
  requests[0]?.answer("one");
  expect(await outcome).toBe("one");
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);
});

test("a refusal is an answer, a lost one is not while the other may come", async () => {
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

test("nothing is repeated that nobody waits for any more", async () => {
  const { requests, wait } = ask(false);
  await wait();
  expect(requests).toHaveLength(1);
  const stopped = ask();
  stopped.end.abort();
  await stopped.wait();
  expect(stopped.requests).toHaveLength(1);
});
