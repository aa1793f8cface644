import { describe, expect, test } from "vitest";
import { type Actor, type AnyActorLogic, createActor } from "xstate";
import { federatedSignInMachine } from "#machines/session/federated-sign-in.ts";
import { sessionMachine } from "#machines/session/machine.ts";
import { nextCheck } from "#machines/session/rules.ts";
import {
  selectIsConfirmed,
  selectIsRereading,
  selectIsSignedOut,
  selectIsSuperuser,
  selectLiveToken,
  selectToken,
  selectUser,
  selectUserId,
} from "#machines/session/selectors.ts";
import { ada, hour, minute, nobody, second, settled, start, startSession, stored, token } from "./harness.ts";

describe("states of a session", () => {
  test.each([
    // SPEC 4 Session: "No token means signed out"
    ["no token", nobody, "signedOut"],
    // SPEC 4 Session: "A token that has not expired means signed in"
    ["a token with more than five minutes", stored(token("t", 5 * minute + 1)), "valid"],
    // SPEC 4 Session: "A token that expires within 5 minutes needs a refresh"
    // SPEC 9: "Token refresh threshold"
    ["a token that expires within five minutes", stored(token("t", 5 * minute)), "needsRefresh"],
    ["a token with a millisecond left", stored(token("t", 1)), "needsRefresh"],
    // SPEC 4 Session: "An expired token means expired"
    ["an expired token", stored(token("t", 0)), "expired"],
  ])("a session begins in the specified state: %s", (_, initial, state) => {
    expect(startSession(initial).state()).toBe(state);
  });

  // SPEC 4 Session: "A token that expires within 5 minutes needs a refresh"
  test("goes from valid to needsRefresh five minutes before the end, and to expired at the end", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    await session.advance(10 * minute - 1);
    expect(session.state()).toBe("valid");
    expect(session.refreshes).toHaveLength(0);
    await session.advance(1);
    expect(session.state()).toBe("needsRefresh");
    expect(session.refreshes).toHaveLength(1);
    await session.advance(5 * minute);
    expect(session.state()).toBe("expired");
    expect(session.refreshes).toHaveLength(1);
  });

  test("a session becomes valid again by a refresh", async () => {
    const session = startSession(stored(token("old", 4 * minute)));
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", 15 * minute)) });
    expect(session.state()).toBe("valid");
    expect(selectLiveToken(session.actor.getSnapshot())).toBe("new");
    expect(selectUserId(session.actor.getSnapshot())).toBe("ada");
  });

  test("works on a device whose clock is an hour behind the server's", async () => {
    const session = startSession(stored(token("t", hour + 15 * minute), hour));
    expect(session.state()).toBe("valid");
    await session.advance(10 * minute);
    expect(session.state()).toBe("needsRefresh");
  });

  test("works on a device whose clock is an hour ahead of the server's", () => {
    expect(startSession(stored(token("t", -hour + 15 * minute), -hour)).state()).toBe("valid");
  });
});

describe("sleep and long-lived tokens", () => {
  test("notices when the computer wakes that it has slept", () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.sleep(8 * hour);
    expect(session.state()).toBe("valid");
    expect(selectLiveToken(session.actor.getSnapshot())).toBeUndefined();
    session.send({ type: "page.resumed" });
    expect(session.state()).toBe("expired");
    expect(session.refreshes).toHaveLength(1);
  });

  test("notices a sleep within a minute when no event announces the waking", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.sleep(8 * hour);
    await session.advance(minute);
    expect(session.state()).toBe("expired");
  });

  test("checks a token that lives for ninety days every minute", async () => {
    const session = startSession(stored(token("t", 90 * 24 * hour)));
    expect(nextCheck(session.context())).toBe(minute);
    await session.advance(hour);
    expect(session.state()).toBe("valid");
    expect(session.refreshes).toHaveLength(0);
  });

  test("keeps the session when the clock is set back", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.sleep(-3 * hour);
    session.send({ type: "page.resumed" });
    expect(session.state()).toBe("valid");
  });
});

