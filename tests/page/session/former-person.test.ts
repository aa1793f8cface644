import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Actor, AnyActorLogic } from "xstate";
import { createStorage } from "#src/browser/storage.ts";
import { openAnalytics } from "#src/features/blog-analytics/actor.ts";
import { enterInbox } from "#src/features/inbox/actor.ts";
import { setSession } from "#src/features/session/actor.ts";
import { createSession, type Session } from "#src/features/session/create-session.ts";
import { readToken } from "#src/features/session/jwt.ts";
import { createSessionStore } from "#src/features/session/store.ts";
import { data } from "#src/features/settings/states.ts";
import { deletions } from "#src/features/transcriptions/deletions.ts";
import { enterUrlForm } from "#src/features/uploads/url-form-actor.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { row } from "#tests/machines/harness.ts";
import { ada, hour, stored } from "#tests/machines/session/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const start = Date.UTC(2026, 10, 20, 12);

/** A page on which a user has signed in. */
function signIn(): Session {
  const session = createSession({
    store: createSessionStore(createStorage(new FakeOrigin().openTab())),
    refresh: async () => ({ kind: "failed" }),
    logout: async () => {},
    loadProfile: async () => ada,
    now: () => start,
    listen: () => () => {},
  });
  session.start();
  const value = makeToken({ sub: "ada", iat: start / 1000, exp: (start + hour) / 1000 });
  session.send({ type: "token.stored", stored: stored(readToken(value)) });
  setSession(session);
  return session;
}

const signOut = (session: Session) =>
  session.send({ type: "storage.changed", stored: { token: null, clockOffset: 0, user: null } });

// The server never answers, so every call stays open.
vi.stubGlobal("fetch", () => new Promise(() => {}));
vi.stubGlobal("location", { href: "https://parlance.example/", origin: "https://parlance.example" });
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

type OwnedActor = Pick<Actor<AnyActorLogic>, "getSnapshot">;

describe("data of a former session", () => {
  test.each<[string, () => OwnedActor]>([
    ["the form for addresses", enterUrlForm],
    ["feedback", () => enterInbox("feedback")],
    ["the settings", () => data.enter().state.deletion.get().form],
    ["the blog's analytics", () => openAnalytics({})],
    [
      "a deletion",
      () => {
        deletions.begin([row(1)]);
        const deletion = deletions.find(row(1).id);
        if (deletion === undefined) throw new Error("Nothing is being deleted");
        return deletion;
      },
    ],
  ])("the actor of %s stops when the user signs out", (_, open) => {
    const session = signIn();
    const kept = open();
    expect(kept.getSnapshot().status).toBe("active");
    signOut(session);
    expect(kept.getSnapshot().status).toBe("stopped");
    session.stop();
  });

  test("the data of a former session stays in forms that need no account", () => {
    const session = signIn();
    const form = enterInbox("contact");
    signOut(session);
    expect(form.getSnapshot().status).toBe("active");
    session.stop();
  });
});
