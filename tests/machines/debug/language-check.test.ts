import { describe, expect, test } from "vitest";
import { createActor, fromPromise } from "xstate";
import type { CallReport } from "#contract/index.ts";
import {
  languageCheckMachine,
  selectAsked,
  selectCheckError,
  selectReports,
  selectUsed,
} from "#machines/debug/language-check.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

const calls = ["/", "/languages/codes", "/languages/supported"];
const welsh = { code: "cy", name: "Welsh", nativeName: "Cymraeg" };
const accepted = { shape: "array", languages: [welsh], leftOut: 0 };
const works = (path: string): CallReport => ({ path, status: 200, took: 5, raw: "[]", isOk: true, accepted });
const fails = (path: string): CallReport => ({ path, status: 503, took: 5, raw: "", isOk: false, accepted: null });

/** The calls that are being answered, in the order in which they were asked. */
function setUp() {
  const open: (PromiseWithResolvers<CallReport> & { path: string; signal: AbortSignal })[] = [];
  const ask = fromPromise<CallReport, { path: string }>(({ input, signal }) => {
    const answer = { ...Promise.withResolvers<CallReport>(), path: input.path, signal };
    open.push(answer);
    return answer.promise;
  });
  const machine = languageCheckMachine.provide({ actors: { ask } });
  const actor = stopsAfterTest(createActor(machine, { input: { calls } })).start();
  const answer = async (report: (path: string) => CallReport) => {
    const call = open.at(-1);
    call?.resolve(report(call.path));
    await call?.promise;
  };
  return { actor, open, answer, get: actor.getSnapshot.bind(actor) };
}

describe("language check", () => {
  test("makes one call after another from the start, whatever the answers", async () => {
    const { open, answer, get } = setUp();
    expect([selectAsked(get()), selectUsed(get())]).toEqual(["/", null]);
    await answer(fails);
    expect(selectAsked(get())).toBe("/languages/codes");
    await answer(fails);
    await answer(works);
    expect(open.map(({ path }) => path)).toEqual(calls);
    expect(get().value).toBe("done");
    expect(selectAsked(get())).toBeNull();
    expect(selectReports(get()).map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(selectUsed(get())).toMatchObject({ path: "/languages/supported", accepted: { languages: [welsh] } });
  });

  test("uses the built-in list only when no call has worked", async () => {
    const { answer, get } = setUp();
    for (const _ of calls) {
      expect(selectUsed(get())).toBeNull();
      await answer(fails);
    }
    expect(selectUsed(get())).toBe("builtIn");
  });

  test("the check of the language calls starts again on request and clears its reports", async () => {
    const { actor, open, answer, get } = setUp();
    await answer(fails);
    actor.send({ type: "run.requested" });
    expect(open[1]?.signal.aborted).toBe(true);
    expect([selectAsked(get()), selectReports(get())]).toEqual(["/", []]);
  });

  test("the check of the language calls shows why it failed and can start again", async () => {
    const { actor, open, get } = setUp();
    open[0]?.reject(Object.assign(new Error("no"), { code: "network" }));
    await open[0]?.promise.catch(() => {});
    expect([get().value, selectCheckError(get())]).toEqual(["failed", "network"]);
    actor.send({ type: "run.requested" });
    expect([get().value, selectCheckError(get())]).toEqual(["asking", null]);
  });
});
