import { describe, expect, test } from "vitest";
import {
  selectConsent,
  selectIsMeasuring,
  selectMarks,
  selectPath,
  selectPlaceState,
  selectSession,
  selectTag,
} from "#machines/analytics/selectors.ts";
import { minute, second, startAnalytics, startTime } from "./harness.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("analytics without consent", () => {
  test.each([
    ["unless a tag is configured", { isConfigured: false, choice: "agreed" }, "notConfigured"],
    ["before anybody was asked", {}, "undecided"],
    ["for who has refused", { choice: "refused" }, "refused"],
    ["where the browser asks not to be followed, whatever was chosen", { hasSignal: true, choice: "agreed" }, "refusedBySignal"],
  ] as const)("analytics loads, looks up and watches nothing: %s", (_, options, consent) => {
    const { actor, environment, clock, sent } = startAnalytics(options);
    clock.increment(10 * minute);
    expect(selectConsent(actor.getSnapshot())).toBe(consent);
    expect(selectIsMeasuring(actor.getSnapshot())).toBe(false);
    expect([sent, environment.lookups, environment.watching, environment.tags]).toEqual([[], 0, 0, 0]);
  });

  test("never asks, and stores no consent, when the browser refuses or nothing is configured", () => {
    for (const options of [{ hasSignal: true }, { isConfigured: false }]) {
      const { actor, environment, choose } = startAnalytics(options);
      choose("agreed");
      expect(selectIsMeasuring(actor.getSnapshot())).toBe(false);
      expect(environment.choices).toEqual([]);
    }
  });
});

describe("analytics consent", () => {
  test("starts all of the analytics on consent, and ends all of them when it is withdrawn", () => {
    const { actor, environment, choose, names, page, clock, sent } = startAnalytics();
    choose("agreed");
    expect([environment.choices, environment.tags, environment.watching]).toEqual([["agreed"], 1, 1]);
    expect(names()).toEqual(["session_begin"]);
    choose("refused");
    expect([environment.choices, environment.tags, environment.watching]).toEqual([["agreed", "refused"], 0, 0]);
    expect(selectConsent(actor.getSnapshot())).toBe("refused");
    const before = sent.length;
    page({ type: "route.changed", path: "/about" });
    clock.increment(10 * minute);
    expect(sent).toHaveLength(before);
    expect(selectSession(actor.getSnapshot())).toBeNull();
  });

  test("asks again when the consent is cleared, and ignores the same choice from another tab", () => {
    const { actor, environment, choose } = startAnalytics({ choice: "agreed" });
    choose("agreed");
    expect([environment.choices, environment.tags]).toEqual([[], 1]);
    choose(null);
    expect(selectConsent(actor.getSnapshot())).toBe("undecided");
  });

  test("analytics makes events whether the tag has loaded or failed", () => {
    const { actor, tag, names } = startAnalytics({ choice: "agreed" });
    expect(selectTag(actor.getSnapshot())).toBe("loading");
    tag({ type: "tag.failed" });
    expect(selectTag(actor.getSnapshot())).toBe("failed");
    expect(names()).toContain("session_begin");
    const other = startAnalytics({ choice: "agreed" });
    other.tag({ type: "tag.loaded" });
    expect(selectTag(other.actor.getSnapshot())).toBe("loaded");
    expect(selectTag(startAnalytics().actor.getSnapshot())).toBe("none");
  });
});

