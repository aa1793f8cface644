import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createStorage } from "#src/browser/storage.ts";
import { createSession } from "#src/features/session/create-session.ts";
import { type EffectsEnvironment, followSession } from "#src/features/session/effects.ts";
import { createSessionStore } from "#src/features/session/store.ts";
import { until } from "#tests/fixtures/until.ts";
import { ada, hour, stored, token } from "#tests/machines/session/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const done = { steps: [] as string[], said: [] as string[], routeId: "/_signedIn/dashboard", isIdle: true };
const remembered = { path: "" };

const environment: EffectsEnvironment = {
  router: () => ({
    clearCache: () => done.steps.push("clearCache"),
    history: { replace: (path) => done.steps.push(`replace ${path}`) },
    latestLocation: { href: "/blog/a?x=1" },
    wantedRoutes: () => [done.routeId],
    isIdle: () => done.isIdle,
    invalidate: () => done.steps.push("invalidate"),
    toSignIn: () => done.steps.push("navigate /signin"),
  }),
  target: {
    take: () => "/dashboard",
    clear: () => {},
    remember: (path) => {
      remembered.path = path;
    },
  },
  toast: ({ key }) => done.said.push(key),
};

function begin() {
  const session = createSession({
    store: createSessionStore(createStorage(new FakeOrigin().openTab())),
    refresh: async () => ({ kind: "failed" }),
    logout: async () => {},
    loadProfile: async () => ada,
    now: () => Date.UTC(2026, 10, 20, 12),
    listen: () => () => {},
  });
  followSession(session, environment);
  return session.start();
}

const page = new EventTarget();
vi.stubGlobal("window", page);
beforeEach(() => {
  Object.assign(done, { steps: [], said: [], routeId: "/_signedIn/dashboard", isIdle: true });
});
afterEach(() => vi.restoreAllMocks());

const signIn = (session: ReturnType<typeof begin>, value: string) =>
  session.send({ type: "token.stored", stored: stored(token(value, hour)) });

describe("effects of the session's events", () => {
  test.each([
    ["/_signedIn/_admin/admin", true, ["invalidate"]],
    ["/_signedIn/_admin/admin", false, []],
    ["/_signedIn/dashboard", true, []],
    ["/_public/", true, []],
  ])(
    "effects of the session's events repeat the guard of %s when rights are lost; no navigation under way: %j",
    (routeId, isIdle, steps) => {
      const session = begin();
      const user = { ...ada, isSuperUser: true };
      session.send({ type: "token.stored", stored: { ...stored(token("t", hour)), user } });
      Object.assign(done, { steps: [], routeId, isIdle });
      session.send({ type: "profile.persisted", user: { ...user, name: "Countess" } });
      expect(done.steps).toEqual([]);
      session.send({ type: "profile.persisted", user: ada });
      expect([done.steps, done.said]).toEqual([steps, []]);
    },
  );

  test("effects of the session's events lead a new sign-in to the wanted page without earlier data", () => {
    signIn(begin(), "t");
    expect(done.steps).toEqual(["clearCache", "replace /dashboard"]);
  });

  // SPEC 4 Session expiry: "the user is redirected to /signin with a session-expired toast"
  test("effects of the session's events show a message on an app page, but not on a visitors' page, when the session ends", () => {
    const session = begin();
    for (const routeId of ["/_signedIn/settings", "/_public/terms"]) {
      signIn(session, routeId);
      Object.assign(done, { steps: [], said: [], routeId });
      session.send({ type: "storage.changed", stored: { token: null, clockOffset: 0, user: null } });
      const isApp = routeId.startsWith("/_signedIn");
      expect(done).toMatchObject({
        steps: isApp ? ["navigate /signin"] : [],
        said: isApp ? ["toast.sessionExpired"] : [],
      });
    }
  });

  // SPEC 4 Unauthorised answers: "The exceptions are when the user is already on /signin or /signup"
  test.each([
    ["/_signedIn/settings", ["invalidate"], ["toast.sessionExpired"], ""],
    ["/_public/blog/$slug", ["navigate /signin"], ["toast.sessionExpired"], "/blog/a?x=1"],
    ["/_public/signin", [], [], ""],
    ["/_public/signup", [], [], ""],
  ])(
    "effects of the session's events lead from %s to /signin after a refused call and refresh, with exceptions",
    async (...given) => {
      const [routeId, steps, said, path] = given;
      remembered.path = "";
      const session = begin();
      signIn(session, "t");
      Object.assign(done, { steps: [], said: [], routeId });
      session.send({ type: "unauthorized.answered", refused: "t" });
      await until(() => expect(session.getSnapshot().value.token).toBe("signedOut"));
      expect(done).toMatchObject({ steps, said });
      expect(remembered.path).toBe(path);
    },
  );

  // SPEC 2 Route guard: "Public paths, and any path starting with /blog, skip the auth check."
  test("effects of the session's events leave a visitors' page open when a background read ends the session", async () => {
    const session = begin();
    signIn(session, "t");
    Object.assign(done, { steps: [], said: [], routeId: "/_public/blog/$slug" });
    session.send({ type: "unauthorized.answered", refused: "t", isBackground: true });
    await until(() => expect(session.getSnapshot().value.token).toBe("signedOut"));
    expect(done).toMatchObject({ steps: [], said: [] });
  });

  // SPEC 4 Forced logout: "raises the event auth:force-logout"
  // SPEC 8: "Exceeding the maximum refresh attempts is logged and returns false."
  test("effects of the session's events log a refresh that is skipped after three failures, and raise auth:force-logout", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    let raised = 0;
    page.addEventListener("auth:force-logout", () => {
      raised += 1;
    });
    const session = begin();
    for (const value of ["a", "b", "c", "d"]) {
      expect(warn).not.toHaveBeenCalled();
      signIn(session, value);
      session.send({ type: "refresh.requested" });
      await until(() => expect(session.getSnapshot().value.token).toBe("signedOut"));
    }
    expect(warn).toHaveBeenCalledOnce();
    expect(raised).toBe(1);
  });
});
