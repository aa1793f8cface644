import { expect, test } from "vitest";
import { createActor, fromPromise } from "xstate";
import { createQueryMachine, selectData, selectHasFailed, selectIsLoading, selectIsOffered } from "#machines/query.ts";

const refused = (code: string) => Object.assign(new Error(code), { code });

function query(...answers: (string | Error)[]) {
  let asked = 0;
  const signals: AbortSignal[] = [];
  const machine = createQueryMachine<string>().provide({
    actors: {
      fetchData: fromPromise(async ({ signal }) => {
        const answer = answers[asked] ?? "later";
        asked += 1;
        signals.push(signal);
        if (answer instanceof Error) throw answer;
        return answer;
      }),
    },
  });
  const actor = createActor(machine).start();
  const settled = () => expect.poll(() => selectIsLoading(actor.getSnapshot())).toBe(false);
  return { actor, settled, signals, now: () => actor.getSnapshot() };
}

test("fetches at once and is updated by a change", async () => {
  const { actor, settled, signals, now } = query("first");
  expect([selectData(now()), selectIsLoading(now())]).toEqual([null, true]);
  await settled();
  expect(selectData(now())).toBe("first");
  actor.send({ type: "data.changed", data: "second" });
  expect([selectData(now()), signals.length]).toEqual(["second", 1]);
});

test("a query shows its failure until it is retried", async () => {
  const { actor, settled, now } = query(refused("network"), "second");
  await settled();
  expect([selectHasFailed(now()), selectIsOffered(now())]).toEqual([true, true]);
  actor.send({ type: "retry.requested" });
  expect([selectHasFailed(now()), selectIsLoading(now())]).toEqual([false, true]);
  await settled();
  expect(selectData(now())).toBe("second");
});

test("recognizes a server that lacks the call by its answer", async () => {
  const { settled, now } = query(refused("notOffered"));
  await settled();
  expect(selectIsOffered(now())).toBe(false);
});

test("prefers the answer to a change over a request in flight", async () => {
  const { actor, settled, signals, now } = query("first");
  actor.send({ type: "data.changed", data: "changed" });
  await settled();
  await new Promise((resolve) => setImmediate(resolve));
  expect([selectData(now()), signals.at(0)?.aborted]).toEqual(["changed", true]);
});
