import { describe, expect, test } from "vitest";
import { waitFor } from "xstate";
import { selectIsRefreshing, selectIsWaitingForNetwork, selectLiveToken, selectToken } from "#machines/session/selectors.ts";
import { hour, minute, nobody, second, startSession, stored, token } from "./harness.ts";

const expired = { type: "session.ended", reason: "expired" };

describe("single refresh at a time", () => {
  // SPEC 4 Refresh: "Concurrent refresh requests share one in-flight refresh"
  test("answers all waiting callers with one refresh", async () => {
    const session = startSession(stored(token("old", 15 * minute)));
    const order: string[] = [];
    const waiters = ["a", "b", "c"].map(async (name) => {
      session.send({ type: "refresh.requested" });
      const done = await waitFor(session.actor, (now) => !selectIsRefreshing(now));
      order.push(`${name} ${selectLiveToken(done)}`);
    });
    expect(session.refreshes).toHaveLength(1);
    expect(order).toEqual([]);
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", 30 * minute)) });
    await Promise.all(waiters);
    expect(order).toEqual(["a new", "b new", "c new"]);
  });

  // SPEC 4 Refresh: "Queued waiters are resolved or rejected together with it"
  test("fails all waiting callers with one refresh", async () => {
    const session = startSession(stored(token("old", 15 * minute)));
    const waiters = [1, 2].map(() => {
      session.send({ type: "refresh.requested" });
      return waitFor(session.actor, (now) => !selectIsRefreshing(now));
    });
    await session.lastRefresh().answer({ kind: "failed" });
    expect((await Promise.all(waiters)).map(selectToken)).toEqual([undefined, undefined]);
  });

  // SPEC 4 Refresh: "The shared refresh marker is released 100 ms after the refresh finishes"
  // SPEC 9: "Refresh marker release delay"
  test("releases the marker 100 ms after the refresh", async () => {
    const session = startSession(stored(token("old", 15 * minute)));
    session.send({ type: "refresh.requested" });
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", 30 * minute)) });
    await session.advance(99);
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(1);
    await session.advance(1);
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(2);
  });

  test("starts a new refresh for a sign-in right after a failure", async () => {
    const session = startSession(stored(token("old", 15 * minute)));
    session.send({ type: "refresh.requested" });
    await session.lastRefresh().answer({ kind: "failed" });
    session.send({ type: "token.stored", stored: stored(token("new", 30 * minute)) });
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(2);
  });

  test("refreshes at most every 30 s when tokens live for less than five minutes", async () => {
    const session = startSession(stored(token("t0", 2 * minute)));
    for (let count = 1; count <= 3; count++) {
      const life = session.now() - Date.UTC(2026, 10, 20, 12) + 2 * minute;
      await session.lastRefresh().answer({ kind: "renewed", stored: stored(token(`t${count}`, life)) });
      await session.advance(29 * second);
      expect(session.refreshes).toHaveLength(count);
      await session.advance(minute);
      expect(session.refreshes).toHaveLength(count + 1);
    }
  });
});

describe("failed refresh", () => {
  // SPEC 4 Refresh: "A failed refresh clears the token and raises the failure count"
  test("clears only the token after one failure", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().answer({ kind: "failed" });
    expect(session.state()).toBe("signedOut");
    expect(session.effects).toEqual(["clearToken"]);
    expect(session.context().failures).toBe(1);
    expect(session.emitted).toEqual([expired]);
  });

  test("counts an unexpected error as a failed refresh", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().refuse();
    expect(session.state()).toBe("signedOut");
    expect(session.context().failures).toBe(1);
  });

  // SPEC 8: "A refresh 401 clears all auth data."
  test("clears all auth data at once after a refusal (401)", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().answer({ kind: "refused" });
    expect(session.effects).toEqual(["clearPersistedState"]);
    expect(session.emitted).toEqual([expired]);
  });

  // SPEC 4 Refresh: "When the count reaches 3, all auth data is wiped"
  // SPEC 9: "Maximum refresh attempts"
  test("clears all auth data after the third failure", async () => {
    const session = startSession(nobody);
    for (const value of ["a", "b", "c"]) await session.failRefresh(value);
    expect(session.effects).toEqual(["persist a", "clearToken", "persist b", "clearToken", "persist c", "clearPersistedState"]);
    expect(session.context().failures).toBe(3);
  });

  // SPEC 4 Refresh: "A successful refresh resets the failure count and the last-failure time"
  test("resets the count and the time of failures after a success", async () => {
    const session = startSession(nobody);
    for (const value of ["a", "b"]) await session.failRefresh(value);
    session.send({ type: "token.stored", stored: stored(token("c", hour)) });
    session.send({ type: "refresh.requested" });
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("d", 2 * hour)) });
    expect(session.context()).toMatchObject({ failures: 0, lastFailureAt: null });
  });
});

