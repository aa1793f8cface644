import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInspector, type StatelyInspectionEvent } from "@statelyai/inspect";
import { describe, expect, test } from "vitest";
import { createActor, fromPromise } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { sessionMachine } from "#machines/session/machine.ts";
import type { RefreshOutcome } from "#machines/session/rules.ts";
import { type SubmissionResult, submissionMachine, type Values } from "#machines/submission.ts";
import { transcriptionMachine } from "#machines/transcription/machine.ts";
import { hidden, withoutSecrets } from "#src/features/inspection/privacy.ts";
import { wantedInspection } from "#src/features/inspection/start.ts";
import { safely } from "#src/features/inspection/stately.ts";
import { until } from "#tests/fixtures/until.ts";
import { transcription } from "#tests/machines/harness.ts";
import { ada, startSession, stored, token } from "#tests/machines/session/harness.ts";

const secretToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";

describe("inspection in the address", () => {
  test.each([
    ["", undefined],
    ["?lng=de", undefined],
    ["?inspect", "own"],
    ["?lng=de&inspect=", "own"],
    ["?inspect=stately", "stately"],
  ])("the query %j asks for the inspection mode %s", (search, mode) => {
    expect(wantedInspection(search)).toBe(mode);
  });
});

test("makes every actor of the page watchable", () => {
  const root = join(import.meta.dirname, "../../../src");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;
  const unwatched = sources.filter((path) => {
    const source = readFileSync(join(root, path), "utf8").replaceAll(/\/?\*.*|\/\/.*/g, "");
    return count(source, /\bcreateActor\(/g) > count(source, /\binspected\(\)/g);
  });
  expect(unwatched).toEqual([]);
});

describe("data for an inspector", () => {
  test("inspection data keeps structure, numbers and codes but no words", () => {
    const context = {
      failures: 2,
      isSignedIn: true,
      lastFailureAt: null,
      code: "network",
      nested: [{ status: "failed", fraction: 0.5 }],
    };
    expect(withoutSecrets(context)).toEqual(context);
  });

  // PROMISE start: People can watch the live machines, without tokens, addresses, names or texts
  test("inspection data hides tokens, addresses, names and texts under any key", () => {
    const secrets = {
      token: { value: secretToken, expiresAt: 1 },
      refused: secretToken,
      user: { id: "u1", email: "ada@example.org", name: "Ada", avatar_url: "https://example.org/ada.png" },
      values: { email: "ada@example.org", password: "correct horse" },
      transcription: {
        id: "t1",
        title: "My illness",
        text: "what I said",
        segments: [{ text: "what", words: [{ text: "what" }] }],
      },
      anythingNew: "what I said",
      // A link to a transcript: its secret, and the text that its visitors type.
      created: { secret: "x".repeat(43), name: "Ada" },
      passphrase: "correct horse",
      list: ["what I said"],
    };
    const text = JSON.stringify(withoutSecrets(secrets));
    expect(text).not.toMatch(/eyJ|@|Ada|example|horse|illness|said|what|xxx/);
    expect(text).toContain('"id":"t1"');
  });

  test("inspection data hides secrets even under a code's key", () => {
    expect(
      withoutSecrets({ code: secretToken, id: "ada@example.org", status: "what I said", key: "eyJhbGciOiJIUzI1NiJ9.abc" }),
    ).toEqual({
      code: hidden,
      id: hidden,
      status: hidden,
      key: hidden,
    });
  });

  test("skips buffers, files, maps and actors, and stops at a depth", () => {
    const actor = createActor(
      fromPromise(() => Promise.resolve(1)),
      { id: "child" },
    );
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const given = { audio: new Uint8Array([1, 2]), file: new Blob(["a"]), map: new Map([["a", "b"]]), actor, now: () => 1 };
    expect(withoutSecrets(given)).toEqual({
      audio: hidden,
      file: hidden,
      map: hidden,
      actor: { actor: "child" },
      now: undefined,
    });
    expect(JSON.stringify(withoutSecrets(circle))).toContain(hidden);
    expect(withoutSecrets(Array.from({ length: 30 }, (_, index) => index))).toHaveLength(21);
  });

  test("reduces an error to its code and status", () => {
    const error = Object.assign(new Error("ada@example.org is taken"), { code: "emailTaken", status: 409 });
    expect(withoutSecrets({ error })).toEqual({ error: { type: "error", code: "emailTaken", status: 409 } });
  });
});

/** Everything that an inspector was sent while `work` ran. */
async function inspected(work: (inspect: ReturnType<typeof createInspector>["inspect"]) => Promise<unknown>): Promise<string> {
  const sent: StatelyInspectionEvent[] = [];
  const { inspect } = createInspector({ send: (event) => sent.push(event) }, safely);
  await work(inspect);
  await until(() => expect(sent.length).toBeGreaterThan(2));
  await new Promise((resolve) => setTimeout(resolve, 20));
  return JSON.stringify(sent);
}

describe("inspection through @statelyai/inspect", () => {
  test("leaks no token, address or name of a session", async () => {
    const text = await inspected(async (inspect) => {
      const renewed: RefreshOutcome = { kind: "renewed", stored: stored(token(`${secretToken}2`, 1e12)) };
      const { logic } = startSession(stored(null)).actor;
      const machine = sessionMachine.provide({
        actors: {
          ...logic.implementations.actors,
          refresh: fromPromise<RefreshOutcome, { token: string | null }>(async () => renewed),
          loadProfile: fromPromise(async () => ada),
        },
        actions: { persist: () => {}, persistUser: () => {}, clearToken: () => {}, clearPersistedState: () => {} },
      });
      const actor = createActor(machine, {
        inspect,
        input: { stored: { ...stored(token(secretToken, 1e12)), user: null }, now: Date.now },
      });
      actor.start();
      actor.send({ type: "refresh.requested" });
      await until(() => expect(actor.getSnapshot().context.token?.value).toBe(`${secretToken}2`));
      actor.stop();
    });
    expect(text).toContain('"refreshing"');
    expect(text).not.toMatch(/eyJ|example\.org|"Ada"/);
  });

  test("leaks nothing typed or spoken in a form or transcription", async () => {
    const text = await inspected(async (inspect) => {
      const form = createActor(
        submissionMachine.provide({ actors: { submit: fromPromise<SubmissionResult, Values>(async () => ({ kind: "done" })) } }),
        {
          inspect,
          input: { initial: { email: "" }, check: () => ({}), unknown: { key: "errors.internal" } },
        },
      ).start();
      form.send({ type: "field.changed", field: "email", value: "ada@example.org" });
      form.send({ type: "submit.requested", values: { email: "ada@example.org", password: "correct horse" } });
      const load = fromPromise<Transcription, { id: string }>(async () =>
        transcription({ title: "My illness", text: "what I said" }),
      );
      const one = createActor(transcriptionMachine.provide({ actors: { load } }), { inspect, input: { id: "t", draft: null } });
      one.subscribe({ error: () => {} });
      one.start();
      await until(() => expect(form.getSnapshot().status).toBe("done"));
    });
    expect(text).toContain('"submitting"');
    expect(text).not.toMatch(/example\.org|horse|illness|I said/);
  });
});
