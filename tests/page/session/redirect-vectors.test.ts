import { describe, expect, test } from "vitest";
import { checkoutPath, intervalIn, wantedInterval } from "#machines/subscription/rules.ts";
import { createStorage } from "#src/browser/storage.ts";
import { createRedirectTarget, safePath } from "#src/features/session/redirect-target.ts";
import { redirects } from "#tests/fixtures/vectors.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const origin = "https://parlance.example";
const isOwn = (path: string) => path.startsWith("/") && !/^\/[/\\]/.test(path) && new URL(path, origin).origin === origin;

describe("list of redirect attacks", () => {
  test("tests redirects with at least sixty attacks", () => {
    expect(new Set(redirects).size).toBeGreaterThanOrEqual(60);
  });

  test.each(redirects)("the list of redirect attacks stays on the own site with %j", (vector) => {
    expect(isOwn(safePath(vector, origin) ?? "/")).toBe(true);
    const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
    target.remember(vector);
    expect(isOwn(target.take())).toBe(true);
    // Text that an attacker appends to one of the page's own paths.
    expect(isOwn(safePath(`/dashboard${vector}`, origin) ?? "/")).toBe(true);
    expect(isOwn(safePath(`/x/..${vector}`, origin) ?? "/")).toBe(true);
  });

  test.each(redirects)("a redirect never starts a purchase with %j", (vector) => {
    expect(intervalIn({ interval: vector })).toBeUndefined();
    expect(wantedInterval({ plan: "premium", interval: vector })).toBeUndefined();
    expect(wantedInterval({ plan: vector, interval: "year" })).toBeUndefined();
    const target = createRedirectTarget(createStorage(new FakeOrigin().openTab()), origin);
    target.rememberPlan({ plan: "premium", interval: vector });
    expect(target.take()).toBe("/dashboard");
    expect(isOwn(checkoutPath("year"))).toBe(true);
  });
});