describe("analytics session", () => {
  // SPEC 7 Third-party: "A geolocation lookup runs at session start."
  test("looks up the place once at the beginning of a session", async () => {
    const { actor, environment, sent, active, clock } = startAnalytics({ choice: "agreed" });
    expect(sent).toEqual([{ name: "session_begin", params: { parlance_session: "s1" }, at: startTime, isDry: false }]);
    expect(selectPlaceState(actor.getSnapshot())).toBe("asking");
    await settled();
    expect(sent[1]).toMatchObject({ name: "session_place", params: { country: "DE", region: "Berlin", city: "Berlin" } });
    for (let i = 0; i < 5; i++) {
      clock.increment(minute);
      active();
    }
    await settled();
    expect(environment.lookups).toBe(1);
    expect(selectSession(actor.getSnapshot())?.id).toBe("s1");
  });

  test.each([["fails", new Error("blocked")] as const, ["takes more than ten seconds", "never"] as const])(
    "continues the session when the lookup %s",
    async (_, place) => {
      const { actor, clock, names, count } = startAnalytics({ choice: "agreed", place });
      await settled();
      clock.increment(10 * second);
      expect(selectPlaceState(actor.getSnapshot())).toBe("unknown");
      clock.increment(20 * second);
      expect(count("session_heartbeat")).toBe(1);
      expect(names()).not.toContain("session_place");
    },
  );

  test("begins a session without a place when there is no lookup", async () => {
    const { actor, names } = startAnalytics({ choice: "agreed", place: null });
    await settled();
    expect(names()).toEqual(["session_begin"]);
    expect(selectPlaceState(actor.getSnapshot())).toBe("settled");
  });

  // SPEC 9: "heartbeat every 30 s"
  test("sends a heartbeat every 30 seconds with the session's duration", () => {
    const { clock, sent, count } = startAnalytics({ choice: "agreed" });
    clock.increment(29_999);
    expect(count("session_heartbeat")).toBe(0);
    clock.increment(1);
    clock.increment(30 * second);
    expect(sent.filter(({ name }) => name === "session_heartbeat").map(({ params }) => params)).toEqual([
      { parlance_session: "s1", seconds: 30 },
      { parlance_session: "s1", seconds: 60 },
    ]);
  });

  // SPEC 9: "heartbeat every 30 s"
  test("sends heartbeats only while the page is visible", () => {
    const { clock, page, count } = startAnalytics({ choice: "agreed" });
    clock.increment(20 * second);
    page({ type: "page.hidden" });
    clock.increment(2 * minute);
    expect(count("session_heartbeat")).toBe(0);
    page({ type: "page.shown" });
    clock.increment(30 * second);
    expect(count("session_heartbeat")).toBe(1);
  });

  // SPEC 9: "session reset after 5 minutes idle"
  test("ends a session after five idle minutes, and begins a new one with the next activity", async () => {
    const { actor, clock, active, count, environment, last } = startAnalytics({ choice: "agreed" });
    clock.increment(4 * minute + 59_999);
    active();
    clock.increment(4 * minute + 59_999);
    expect(selectSession(actor.getSnapshot())?.id).toBe("s1");
    clock.increment(1);
    expect(selectSession(actor.getSnapshot())).toBeNull();
    const beats = count("session_heartbeat");
    clock.increment(60 * minute);
    expect(count("session_heartbeat")).toBe(beats);
    active();
    expect(last()).toMatchObject({ name: "session_begin", params: { parlance_session: "s2" } });
    await settled();
    expect(environment.lookups).toBe(2);
  });

  // SPEC 9: "session reset after 5 minutes idle"
  test("ends a session that expired while the computer slept", () => {
    const { environment, active, last } = startAnalytics({ choice: "agreed" });
    environment.slept = 6 * minute;
    active();
    expect(last()).toMatchObject({ name: "session_begin", params: { parlance_session: "s2" } });
  });

  test("continues the session after a reload without another lookup", async () => {
    const kept = { id: "before", startedAt: startTime - minute, seenAt: startTime - 1000 };
    const { environment, names, clock, last } = startAnalytics({ choice: "agreed", kept });
    await settled();
    expect([names(), environment.lookups]).toEqual([[], 0]);
    clock.increment(100);
    expect(last()).toMatchObject({ name: "page_view", params: { parlance_session: "before" } });
    clock.increment(30 * second);
    expect(last()).toMatchObject({ name: "session_heartbeat", params: { seconds: 90 } });
  });

  test("continues another tab's session, unless it has expired", () => {
    const { environment, clock, active, names, actor } = startAnalytics({ choice: "agreed" });
    clock.increment(5 * minute);
    environment.kept = { id: "elsewhere", startedAt: startTime, seenAt: startTime + 4 * minute };
    active();
    expect(selectSession(actor.getSnapshot())?.id).toBe("elsewhere");
    expect(names().filter((name) => name === "session_begin")).toHaveLength(1);
    const old = { id: "old", startedAt: startTime - 9 * minute, seenAt: startTime - 5 * minute };
    expect(startAnalytics({ choice: "agreed", kept: old }).last()?.params.parlance_session).toBe("s1");
  });
});

