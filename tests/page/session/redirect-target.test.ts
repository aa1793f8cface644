import { describe, expect, test } from "vitest";
import { createStorage } from "#src/browser/storage.ts";
import { createRedirectTarget, safePath } from "#src/features/session/redirect-target.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const origin = "https://parlance.example";

// SPEC 4 Federated sign-in message: "The browser then navigates to the remembered path or to /dashboard"
// SPEC 9: "Default post-login path"
// SPEC 1: "After sign-in the user goes to the dashboard."
test("the stored redirect path is returned once, then the default", () => {
  const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
  target.remember("/transcription/7?at=3#end");
  expect(target.take()).toBe("/transcription/7?at=3#end");
  expect(target.take()).toBe("/dashboard");
});

// SPEC 4 Federated sign-in message: "the current path is not /signin, that path is stored as the remembered path"
test.each(["/signup", "/signup?lng=da#top", "/second-step", "/auth/google/callback", "/"])(
  "keeps the wanted page when a sign-in begins on %s",
  (path) => {
    const store = createStorage(new FakeOrigin().openTab());
    const target = createRedirectTarget(store, origin);
    target.remember("/settings?section=look#theme");
    target.remember(path);
    expect(target.take()).toBe("/settings?section=look#theme");
    target.remember(path);
    expect(store.read("redirectTo")).toBe(path);
    expect(target.take()).toBe("/dashboard");
  },
);

test("a later page replaces the stored redirect target", () => {
  const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
  target.remember("/settings");
  target.remember("/signup?plan=premium&interval=year");
  target.remember("//evil.example");
  expect(target.take()).toBe("/subscription?plan=premium&interval=year");
});

test("forgets a stored redirect path after it is cleared", () => {
  const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
  target.remember("/settings");
  target.clear();
  expect(target.take()).toBe("/dashboard");
});

describe("plan chosen before the registration", () => {
  const opened = () => createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);

  // SPEC 9: "Billing interval values"
  test.each(["year", "month"])("a chosen plan leads to the checkout with its interval: %s", (interval) => {
    const target = opened();
    target.rememberPlan({ plan: "premium", interval });
    expect(target.take()).toBe(`/subscription?plan=premium&interval=${interval}`);
  });

  test("the plan chosen before the sign-up is dropped when the sign-up opens again without it", () => {
    const target = opened();
    target.rememberPlan({ plan: "premium", interval: "month" });
    target.rememberPlan({});
    expect(target.take()).toBe("/dashboard");
    target.remember("/settings");
    target.rememberPlan({});
    expect(target.take()).toBe("/settings");
  });

  test.each([
    { plan: "premium" },
    { plan: "premium", interval: "week" },
    { plan: "premium", interval: "//evil.com" },
    { plan: "gold", interval: "year" },
    { plan: ["premium"], interval: ["year"] },
  ])("the plan chosen before the sign-up is rejected: %j", (search) => {
    const target = opened();
    target.rememberPlan(search);
    expect(target.take()).toBe("/dashboard");
  });

  test("the plan chosen before the sign-up stays chosen when another sign-in remembered the sign-up page", () => {
    const target = opened();
    target.remember("/signup?plan=premium&interval=month");
    expect(target.take()).toBe("/subscription?plan=premium&interval=month");
    expect(safePath("/signup?plan=premium&interval=/evil", origin)).toBeUndefined();
    expect(safePath("//evil.com/signup?plan=premium&interval=year", origin)).toBeUndefined();
  });
});

// SPEC 2 Route guard: "stores the wanted path as a redirect target"
describe("unsafe redirect", () => {
  test.each([
    "//evil.com",
    "/.//evil.com",
    "/x/..//evil.com",
    "/\\evil.com",
    "/\t/evil.com",
    "\\\\evil.com",
    "https://evil.com/dashboard",
    "https://parlance.example.evil.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "dashboard",
    "",
    "///evil.com",
    "/\n/evil.com",
    "/\r\\evil.com",
    "/\t\\evil.com",
    "\t//evil.com",
    " //evil.com",
    "/.\\/evil.com",
    "/..//evil.com",
    "/%2e//evil.com",
    "/x/%2E%2E//evil.com",
    "/.\t//evil.com",
    "/x/..\\\\evil.com",
    "//evil.com@parlance.example/..//x",
    "https://parlance.example@evil.com/",
    "https:evil.com",
    "http://parlance.example/dashboard",
    "blob:https://parlance.example/x",
    "//[",
    "/signin",
    "/signin/",
    "/signup?x=1",
    "/auth/google/callback?token=x",
    "/",
  ])("rejects the unsafe redirect %j", (path) => {
    expect(safePath(path, origin)).toBeUndefined();
  });

  test.each([
    "/dashboard",
    "/speech-to-text?language=da",
    "/transcription/a%2F%2Fb#x",
    "/%5Cevil.com",
    "/a?next=//evil.com",
    "/a/../dashboard",
  ])("accepts the own path %j as a redirect", (path) => {
    expect(safePath(path, origin)).toBe(path.replace("/a/..", ""));
  });
});
