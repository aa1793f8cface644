import { describe, expect, test } from "vitest";
import { nextCheck } from "#machines/session/rules.ts";
import { selectLiveToken } from "#machines/session/selectors.ts";
import { hour, minute, second, startSession, stored, token } from "./harness.ts";

// Clocks that jump, computers that sleep, and tokens that live for longer than a timer can be set.

const day = 24 * hour;
type Session = ReturnType<typeof startSession>;

/** The server answers; its clock is ahead of the device's by so much. */
const renewed = (session: Session, life = 15 * minute, offset = 0) =>
  session.lastRefresh().answer({ kind: "renewed", stored: stored(token("new", session.elapsed() + offset + life), offset) });

describe("token that lives for sixty days", () => {
  test("refreshes a long-lived token once, five minutes before its end, even after a long sleep", async () => {
    const session = startSession(stored(token("t", 60 * day)));
    await session.advance(2 * hour);
    session.sleep(59 * day);
    session.send({ type: "page.resumed" });
    expect(session.state()).toBe("valid");
    expect(nextCheck(session.context())).toBe(minute);
    await session.advance(22 * hour - 5 * minute - 1);
    expect([session.state(), session.refreshes.length]).toEqual(["valid", 0]);
    await session.advance(1);
    expect([session.state(), session.refreshes.length]).toEqual(["needsRefresh", 1]);
    await renewed(session, 60 * day);
    await session.advance(hour);
    expect([session.state(), session.refreshes.length]).toEqual(["valid", 1]);
  });
});

describe("clock that jumps", () => {
  test.each([
    ["two hours ahead", 2 * hour],
    ["eight hours ahead", 8 * hour],
  ])("refreshes once after a jump (%s), and learns the clock's error from the answer", async (_, jump) => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.sleep(jump);
    await session.advance(minute);
    expect([session.state(), session.refreshes.length]).toEqual(["expired", 1]);
    // The server's clock did not jump.
    await renewed(session, 15 * minute, -jump);
    expect([session.state(), selectLiveToken(session.actor.getSnapshot())]).toEqual(["valid", "new"]);
    await session.advance(10 * minute);
    expect([session.state(), session.refreshes.length]).toEqual(["needsRefresh", 2]);
    expect(session.emitted).toEqual([]);
  });

  test("keeps the session after a jump of two hours back, and refreshes after a refused call", async () => {
    const session = startSession(stored(token("t", 15 * minute)));
    session.sleep(-2 * hour);
    session.send({ type: "page.resumed" });
    await session.advance(30 * minute);
    // The token is still valid by this clock, but not by the server's.
    expect([session.state(), session.refreshes.length]).toEqual(["valid", 0]);
    session.send({ type: "unauthorized.answered", refused: "t" });
    expect(session.refreshes).toHaveLength(1);
    await renewed(session, 15 * minute, 2 * hour);
    expect(selectLiveToken(session.actor.getSnapshot())).toBe("new");
    await session.advance(10 * minute);
    expect([session.state(), session.refreshes.length]).toEqual(["needsRefresh", 2]);
  });

  test.each([2 * hour, -2 * hour, 8 * hour])("holds back no due refresh and never loops after a jump of %d ms", async (jump) => {
    const session = startSession(stored(token("t", 4 * minute)));
    await renewed(session, 2 * minute);
    session.sleep(jump);
    await session.advance(minute);
    const { length } = session.refreshes;
    expect(length).toBe(jump > 0 ? 2 : 1);
    session.send({ type: "page.resumed" });
    await session.advance(1);
    expect(session.refreshes).toHaveLength(length);
  });

  test.each([2 * hour, -2 * hour])(
    "does not delay a sign-in until the end of the back-off after a jump of %d ms",
    async (jump) => {
      const session = startSession(stored(null));
      for (const value of ["a", "b", "c"]) await session.failRefresh(value);
      await session.advance(100);
      session.sleep(jump);
      session.send({ type: "token.stored", stored: stored(token("d", session.elapsed() + hour)) });
      session.send({ type: "refresh.requested" });
      expect([session.state(), session.refreshes.length]).toEqual(["valid", 4]);
    },
  );
});

describe("long sleep, or a clock set ahead, during a refresh", () => {
  test.each([
    ["that was not answered before", 8 * hour, true],
    ["that was not answered before", 2 * hour, true],
    ["whose answer is lost with it", 8 * hour, false],
    ["whose answer is lost with it", 2 * hour, false],
  ])("leaves ten seconds to find the network after %s (%d ms)", async (_, jump, isWaiting) => {
    const session = startSession(stored(token("t", 4 * minute)));
    if (isWaiting) await session.lastRefresh().answer({ kind: "noAnswer" });
    session.sleep(jump);
    session.send({ type: "page.resumed" });
    await session.lastRefresh().answer({ kind: "noAnswer" });
    for (const wait of [1, 2, 4]) {
      expect(session.emitted).toEqual([]);
      await session.advance(wait * second);
      await session.lastRefresh().answer({ kind: "noAnswer" });
    }
    expect(session.emitted).toEqual([]);
    await session.advance(3 * second);
    await renewed(session);
    expect(session.state()).toBe("valid");
  });

  test("ends the session when there is no answer after these seconds", async () => {
    const session = startSession(stored(token("t", 4 * minute)));
    await session.lastRefresh().answer({ kind: "noAnswer" });
    session.sleep(8 * hour);
    session.send({ type: "page.resumed" });
    await session.lastRefresh().answer({ kind: "noAnswer" });
    for (const wait of [1, 2, 4, 3]) {
      await session.advance(wait * second);
      await session.lastRefresh().answer({ kind: "noAnswer" });
    }
    expect(session.state()).toBe("signedOut");
  });
});