describe("signing out", () => {
  // SPEC 4 Forced logout: "dispatches two reset actions (logout resets) to its state"
  test("calls the server on sign-out, then clears all data", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "signOut.requested" });
    expect(session.state()).toBe("valid");
    expect(session.effects).toEqual([]);
    await session.logouts[0]?.answer();
    expect(session.state()).toBe("signedOut");
    expect(session.effects).toEqual(["clearPersistedState"]);
    expect(session.emitted).toEqual([{ type: "state.reset" }, { type: "session.ended", reason: "signedOut" }]);
    expect(session.context().user).toBeNull();
  });

  // SPEC 4 Logout: "Logout calls the server and ignores a server failure."
  // SPEC 7 Auth: "failure tolerated"
  test("signs out even if the server fails", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "signOut.requested" });
    await session.logouts[0]?.refuse();
    expect(session.state()).toBe("signedOut");
  });

  test("reports a slow server once during sign-out", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "signOut.requested" });
    await session.advance(399);
    expect(session.emitted).toEqual([]);
    await session.advance(1);
    expect(session.emitted).toEqual([{ type: "signOut.delayed" }]);
    await session.advance(1_000);
    expect(session.emitted).toHaveLength(1);
  });

  test("signs out despite a hanging server, without a second call", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "signOut.requested" });
    await session.advance(5 * second);
    expect(session.state()).toBe("signedOut");
    expect(session.logouts[0]?.signal.aborted).toBe(true);
  });

  test("calls the server once when the button is pressed twice", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "signOut.requested" });
    session.send({ type: "signOut.requested" });
    await session.logouts[0]?.answer();
    expect(session.logouts).toHaveLength(1);
    expect(session.emitted).toHaveLength(2);
  });

  test("ignores a refresh that is answered after the sign-out", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    session.send({ type: "signOut.requested" });
    await session.logouts[0]?.answer();
    expect(session.lastRefresh().signal.aborted).toBe(true);
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", 15 * minute)) });
    expect(session.state()).toBe("signedOut");
    expect(selectToken(session.actor.getSnapshot())).toBeUndefined();
  });
});

describe("signing in", () => {
  test("persists the token and emits the start of the session", () => {
    const session = startSession(nobody);
    session.send({ type: "token.stored", stored: stored(token("t", 15 * minute)) });
    expect(session.state()).toBe("valid");
    expect(session.effects).toEqual(["persist t"]);
    expect(session.emitted).toEqual([{ type: "session.started", origin: "signIn" }]);
  });

  // SPEC 3: "Login response: accessToken (string) and optionally user."
  test("loads the profile when the answer has no user", async () => {
    const session = startSession(nobody);
    session.send({ type: "token.stored", stored: { ...stored(token("t", 15 * minute)), user: null } });
    await session.profiles[0]?.answer(ada);
    expect(session.context().user).toEqual(ada);
    expect(session.effects).toEqual(["persist t", "persistUser ada"]);
  });

  test("continues without a profile, and does not ask for it repeatedly", async () => {
    const session = startSession({ ...stored(token("t", 15 * minute)), user: null });
    await session.profiles[0]?.refuse();
    await session.advance(minute);
    expect(session.state()).toBe("valid");
    expect(session.profiles).toHaveLength(1);
  });

  test("rejects another person's profile, and does not ask for it repeatedly", async () => {
    const session = startSession({ ...stored(token("a", 15 * minute)), user: null });
    for (let asked = 0; asked < 3; asked++) await session.profiles[asked]?.answer({ ...ada, id: "bob" });
    expect(session.profiles).toHaveLength(1);
    expect(session.context().user).toBeNull();
  });

  test("takes over and persists a changed profile, but not another person's", () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.actor.send({ type: "profile.changed", user: { ...ada, id: "bob", isSuperUser: true } });
    expect(session.context().user).toEqual(ada);
    session.actor.send({ type: "profile.changed", user: { ...ada, name: "Countess" } });
    expect(selectUser(session.actor.getSnapshot())?.name).toBe("Countess");
    expect(session.effects).toEqual(["persistUser ada"]);
  });

  test("does not use another person's profile left in storage", () => {
    const left = { ...stored(token("t", 15 * minute, "grace")), user: { ...ada, isSuperUser: true } };
    const session = startSession(left);
    expect(session.profiles).toHaveLength(1);
    expect(selectUser(session.actor.getSnapshot())).toBeNull();
    expect(selectIsSuperuser(session.actor.getSnapshot())).toBe(false);
  });
});