describe("back-off after failed refreshes", () => {
  async function threeFailures() {
    const session = startSession(nobody);
    for (const value of ["a", "b", "c"]) await session.failRefresh(value);
    await session.advance(100);
    session.effects.length = 0;
    session.emitted.length = 0;
    return session;
  }

  // SPEC 4 Refresh: "refresh is skipped and reported as failed"
  // SPEC 4 Refresh: "In that case a forced logout occurs"
  // SPEC 8: "Exceeding the maximum refresh attempts is logged and returns false."
  test("skips a refresh within 30 s and forces a logout", async () => {
    const session = await threeFailures();
    session.send({ type: "token.stored", stored: stored(token("d", hour)) });
    await session.advance(30 * second - 101);
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(3);
    expect(session.state()).toBe("signedOut");
    expect(session.effects).toEqual(["persist d", "clearPersistedState"]);
    expect(session.logouts).toHaveLength(1);
    expect(session.emitted.slice(1)).toEqual([{ type: "logout.forced" }, { type: "session.ended", reason: "forced" }]);
    expect(session.context().refresh.outcome).toBe("failed");
  });

  test("begins the back-off with the third failure and ends it after 30 s", async () => {
    const session = startSession(nobody);
    const state = () => session.actor.getSnapshot().value.backOff;
    for (const value of ["a", "b"]) await session.failRefresh(value);
    expect(state()).toBe("counting");
    await session.failRefresh("c");
    expect(state()).toBe("backingOff");
    await session.advance(30 * second - 1);
    expect(state()).toBe("backingOff");
    await session.advance(1);
    expect(state()).toBe("counting");
  });

  test("ends the back-off on time when the timer is late", async () => {
    const session = await threeFailures();
    session.send({ type: "token.stored", stored: stored(token("d", hour)) });
    session.sleep(30 * second - 100);
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(4);
    expect(session.actor.getSnapshot().value).toMatchObject({ refresh: "refreshing", backOff: "counting" });
  });

  test("forces a logout during the back-off after a 401, too", async () => {
    const session = await threeFailures();
    session.send({ type: "token.stored", stored: stored(token("d", hour)) });
    session.send({ type: "unauthorized.answered", refused: "d" });
    expect(session.refreshes).toHaveLength(3);
    expect(session.state()).toBe("signedOut");
  });

  // SPEC 9: "Back-off window after the maximum"
  test("retries after 30 s, and begins another back-off with another failure", async () => {
    const session = await threeFailures();
    session.send({ type: "token.stored", stored: stored(token("d", hour)) });
    await session.advance(30 * second - 100);
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(4);
    await session.lastRefresh().answer({ kind: "failed" });
    expect(session.effects.at(-1)).toBe("clearPersistedState");
    await session.advance(second);
    session.send({ type: "refresh.requested" });
    expect(session.refreshes).toHaveLength(4);
  });

  test("does not log out a person whose token is still valid because of a planned refresh", async () => {
    const session = await threeFailures();
    const life = session.now() - Date.UTC(2026, 10, 20, 12) + 4 * minute;
    session.send({ type: "token.stored", stored: stored(token("d", life)) });
    expect(session.state()).toBe("needsRefresh");
    expect(session.refreshes).toHaveLength(3);
    await session.advance(minute);
    expect(session.refreshes).toHaveLength(4);
  });
});

