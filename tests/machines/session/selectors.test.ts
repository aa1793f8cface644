import { describe, expect, test } from "vitest";
import {
  selectIsExpired,
  selectIsProfileMissing,
  selectIsRefreshing,
  selectIsSignedOut,
  selectIsSuperuser,
  selectIsUnanswered,
  selectIsWaitingForNetwork,
  selectLiveToken,
  selectToken,
  selectUser,
  selectUserId,
} from "#machines/session/selectors.ts";
import { ada, hour, minute, nobody, startSession, stored, token } from "./harness.ts";

type Session = ReturnType<typeof startSession>;

/** Signed out, expired, refreshing, waiting for the network, ended without an answer. */
const seen = ({ actor }: Session) => {
  const now = actor.getSnapshot();
  return [
    selectIsSignedOut(now),
    selectIsExpired(now),
    selectIsRefreshing(now),
    selectIsWaitingForNetwork(now),
    selectIsUnanswered(now),
  ];
};

describe("selectors of a session", () => {
  test("the session's selectors give no token and no user while signed out", () => {
    const session = startSession(nobody);
    const now = session.actor.getSnapshot();
    expect(seen(session)).toEqual([true, false, false, false, false]);
    expect([selectUserId(now), selectToken(now), selectLiveToken(now), selectUser(now)]).toEqual([
      null,
      undefined,
      undefined,
      null,
    ]);
  });

  test("the session's selectors give the live token until its end, and the token afterwards, too", async () => {
    const session = startSession(stored(token("t", hour)));
    const now = () => session.actor.getSnapshot();
    expect([selectUserId(now()), selectToken(now()), selectLiveToken(now())]).toEqual(["ada", "t", "t"]);
    session.sleep(hour - 1);
    expect(selectLiveToken(now())).toBe("t");
    session.sleep(1);
    expect([selectToken(now()), selectLiveToken(now())]).toEqual(["t", undefined]);
  });

  test("an expired session shows as refreshing, then as waiting, then as ended without an answer", async () => {
    const session = startSession(stored(token("t", -minute)));
    expect(seen(session)).toEqual([false, true, true, false, false]);
    await session.lastRefresh().answer({ kind: "noAnswer" });
    expect(seen(session)).toEqual([false, true, false, true, false]);
    for (const ms of [1_000, 2_000, 4_000, 3_000]) {
      await session.advance(ms);
      await session.lastRefresh().answer({ kind: "noAnswer" });
    }
    expect(seen(session)).toEqual([true, false, false, false, true]);
  });

  test("a refused session does not show as ended without an answer", async () => {
    const session = startSession(stored(token("t", minute)));
    await session.lastRefresh().answer({ kind: "refused" });
    expect(seen(session)).toEqual([true, false, false, false, false]);
  });
});

describe("user of a session", () => {
  test("the session's selectors give user and superuser rights once the profile belongs to the token", async () => {
    const session = startSession({ ...stored(token("t", hour)), user: { ...ada, id: "ben", isSuperUser: true } });
    const now = () => session.actor.getSnapshot();
    expect([selectUser(now()), selectIsSuperuser(now()), selectIsProfileMissing(now())]).toEqual([null, false, false]);
    await session.profiles.at(-1)?.refuse();
    expect(selectIsProfileMissing(now())).toBe(true);
    session.send({ type: "profile.requested" });
    await session.profiles.at(-1)?.answer({ ...ada, isSuperUser: true });
    expect([selectUser(now())?.id, selectIsSuperuser(now()), selectIsProfileMissing(now())]).toEqual(["ada", true, false]);
    expect(selectIsSuperuser(startSession(stored(token("t", hour))).actor.getSnapshot())).toBe(false);
  });
});
