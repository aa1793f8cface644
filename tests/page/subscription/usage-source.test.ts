import { describe, expect, test } from "vitest";
import { createCall, createPlainSend } from "#src/api/http.ts";
import { createSubscriptionsApi, createUsageApi } from "#src/api/subscription.ts";
import { createUsageSource } from "#src/features/subscription/usage-source.ts";

const own = "/api/v1/usage";
const account = "/subscriptions/account/subscription";
const mine = "/subscriptions/me";

/** A server that knows only these calls. */
function against(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const ask = async (url: string | URL | Request) => {
    const path = String(url);
    asked.push(path);
    const answer = answers[path];
    if (answer instanceof Response) return answer.clone();
    return path in answers ? Response.json(answer) : Response.json({ message: "Not found" }, { status: 404 });
  };
  const call = createCall(createPlainSend("", ask));
  const source = createUsageSource(createUsageApi(call), () => Date.UTC(2026, 11, 31, 23));
  return { asked, call, ask: () => source(new AbortController().signal) };
}

const usageData = { usedTranslationMinutes: 8.5 };
const resetsAt = "2027-01-01T00:00:00.000Z";
const free = { usedTranslationMinutes: 8.5, limitMinutes: 10, resetsAt };

// SPEC 3: "usageData (usedTranslationMinutes)"
describe("used minutes on a server without a call for them", () => {
  test.each([
    ["beside a status", { [account]: { id: 1, status: "free", usageData } }, free],
    ["without an id", { [account]: { status: "free", usageData } }, free],
    ["of somebody who pays", { [account]: { id: 1, status: "active", usageData } }, { ...free, limitMinutes: null }],
    ["of somebody who tries", { [account]: { id: 1, status: "trialing", usageData } }, { ...free, limitMinutes: null }],
    ["of somebody who does not pay any more", { [account]: { id: 1, status: "canceled", usageData } }, free],
    ["beside no subscription", { [mine]: { subscription: null, usageData } }, free],
    [
      "beside the subscription",
      { [mine]: { subscription: { id: 1, status: "active" }, usageData } },
      { ...free, limitMinutes: null },
    ],
    [
      "in the subscription",
      { [mine]: { subscription: { id: 1, status: "active", usageData } } },
      { ...free, limitMinutes: null },
    ],
    ["in the second answer", { [account]: { id: 1, status: "free" }, [mine]: { subscription: null, usageData } }, free],
  ])("used minutes of a server without a call for them are found %s", async (_, answers, usage) => {
    expect(await against(answers).ask()).toEqual(usage);
  });

  test.each([
    ["no subscription", {}],
    ["a subscription that says nothing of them", { [account]: { id: 1, status: "active" }, [mine]: { subscription: null } }],
    ["what is no number", { [account]: { id: 1, status: "active", usageData: { usedTranslationMinutes: "many" } } }],
    ["less than nothing", { [account]: { id: 1, status: "active", usageData: { usedTranslationMinutes: -1 } } }],
    ["nothing", { [account]: { id: 1, status: "active", usageData: null } }],
  ])("used minutes of a server without a call for them are unknown with %s", async (_, answers) => {
    await expect(against(answers).ask()).rejects.toMatchObject({ code: "notOffered" });
  });

  test("used minutes of a server without a call for them are requested where they were found, but not while the server is down", async () => {
    const answers: Record<string, unknown> = { [mine]: { subscription: null, usageData } };
    const { ask, asked } = against(answers);
    await ask();
    expect(asked.splice(0)).toEqual([own, account, mine]);
    await ask();
    expect(asked.splice(0)).toEqual([mine]);
    answers[mine] = new Response(null, { status: 500 });
    await expect(ask()).rejects.toMatchObject({ status: 500 });
    expect(asked).toEqual([mine]);
  });
});

test("used minutes come from the call for minutes if there is one", async () => {
  const usage = { usedTranslationMinutes: 3, limitMinutes: 10, resetsAt };
  const { ask, asked } = against({ [own]: usage, [account]: { id: 1, status: "active", usageData } });
  expect(await ask()).toEqual(usage);
  expect(asked).toEqual([own]);
});

// SPEC 4 Subscription: "Anything else means free."
test.each([null, { status: "free" }, { id: null, status: "free" }])(
  "treats a subscription answered with %j as missing",
  async (answer) => {
    const { call } = against({ [account]: answer });
    expect((await createSubscriptionsApi(call).find())?.status).toBe(answer?.status);
  },
);
