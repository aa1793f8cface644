import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { FederatedProvider } from "#contract/index.ts";
import {
  federatedReturnMachine,
  type Returned,
  selectEmailToConfirm,
  selectIsProfileMissing,
  selectIsUnreachable,
  selectReturnRefusal,
} from "#machines/session/federated-return.ts";
import {
  type FederatedEvent,
  federatedSignInMachine,
  selectIsInWindow,
  selectIsLeaving,
  selectLeavingTo,
  selectProvider,
  selectProviders,
  selectRefusal,
} from "#machines/session/federated-sign-in.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { ada } from "./harness.ts";

const providers: FederatedProvider[] = [
  { id: "one", name: "One" },
  { id: "two", name: "Two" },
];

function setUp() {
  const loadProviders = answering<readonly FederatedProvider[]>();
  const messages = talking<FederatedEvent, FederatedEvent>();
  const window = talking<FederatedEvent, FederatedEvent, { provider: string }>();
  const done: string[] = [];
  const machine = federatedSignInMachine.provide({
    actors: { loadProviders: loadProviders.logic, messages: messages.logic, window: window.logic },
    actions: {
      rememberPath: (_, { path }) => done.push(`remember ${path}`),
      begin: (_, { accessToken }) => done.push(`begin ${accessToken}`),
      leavePage: (_, { provider }) => done.push(`leave for ${provider}`),
      openLinking: () => done.push("linking"),
      openSecondStep: () => done.push("code"),
    },
  });
  const actor = stopsAfterTest(createActor(machine)).start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { loadProviders, messages, window, done, get, send: actor.send.bind(actor) };
}

async function offered() {
  const page = setUp();
  page.send({ type: "provider.requested" });
  await page.loadProviders.last().resolve(providers);
  return page;
}

const signIn = (provider = "two", path = "/signin") => ({ type: "signIn.requested", provider, path }) as const;

describe("offered providers", () => {
  test("loads the offered providers once", async () => {
    const { loadProviders, get, send } = setUp();
    send(signIn());
    send({ type: "provider.requested" });
    send({ type: "provider.requested" });
    expect([loadProviders.asked.length, get(selectProviders), get(selectProvider)]).toEqual([1, [], null]);
    await loadProviders.last().resolve(providers);
    expect([get(selectProviders), get(selectProvider)]).toEqual([providers, "One / Two"]);
  });

  test("offers no providers if there are none, and asks again on the next page after a failure", async () => {
    const none = setUp();
    none.send({ type: "provider.requested" });
    await none.loadProviders.last().resolve([]);
    none.send({ type: "provider.requested" });
    expect([none.loadProviders.asked.length, none.get(selectProvider)]).toEqual([1, null]);
    const unknown = setUp();
    unknown.send({ type: "provider.requested" });
    await unknown.loadProviders.last().reject("network");
    unknown.send({ type: "provider.requested" });
    expect(unknown.loadProviders.asked).toHaveLength(2);
  });
});

describe("sign-in in a popup", () => {
  test("opens the chosen provider in a popup, shows its name, and remembers the wanted page", async () => {
    const { window, get, send, done } = await offered();
    send(signIn("two", "/signin?to=%2Fvault#top"));
    expect([window.input(), get(selectIsInWindow), get(selectProvider), done]).toEqual([{ provider: "two" }, true, "Two", []]);
    send(signIn("one", "/pricing?year#plans"));
    expect([window.input(), window.running(), window.starts(), get(selectProvider)]).toEqual([{ provider: "one" }, 1, 2, "One"]);
    expect(done).toEqual(["remember /pricing?year#plans"]);
  });

  test.each(["messages", "window"] as const)("a sign-in by a provider uses the token from the %s", async (from) => {
    const page = await offered();
    page.send(signIn());
    page[from].say({ type: "token.received", accessToken: "t" });
    expect([page.done, page.get(selectIsInWindow), page.window.running()]).toEqual([["begin t"], false, 0]);
  });

  test("allows a retry after a closed or refused popup, and shows the refusal until then", async () => {
    const { window, messages, get, send } = await offered();
    send(signIn());
    window.say({ type: "window.closed" });
    expect([get(selectIsInWindow), get(selectRefusal)]).toEqual([false, null]);
    send(signIn());
    messages.say({ type: "refusal.received", code: "providerFailed" });
    expect([get(selectIsInWindow), get(selectRefusal), window.running()]).toEqual([false, "providerFailed", 0]);
    send(signIn());
    expect(get(selectRefusal)).toBeNull();
    messages.say({ type: "refusal.received", code: "providerFailed" });
    send(signIn("one", "/pricing"));
    expect(get(selectRefusal)).toBeNull();
    messages.say({ type: "refusal.received", code: "providerFailed" });
    send({ type: "page.left" });
    expect([get(selectRefusal), get(selectIsInWindow)]).toEqual([null, false]);
  });

  test("continues in the same window when the popup is blocked, and ends when the page is back", async () => {
    const { window, messages, get, send, done } = await offered();
    send(signIn());
    expect([get(selectIsLeaving), get(selectLeavingTo)]).toEqual([false, null]);
    window.say({ type: "window.refused" });
    expect([get(selectIsLeaving), get(selectLeavingTo), done]).toEqual([true, "two", ["leave for two"]]);
    messages.say({ type: "page.returned" });
    expect([get(selectIsLeaving), get(selectLeavingTo)]).toEqual([false, null]);
  });
});

