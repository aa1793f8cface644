import { describe, expect, test } from "vitest";
import { checkoutPath, intervalIn, wantedInterval } from "#machines/subscription/rules.ts";
import { createStorage } from "#src/browser/storage.ts";
import { createRedirectTarget, safePath } from "#src/features/session/redirect-target.ts";
import { redirects } from "#tests/fixtures/vectors.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const origin = "https://parlance.example";
const isOwn = (path: string) => path.startsWith("/") && !/^\/[/\\]/.test(path) && new URL(path, origin).origin === origin;

describe("an address to go back to that leads elsewhere", () => {
  test("is one of sixty at least", () => {
    expect(new Set(redirects).size).toBeGreaterThanOrEqual(60);
  });

  test.each(redirects)("%j does not", (vector) => {
    expect(isOwn(safePath(vector, origin) ?? "/")).toBe(true);
    const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
    target.remember(vector);
    expect(isOwn(target.take())).toBe(true);
    // What somebody adds to a path of ours, and reads out of an address.
    expect(isOwn(safePath(`/dashboard${vector}`, origin) ?? "/")).toBe(true);
    expect(isOwn(safePath(`/x/..${vector}`, origin) ?? "/")).toBe(true);
  });

  test.each(redirects)("%j buys nothing either", (vector) => {
    expect(intervalIn({ interval: vector })).toBeUndefined();
    expect(wantedInterval({ plan: "premium", interval: vector })).toBeUndefined();
    expect(wantedInterval({ plan: vector, interval: "year" })).toBeUndefined();
    const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
    target.rememberPlan({ plan: "premium", interval: vector });
    expect(target.take()).toBe("/dashboard");
    expect(isOwn(checkoutPath("year"))).toBe(true);
  });
});
