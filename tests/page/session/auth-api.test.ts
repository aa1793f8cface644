import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiError, createCall, createPlainSend } from "#src/api/http.ts";
import { createAuthApi } from "#src/api/session.ts";
import { createStorage } from "#src/browser/storage.ts";
import { createRefresh } from "#src/features/session/refresh.ts";
import { createSessionStore } from "#src/features/session/store.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

/** The calls against a server that gives this answer. */
function authAgainst(answer: Response) {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const ask = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push({ url: String(url), init });
    return answer;
  };
  return { asked, auth: createAuthApi(createCall(createPlainSend("http://api", ask))) };
}

const reasonOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe("refresh call", () => {
  // SPEC 3: "Refresh response: accessToken (string)."
  // SPEC 7 Auth: "POST /auth/refresh"
  // SPEC 7: "Cookies are included on auth calls."
  test("posts with cookies and without a body, and returns the token", async () => {
    const { auth, asked } = authAgainst(Response.json({ accessToken: "t" }));
    expect(await auth.refresh()).toBe("t");
    expect(asked).toMatchObject([{ url: "http://api/auth/refresh", init: { method: "POST", credentials: "include" } }]);
    expect(asked[0]?.init?.body).toBeUndefined();
  });

  // SPEC 5: "'Invalid token response format - missing accessToken'"
  test.each([{}, { accessToken: 7 }, { accessToken: null }])("rejects a sign-in with the answer %j", async (answer) => {
    const { auth } = authAgainst(Response.json(answer));
    await expect(auth.refresh()).rejects.toThrow("Invalid token response format - missing accessToken");
  });

  // SPEC 8: "'Token refresh failed: {status}'"
  test("reports a refusal in the server's words, or in the fallback's", async () => {
    const emitted = authAgainst(Response.json({ message: "The session has ended." }, { status: 401 }));
    expect(await reasonOf(emitted.auth.refresh())).toMatchObject({ status: 401, message: "The session has ended." });
    const silent = authAgainst(new Response("", { status: 503 }));
    expect(await reasonOf(silent.auth.refresh())).toMatchObject({ status: 503, message: "Token refresh failed: 503" });
  });
});

// SPEC 5: "without accessToken is rejected with 'No access token received'"
test("rejects a login answer without a token", async () => {
  const { auth } = authAgainst(Response.json({ user: null }));
  await expect(auth.login({ email: "a@example.org", password: "x" })).rejects.toThrow("No access token received");
});

describe("refused refresh in the log", () => {
  afterEach(() => vi.restoreAllMocks());

  const refused = (message: string) =>
    createRefresh({
      store: createSessionStore(createStorage(new FakeOrigin().openTab())),
      lock: (work) => work(),
      ask: () => Promise.reject(new ApiError(401, "unauthorized", message)),
      now: () => 0,
      settle: async () => {},
      overdue: () => new Promise(() => {}),
    })(null, new AbortController().signal);

  // SPEC 8: "is diagnosed as a cookie or cross-origin configuration problem"
  test("the refused refresh in the log is explained by cookies and origins when the server had no auth token", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(await refused("There is no auth token: the refresh cookie did not come.")).toEqual({ kind: "refused" });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/cookie.*CORS/));
  });

  test("the refused refresh in the log is not logged when the server had one", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(await refused("The session has ended.")).toEqual({ kind: "refused" });
    expect(warn).not.toHaveBeenCalled();
  });
});

// SPEC 4 Forced logout: "If either step fails, a warning is logged and the process continues"
test("logs a removal that the storage refuses, and still ends the session", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const origin = new FakeOrigin();
  const tab = origin.openTab();
  const store = createSessionStore(createStorage(tab));
  origin.items.set("persist:root", "{}");
  store.clearPersistedState();
  expect(warn).not.toHaveBeenCalled();
  origin.items.set("persist:root", "{}");
  tab.localStorage.removeItem = () => {
    throw new DOMException("denied", "SecurityError");
  };
  expect(() => store.clearPersistedState()).not.toThrow();
  expect(warn).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});