test("accepts the report of a popup from before the reload, and clears the refusal", () => {
  const { messages, get, done } = setUp();
  const refused = () => {
    messages.say({ type: "refusal.received", code: "providerFailed" });
    return get(selectRefusal);
  };
  for (const event of [
    { type: "token.received", accessToken: "t" },
    { type: "link.required" },
    { type: "code.required" },
  ] as const) {
    expect(refused()).toBe("providerFailed");
    messages.say(event);
    expect(get(selectRefusal)).toBeNull();
  }
  expect(done).toEqual(["begin t", "linking", "code"]);
});

function returning(input: { token?: string; oneTimeCode?: string }) {
  const exchange = answering<string, { oneTimeCode: string }>();
  const examine = answering<Returned, { token: string; isExchanged: boolean }>();
  const done: string[] = [];
  const machine = federatedReturnMachine.provide({
    actors: { exchange: exchange.logic, examine: examine.logic },
    actions: { begin: (_, { token, user }) => done.push(`begin ${token} ${user?.id}`) },
  });
  const { token = null, oneTimeCode = null } = input;
  const actor = stopsAfterTest(createActor(machine, { input: { token, oneTimeCode, code: "providerFailed" } }));
  actor.on("signIn.completed", ({ type }) => done.push(type));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { exchange, examine, done, get, send: actor.send.bind(actor) };
}

describe("return in the same window", () => {
  test("exchanges the code and signs in the person who began here", async () => {
    const { exchange, examine, done } = returning({ oneTimeCode: "c", token: "ignored" });
    expect([exchange.inputs(), examine.inputs()]).toEqual([[{ oneTimeCode: "c" }], []]);
    await exchange.last().resolve("t");
    expect(examine.inputs()).toEqual([{ token: "t", isExchanged: true }]);
    await examine.last().resolve({ user: ada, isOurs: true });
    expect(done).toEqual(["begin t ada", "signIn.completed"]);
  });

  test("asks for confirmation of the account when the token comes from another browser", async () => {
    const { exchange, examine, done, get, send } = returning({ token: "t" });
    expect([exchange.asked.length, examine.inputs(), get(selectEmailToConfirm)]).toEqual([
      0,
      [{ token: "t", isExchanged: false }],
      null,
    ]);
    await examine.last().resolve({ user: ada, isOurs: false });
    expect([get(selectEmailToConfirm), done]).toEqual(["ada@example.org", []]);
    send({ type: "account.confirmed" });
    expect([get(selectEmailToConfirm), done]).toEqual([null, ["begin t ada", "signIn.completed"]]);
  });

  test("the return from a provider shows the error in the address if it has neither code nor token", () => {
    const { get, exchange, examine } = returning({});
    expect([get(selectReturnRefusal), exchange.asked.length, examine.asked.length]).toEqual(["providerFailed", 0, 0]);
  });

  test("retries a code that could not be sent, but not a refused one", async () => {
    const { exchange, get, send } = returning({ oneTimeCode: "c" });
    await exchange.last().reject("network");
    expect([get(selectIsUnreachable), get(selectReturnRefusal)]).toEqual([true, null]);
    send({ type: "retry.requested" });
    expect([exchange.asked.length, get(selectIsUnreachable)]).toEqual([2, false]);
    await exchange.last().reject("unauthorized");
    expect([get(selectIsUnreachable), get(selectReturnRefusal)]).toEqual([false, "providerFailed"]);
  });

  test("a sign-in by a provider retries when the profile can't be loaded", async () => {
    const { examine, get, send, done } = returning({ token: "t" });
    await examine.last().reject("network");
    expect(get(selectIsProfileMissing)).toBe(true);
    send({ type: "retry.requested" });
    expect([examine.asked.length, get(selectIsProfileMissing), done]).toEqual([2, false, []]);
  });
});