// SPEC 4 Other: "Only the user slice of state is persisted across reloads"
describe("persisted profile", () => {
  const load = () => startSession(stored(token("t", 15 * minute)));
  const countess = { ...ada, name: "Countess", isSuperUser: true, planType: "premium" };
  const user = (session: ReturnType<typeof load>) => selectUser(session.actor.getSnapshot());
  const isConfirmed = (session: ReturnType<typeof load>) => selectIsConfirmed(session.actor.getSnapshot());

  test("shows the persisted profile at once, and reads it again once for each page load", async () => {
    const session = load();
    expect([user(session), session.profiles.length, isConfirmed(session)]).toEqual([ada, 1, false]);
    await session.profiles[0]?.answer(countess);
    expect([user(session), isConfirmed(session)]).toEqual([countess, true]);
    expect(session.effects).toEqual(["persistUser ada"]);
    await session.advance(10 * minute);
    session.send({ type: "page.resumed" });
    expect(session.profiles).toHaveLength(1);
  });

  test("keeps the same object when the profile has not changed", async () => {
    const session = load();
    const before = user(session);
    await session.profiles[0]?.answer({ ...ada });
    expect(user(session)).toBe(before);
  });

  test("keeps the persisted profile when the server can't be asked, and asks again when the page resumes", async () => {
    const session = load();
    await session.profiles[0]?.refuse();
    expect([user(session), session.state(), isConfirmed(session), session.emitted]).toEqual([ada, "valid", false, []]);
    session.send({ type: "page.resumed" });
    await session.profiles[1]?.answer(countess);
    expect([user(session), isConfirmed(session)]).toEqual([countess, true]);
  });

  test("does not replace the persisted profile by another person's", async () => {
    const session = load();
    await session.profiles[0]?.answer({ ...countess, id: "bob" });
    expect([user(session), isConfirmed(session), session.effects]).toEqual([ada, false, []]);
  });

  test("does not replace a profile that the person has just changed by an older answer", async () => {
    const session = load();
    session.send({ type: "profile.changed", user: { ...ada, name: "Changed" } });
    expect(session.profiles[0]?.signal.aborted).toBe(true);
    await session.profiles[0]?.answer(ada);
    expect(user(session)?.name).toBe("Changed");
  });

  test("reads the persisted profile again only with a valid token", async () => {
    const session = startSession(stored(token("old", -minute)));
    expect(session.profiles).toHaveLength(0);
    await session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", 15 * minute)) });
    expect(session.profiles).toHaveLength(1);
  });

  test("reads the persisted profile again only when there is a network", async () => {
    const environment = { isAway: true };
    const session = startSession(stored(token("t", 15 * minute)), environment);
    session.send({ type: "page.resumed" });
    expect([user(session), session.profiles.length]).toEqual([ada, 0]);
    environment.isAway = false;
    session.send({ type: "page.resumed" });
    await session.profiles[0]?.refuse();
    environment.isAway = true;
    session.send({ type: "page.resumed" });
    expect(session.profiles).toHaveLength(1);
    environment.isAway = false;
    session.send({ type: "page.resumed" });
    expect(session.profiles).toHaveLength(2);
  });

  test("does not wait for the profile of somebody who signs out", () => {
    const session = load();
    session.send({ type: "storage.changed", stored: nobody });
    expect([session.profiles[0]?.signal.aborted, selectIsRereading(session.actor.getSnapshot())]).toEqual([true, false]);
  });

  test("reads no profile after a sign-in, whose answer has it, until a guard or a page needs it", async () => {
    const session = startSession(nobody);
    session.send({ type: "token.stored", stored: stored(token("t", 15 * minute)) });
    session.send({ type: "page.resumed" });
    expect([session.profiles.length, isConfirmed(session)]).toEqual([0, false]);
    session.send({ type: "profile.requested" });
    session.send({ type: "profile.requested" });
    expect(session.profiles).toHaveLength(1);
    await session.profiles[0]?.answer(ada);
    session.send({ type: "profile.requested" });
    expect([session.profiles.length, isConfirmed(session)]).toEqual([1, true]);
    await session.advance(5 * second);
    session.send({ type: "profile.requested" });
    session.send({ type: "profile.outdated" });
    expect(session.profiles.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    session.send({ type: "storage.changed", stored: stored(token("g", 15 * minute, "grace")) });
    expect(isConfirmed(session)).toBe(false);
  });

  test("takes the profile that another tab has persisted, without persisting it again, and nobody else's", () => {
    const session = load();
    session.send({ type: "profile.persisted", user: { ...countess, id: "bob" } });
    expect(user(session)).toEqual(ada);
    session.send({ type: "profile.persisted", user: countess });
    session.send({ type: "profile.persisted", user: ada });
    expect([user(session), session.effects]).toEqual([ada, []]);
    expect(session.emitted).toEqual([
      { type: "rights.read", areLost: false },
      { type: "rights.read", areLost: true },
    ]);
  });
});

describe("session in other tabs", () => {
  // SPEC 4 Session expiry: "The check also runs on storage events for the jwtToken key."
  test("ends the session when the token disappears in another tab", () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "storage.changed", stored: nobody });
    expect(session.state()).toBe("signedOut");
    expect(session.emitted).toEqual([{ type: "session.ended", reason: "elsewhere" }]);
    expect(session.logouts).toHaveLength(0);
  });

  test("signs in when another tab has signed in", () => {
    const session = startSession(nobody);
    session.send({ type: "storage.changed", stored: stored(token("t", 15 * minute)) });
    expect(session.state()).toBe("valid");
    expect(session.emitted).toEqual([{ type: "session.started", origin: "other" }]);
  });

  test("takes over a token that another tab refreshed, silently", async () => {
    const session = startSession(stored(token("old", 4 * minute)));
    session.send({ type: "storage.changed", stored: stored(token("new", 15 * minute)) });
    expect(session.state()).toBe("valid");
    expect(session.emitted).toEqual([]);
    expect(session.lastRefresh().signal.aborted).toBe(true);
    expect(session.context().refresh.outcome).toBe("succeeded");
    await settled();
    expect(session.context().failures).toBe(0);
  });

  test("begins another session when another person signs in in another tab", () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "storage.changed", stored: stored(token("u", 15 * minute, "grace")) });
    expect(session.emitted).toEqual([{ type: "session.started", origin: "other" }]);
    expect(selectUserId(session.actor.getSnapshot())).toBe("grace");
  });

  test("a session emits nothing when nothing has changed", () => {
    const session = startSession(nobody);
    session.send({ type: "storage.changed", stored: nobody });
    expect(session.emitted).toEqual([]);
    expect(selectIsSignedOut(session.actor.getSnapshot())).toBe(true);
  });
});