describe("page view event", () => {
  // SPEC 9: "page view events sent 100 ms after a route change"
  test("sends a page view 100 ms after a route change, and replaces an earlier one within that time", () => {
    const { clock, page, sent, actor } = startAnalytics({ choice: "agreed", place: null });
    const views = () => sent.filter(({ name }) => name === "page_view").map(({ params }) => params.page_path);
    clock.increment(99);
    expect(views()).toEqual([]);
    clock.increment(1);
    expect(views()).toEqual(["/"]);
    page({ type: "route.changed", path: "/dashboard" });
    clock.increment(60);
    page({ type: "route.changed", path: "/transcription/$id" });
    clock.increment(60);
    expect(views()).toEqual(["/"]);
    clock.increment(40);
    expect(views()).toEqual(["/", "/transcription/$id"]);
    expect(selectPath(actor.getSnapshot())).toBe("/transcription/$id");
  });

  test("delays the page view until the person is active", () => {
    const { clock, page, active, names, count } = startAnalytics({ choice: "agreed", place: null });
    clock.increment(6 * minute);
    page({ type: "route.changed", path: "/signin" });
    clock.increment(minute);
    expect(count("page_view")).toBe(1);
    active();
    expect(names().slice(-2)).toEqual(["session_begin", "page_view"]);
  });
});

describe("scroll depth event", () => {
  // SPEC 9: "scroll depth events at 50, 75 and 90 percent"
  test("sends the scroll depth at 50, 75 and 90 percent, once per page view", () => {
    const { clock, page, sent, actor } = startAnalytics({ choice: "agreed" });
    const depths = () => sent.filter(({ name }) => name === "scroll_depth").map(({ params }) => params);
    const scroll = (...percents: number[]) => {
      for (const percent of percents) page({ type: "page.scrolled", percent });
    };
    scroll(95);
    expect(depths()).toEqual([]);
    clock.increment(100);
    scroll(10, 49.9, 50, 60, 30, 55);
    expect(depths()).toEqual([{ parlance_session: "s1", percent_scrolled: 50, page_path: "/" }]);
    scroll(100, 100);
    expect(depths().map(({ percent_scrolled }) => percent_scrolled)).toEqual([50, 75, 90]);
    page({ type: "route.changed", path: "/terms" });
    clock.increment(100);
    expect(selectMarks(actor.getSnapshot())).toEqual([]);
    scroll(80);
    expect(depths().slice(3)).toMatchObject([
      { percent_scrolled: 50, page_path: "/terms" },
      { percent_scrolled: 75, page_path: "/terms" },
    ]);
  });
});

describe("analytics test page", () => {
  // SPEC 7 Third-party: "Developer console helpers for sending test analytics events are exposed"
  test("sends events, page views and heartbeats on request", () => {
    const { actor, clock, sent } = startAnalytics({ choice: "agreed" });
    clock.increment(100);
    actor.send({ type: "event.requested", name: "test_event", params: { works: true } });
    actor.send({ type: "pageView.requested" });
    actor.send({ type: "heartbeat.requested" });
    expect(sent.slice(-3).map(({ name }) => name)).toEqual(["test_event", "page_view", "session_heartbeat"]);
    expect(sent.at(-3)?.params).toEqual({ parlance_session: "s1", works: true });
  });

  test("shows all events in a dry run without loading, looking up or storing anything", async () => {
    const { actor, environment, clock, sent } = startAnalytics({ isConfigured: false });
    actor.send({ type: "dryRun.chosen", isOn: true });
    await settled();
    clock.increment(30 * second);
    expect(sent.map(({ name, isDry }) => [name, isDry])).toEqual([
      ["session_begin", true],
      ["page_view", true],
      ["session_heartbeat", true],
    ]);
    expect([environment.tags, environment.lookups, environment.kept]).toEqual([0, 0, null]);
    actor.send({ type: "dryRun.chosen", isOn: false });
    expect([selectIsMeasuring(actor.getSnapshot()), environment.watching]).toEqual([false, 0]);
  });

  test("gives a dry run its own session, and resumes the real session afterwards", () => {
    const { actor, sent, clock, names } = startAnalytics({ choice: "agreed", place: null });
    clock.increment(second);
    actor.send({ type: "dryRun.chosen", isOn: true });
    clock.increment(second);
    actor.send({ type: "dryRun.chosen", isOn: false });
    clock.increment(second);
    expect(sent.map(({ params, isDry }) => [params.parlance_session, isDry])).toEqual([
      ["s1", false],
      ["s1", false],
      ["s2", true],
      ["s2", true],
      ["s1", false],
    ]);
    expect(names().at(-1)).toBe("page_view");
  });
});