describe("refresh without an answer", () => {
  test("retries after 1, 2, 4 … 30 s while the token is valid, and loses nothing", async () => {
    const session = startSession(stored(token("t", 5 * minute)));
    for (const [index, wait] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await session.lastRefresh().answer({ kind: "noAnswer" });
      expect(selectIsWaitingForNetwork(session.actor.getSnapshot())).toBe(true);
      await session.advance(wait * second - 1);
      expect(session.refreshes).toHaveLength(index + 1);
      await session.advance(1);
      expect(session.refreshes).toHaveLength(index + 2);
    }
    expect(session.state()).toBe("needsRefresh");
    expect(session.context().failures).toBe(0);
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", hour)) });
    expect(session.state()).toBe("valid");
  });

  test("counts an unanswered refresh as failed at the token's end", async () => {
    const session = startSession(stored(token("t", 15 * second)));
    await session.lastRefresh().answer({ kind: "noAnswer" });
    for (const wait of [1, 2, 4]) {
      await session.advance(wait * second);
      await session.lastRefresh().answer({ kind: "noAnswer" });
    }
    expect(session.state()).toBe("needsRefresh");
    await session.advance(8 * second);
    expect(session.state()).toBe("expired");
    await session.lastRefresh().answer({ kind: "noAnswer" });
    expect(session.state()).toBe("signedOut");
    expect(session.context().failures).toBe(1);
    expect(session.emitted).toEqual([expired]);
  });

  test("does not count a refresh without a network as failed, so that the person stays signed in", async () => {
    const environment = { isAway: true };
    const session = startSession(stored(token("t", 15 * second)), environment);
    await session.lastRefresh().answer({ kind: "noAnswer" });
    for (const wait of [1, 2, 4, 8, 16, 30, 30, 30]) {
      await session.advance(wait * second);
      await session.lastRefresh().answer({ kind: "noAnswer" });
    }
    expect([session.state(), session.emitted]).toEqual(["expired", []]);
    environment.isAway = false;
    session.send({ type: "page.resumed" });
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", hour)) });
    expect([session.state(), session.emitted]).toEqual(["valid", []]);
  });

  test("gives a device that has just woken ten seconds to find its network", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.sleep(8 * hour);
    session.send({ type: "page.resumed" });
    await session.lastRefresh().answer({ kind: "noAnswer" });
    expect(session.state()).toBe("expired");
    for (const wait of [1, 2, 4]) {
      await session.advance(wait * second);
      await session.lastRefresh().answer({ kind: "noAnswer" });
      expect(session.state()).toBe("expired");
    }
    await session.advance(3 * second);
    await session.lastRefresh().answer({ kind: "noAnswer" });
    expect(session.state()).toBe("signedOut");
  });

  test("refreshes at once when the network returns", async () => {
    const session = startSession(stored(token("t", 5 * minute)));
    await session.lastRefresh().answer({ kind: "noAnswer" });
    session.send({ type: "page.resumed" });
    expect(session.refreshes).toHaveLength(2);
  });
});

describe("call that is answered with 401", () => {
  // SPEC 4 Unauthorised answers: "An answer of 401 triggers one refresh attempt"
  test("makes one refresh for many answers with 401", () => {
    const session = startSession(stored(token("t", 15 * minute)));
    for (let count = 0; count < 5; count++) session.send({ type: "unauthorized.answered", refused: "t" });
    expect(session.refreshes).toHaveLength(1);
  });

  // SPEC 4 Unauthorised answers: "If refresh fails, all auth data is cleared"
  test("clears all auth data if the refresh then fails", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "unauthorized.answered", refused: "t" });
    await session.lastRefresh().answer({ kind: "failed" });
    expect(session.effects).toEqual(["clearPersistedState"]);
    expect(session.emitted).toContainEqual({ type: "session.ended", reason: "refused" });
  });

  test("reports an expired session when a refresh is refused without a waiting call", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().answer({ kind: "refused" });
    expect(session.effects).toEqual(["clearPersistedState"]);
    expect(session.emitted).toContainEqual({ type: "session.ended", reason: "expired" });
  });

  test("reports an expired session also when the call joins a running refresh", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    session.send({ type: "unauthorized.answered", refused: "t" });
    expect(session.refreshes).toHaveLength(1);
    await session.lastRefresh().answer({ kind: "failed" });
    expect(session.effects).toEqual(["clearPersistedState"]);
  });

  test("ignores a late 401 for a token that has been replaced", () => {
    const session = startSession(stored(token("new", 15 * minute)));
    session.send({ type: "unauthorized.answered", refused: "old" });
    expect(session.refreshes).toHaveLength(0);
  });

  test("ignores a late 401 after signing out", () => {
    const session = startSession(nobody);
    session.send({ type: "unauthorized.answered", refused: "old" });
    expect(session.refreshes).toHaveLength(0);
  });
});

describe("refresh in other tabs", () => {
  test("takes over another tab's token", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().answer({ kind: "superseded", stored: stored(token("new", 15 * minute)) });
    expect(session.state()).toBe("valid");
    expect(session.emitted).toEqual([]);
  });

  test("ends the session when another tab has signed out", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().answer({ kind: "superseded", stored: nobody });
    expect(session.state()).toBe("signedOut");
    expect(session.emitted).toEqual([{ type: "session.ended", reason: "elsewhere" }]);
    expect(session.context().failures).toBe(0);
  });
});

test("begins a session by a requested refresh without a token when the cookie is valid", async () => {
  const session = startSession(nobody);
  session.send({ type: "refresh.requested" });
  await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", 15 * minute)) });
  expect(session.state()).toBe("valid");
  expect(session.emitted).toEqual([{ type: "session.started", origin: "other" }]);
});