// SPEC 4 Forced logout: "On receiving that event the product purges persisted state"
describe("window event auth:force-logout", () => {
  test("ends the session and calls the server", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.send({ type: "forceLogout.heard" });
    expect(session.state()).toBe("signedOut");
    expect(session.effects).toEqual(["clearPersistedState"]);
    expect(session.logouts).toHaveLength(1);
    expect(session.emitted).toEqual([{ type: "state.reset" }, { type: "session.ended", reason: "forced" }]);
  });

  test("clears persisted data without a session, too, and does not call the server", () => {
    const session = startSession(nobody);
    session.send({ type: "forceLogout.heard" });
    expect(session.effects).toEqual(["clearPersistedState"]);
    expect(session.emitted).toEqual([{ type: "state.reset" }]);
    expect(session.logouts).toHaveLength(0);
  });
});

test.each<[string, () => Actor<AnyActorLogic>]>([
  ["environment", () => createActor(sessionMachine, { input: { stored: nobody, now: () => start } })],
  ["messages", () => createActor(federatedSignInMachine)],
])("a session fails instead of continuing without its listener %s", (name, make) => {
  const actor = make();
  const errors: unknown[] = [];
  actor.subscribe({ error: (error) => errors.push(error) });
  actor.start();
  expect(actor.getSnapshot().status).toBe("error");
  expect(errors).toEqual([new Error(`${name} was not provided`)]);
});
