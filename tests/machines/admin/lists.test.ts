import { describe, expect, it } from "vitest";
import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { AdminMetrics, AdminUser, ListPage } from "#contract/index.ts";
import {
  createAdminListMachine,
  selectListError,
  selectListIsLoading,
  selectListPage,
  selectListQuery,
} from "#machines/admin/list.ts";
import {
  type AdminMetricsEvent,
  adminMetricsMachine,
  selectMetrics,
  selectMetricsAreLoading,
  selectMetricsDays,
  selectMetricsError,
} from "#machines/admin/metrics.ts";
import {
  actionsFor,
  adminUserMachine,
  needsDay,
  selectAction,
  selectAskedChange,
  selectChanges,
  selectFailure,
  selectIsChanging,
  selectProblem,
  selectUser,
  selectUserError,
  type UserChange,
} from "#machines/admin/user.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { numbers, person, subscribed } from "./harness.ts";

describe("list of the admin panel", () => {
  function setUp() {
    const fetchPage = answering<ListPage<string>, { query: number }>();
    const machine = createAdminListMachine<string, number>().provide({ actors: { fetchPage: fetchPage.logic } });
    const actor = stopsAfterTest(createActor(machine, { input: { query: 1 } }).start());
    const rows = () => selectListPage<string, number>(actor.getSnapshot())?.rows ?? null;
    const page = (...names: string[]) => ({ rows: names, page: 1, totalPages: 1, total: names.length });
    return { actor, fetchPage, rows, page };
  }

  it("shows the old page until the new page has arrived", async () => {
    const { actor, fetchPage, rows, page } = setUp();
    expect([rows(), selectListIsLoading(actor.getSnapshot())]).toEqual([null, true]);
    await fetchPage.last().resolve(page("a"));
    actor.send({ type: "query.changed", query: 2 });
    expect([rows(), selectListIsLoading(actor.getSnapshot())]).toEqual([["a"], true]);
    expect(selectListQuery<string, number>(actor.getSnapshot())).toBe(2);
    await fetchPage.last().resolve(page("b"));
    expect([rows(), selectListIsLoading(actor.getSnapshot())]).toEqual([["b"], false]);
    expect(fetchPage.inputs()).toEqual([{ query: 1 }, { query: 2 }]);
  });

  it("ignores answers to earlier queries", async () => {
    const { actor, fetchPage, rows, page } = setUp();
    actor.send({ type: "query.changed", query: 2 });
    const [first] = fetchPage.asked;
    expect(first?.signal.aborted).toBe(true);
    await fetchPage.last().resolve(page("second"));
    await first?.resolve(page("first"));
    expect(rows()).toEqual(["second"]);
  });

  it("polls the list silently, but shows a failed poll", async () => {
    const { actor, fetchPage, rows, page } = setUp();
    actor.send({ type: "poll.due" });
    expect(fetchPage.asked).toHaveLength(1);
    await fetchPage.last().resolve(page("a"));
    actor.send({ type: "poll.due" });
    expect([fetchPage.asked.length, selectListIsLoading(actor.getSnapshot())]).toEqual([2, false]);
    await fetchPage.last().reject("network");
    expect(selectListError(actor.getSnapshot())).toBe("network");
    actor.send({ type: "poll.due" });
    await fetchPage.last().resolve(page("b"));
    expect([rows(), selectListError(actor.getSnapshot())]).toEqual([["b"], null]);
  });

  it("shows why the next page could not be fetched, and retries it", async () => {
    const { actor, fetchPage, rows, page } = setUp();
    await fetchPage.last().resolve(page("a"));
    actor.send({ type: "query.changed", query: 2 });
    await fetchPage.last().reject("network");
    expect([rows(), selectListError(actor.getSnapshot())]).toEqual([["a"], "network"]);
    actor.send({ type: "refresh.requested" });
    expect(selectListError(actor.getSnapshot())).toBeNull();
    await fetchPage.last().resolve(page("b"));
    expect(rows()).toEqual(["b"]);
    expect(fetchPage.inputs().at(-1)).toEqual({ query: 2 });
  });
});

describe("numbers of the admin panel", () => {
  function setUp() {
    const clock = new SimulatedClock();
    const fetchMetrics = answering<AdminMetrics, { days: number }>();
    let say: (event: AdminMetricsEvent) => void = () => {};
    const visibility = fromCallback<AdminMetricsEvent>(({ sendBack }) => {
      say = sendBack;
    });
    const machine = adminMetricsMachine.provide({ actors: { fetchMetrics: fetchMetrics.logic, visibility } });
    const actor = stopsAfterTest(createActor(machine, { clock, input: { days: 30 } }).start());
    const total = () => selectMetrics(actor.getSnapshot())?.users.total ?? null;
    return { actor, clock, fetchMetrics, total, say: (type: "page.shown" | "page.hidden") => say({ type }) };
  }

  it("fetches the numbers every minute and keeps the old ones meanwhile", async () => {
    const { actor, clock, fetchMetrics, total } = setUp();
    await fetchMetrics.last().resolve(numbers(1));
    clock.increment(59_999);
    expect(selectMetricsAreLoading(actor.getSnapshot())).toBe(false);
    clock.increment(1);
    expect([selectMetricsAreLoading(actor.getSnapshot()), total()]).toEqual([true, 1]);
    await fetchMetrics.last().reject("network");
    expect([selectMetricsError(actor.getSnapshot()), total()]).toEqual(["network", 1]);
    clock.increment(60_000);
    await fetchMetrics.last().resolve(numbers(2));
    expect([selectMetricsError(actor.getSnapshot()), total()]).toEqual([null, 2]);
  });

  it("stops polling while the tab is hidden, and fetches at once when it is shown again", async () => {
    const { clock, fetchMetrics, say } = setUp();
    await fetchMetrics.last().resolve(numbers());
    say("page.hidden");
    clock.increment(600_000);
    expect(fetchMetrics.asked).toHaveLength(1);
    say("page.shown");
    expect(fetchMetrics.asked).toHaveLength(2);
    await fetchMetrics.last().resolve(numbers());
    say("page.hidden");
    say("page.shown");
    expect(fetchMetrics.asked).toHaveLength(2);
    clock.increment(60_000);
    expect(fetchMetrics.asked).toHaveLength(3);
  });

  it("fetches the numbers again for another time span", async () => {
    const { actor, fetchMetrics } = setUp();
    actor.send({ type: "days.changed", days: 7 });
    expect(fetchMetrics.asked[0]?.signal.aborted).toBe(true);
    expect(fetchMetrics.inputs()).toEqual([{ days: 30 }, { days: 7 }]);
    expect(selectMetricsDays(actor.getSnapshot())).toBe(7);
  });
});

describe("available actions on a user", () => {
  it.each([
    ["is on the free plan", person(), ["grantPremium", "signOut", "giveSuperuser", "blockUser", "deleteUser"]],
    ["was given premium", subscribed(), ["changeGrant", "endGrant", "signOut", "giveSuperuser", "blockUser", "deleteUser"]],
    ["pays", subscribed({ provider: "stripe" }), ["cancelSubscription", "signOut", "giveSuperuser", "blockUser", "deleteUser"]],
    [
      "could not pay",
      subscribed({ provider: "test", status: "past_due", premium: false }),
      ["cancelSubscription", "signOut", "giveSuperuser", "blockUser", "deleteUser"],
    ],
    [
      "has cancelled",
      subscribed({ provider: "test", cancelAtPeriodEnd: true }),
      ["signOut", "giveSuperuser", "blockUser", "deleteUser"],
    ],
    [
      "pays no more",
      subscribed({ provider: "test", status: "canceled", premium: false }),
      ["grantPremium", "signOut", "giveSuperuser", "blockUser", "deleteUser"],
    ],
    [
      "had been given it",
      subscribed({ status: "canceled", premium: false }),
      ["grantPremium", "signOut", "giveSuperuser", "blockUser", "deleteUser"],
    ],
    [
      "is superuser and nowhere else",
      person({ superuser: true, signIns: [] }),
      ["grantPremium", "takeSuperuser", "blockUser", "deleteUser"],
    ],
  ])("offers the right actions for a user who %s", (_, user, actions) => {
    expect(actionsFor(user)).toEqual(actions);
  });

  it("offers no blocking or deletion of one's own account, and offers unblocking and confirming where they apply", () => {
    expect(actionsFor(person({ self: true, superuser: true, signIns: [] }))).toEqual(["grantPremium", "takeSuperuser"]);
    expect(actionsFor(person({ blocked: true, confirmed: false, signIns: [] }))).toEqual([
      "grantPremium",
      "confirmUser",
      "giveSuperuser",
      "unblockUser",
      "deleteUser",
    ]);
  });

  it("needs a last day only for actions that grant premium", () => {
    expect((["grantPremium", "changeGrant", "endGrant", "signOut", null] as const).map(needsDay)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
  });
});

describe("change of a user's account", () => {
  const today = "2026-03-01";
  async function setUp() {
    const fetchUser = answering<AdminUser, { id: string }>();
    const changeUser = answering<AdminUser | null, { id: string; change: UserChange | null }>();
    const machine = adminUserMachine.provide({ actors: { fetchUser: fetchUser.logic, changeUser: changeUser.logic } });
    const actor = stopsAfterTest(createActor(machine, { input: { id: "u1", now: () => Date.parse(`${today}T12:00`) } }).start());
    const emitted: string[] = [];
    actor.on("user.changed", ({ action }) => emitted.push(action));
    await fetchUser.last().resolve(person());
    const get = <Value>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => Value) => select(actor.getSnapshot());
    return { actor, fetchUser, changeUser, emitted, get };
  }

  it("asks for an action, a future day and a reason before it confirms the change", async () => {
    const { actor, get } = await setUp();
    const ask = (until: string, reason: string) => actor.send({ type: "change.requested", until, reason });
    ask("2026-05-01", "A friend");
    expect(get(selectAskedChange)).toBeNull();
    actor.send({ type: "action.chosen", action: "grantPremium" });
    ask("", "A friend");
    expect(get(selectProblem)).toBe("until");
    ask(today, "A friend");
    expect(get(selectProblem)).toBe("until");
    ask("2026-05-01", " x ");
    expect(get(selectProblem)).toBe("reason");
    ask("2026-05-01", " A friend ");
    expect(get(selectProblem)).toBeNull();
    expect(get(selectAskedChange)).toEqual({ action: "grantPremium", until: "2026-05-01", reason: "A friend" });
  });

  it("makes a change after its confirmation, emits it, and clears the form", async () => {
    const { actor, changeUser, emitted, get } = await setUp();
    actor.send({ type: "action.chosen", action: "signOut" });
    actor.send({ type: "change.requested", until: "", reason: "Lost phone" });
    actor.send({ type: "change.dismissed" });
    expect(changeUser.asked).toEqual([]);
    actor.send({ type: "change.requested", until: "", reason: "Lost phone" });
    actor.send({ type: "change.confirmed" });
    actor.send({ type: "change.confirmed" });
    expect(get(selectIsChanging)).toBe(true);
    expect(changeUser.inputs()).toEqual([{ id: "u1", change: { action: "signOut", until: "", reason: "Lost phone" } }]);
    await changeUser.last().resolve(person({ signIns: [] }));
    expect([emitted, get(selectUser)?.signIns, get(selectAction), get(selectChanges)]).toEqual([["signOut"], [], null, 1]);
  });

  it("emits the deletion of a user and ends", async () => {
    const { actor, changeUser, emitted, get } = await setUp();
    actor.send({ type: "action.chosen", action: "deleteUser" });
    actor.send({ type: "change.requested", until: "", reason: "They asked for it" });
    actor.send({ type: "change.confirmed" });
    await changeUser.last().resolve(null);
    expect([emitted, get(({ status }) => status)]).toEqual([["deleteUser"], "done"]);
  });

  it("shows why a change failed and keeps the form's contents", async () => {
    const { actor, changeUser, emitted, get } = await setUp();
    actor.send({ type: "action.chosen", action: "grantPremium" });
    actor.send({ type: "change.requested", until: "2026-05-01", reason: "A friend" });
    actor.send({ type: "change.confirmed" });
    await changeUser.last().reject("conflict");
    expect([get(selectFailure), get(selectAction), get(selectChanges), emitted]).toEqual(["conflict", "grantPremium", 0, []]);
    actor.send({ type: "change.requested", until: "2026-05-01", reason: "A friend" });
    expect(get(selectFailure)).toBeNull();
  });

  it("the change of a user's account can't change a user who was not found, and finds the user on retry", async () => {
    const fetchUser = answering<AdminUser, { id: string }>();
    const machine = adminUserMachine.provide({ actors: { fetchUser: fetchUser.logic } });
    const actor = stopsAfterTest(createActor(machine, { input: { id: "u1", now: () => Date.parse(`${today}T12:00`) } }).start());
    await fetchUser.last().reject("notFound");
    expect(selectUserError(actor.getSnapshot())).toBe("notFound");
    actor.send({ type: "refresh.requested" });
    await fetchUser.last().resolve(person());
    expect([selectUser(actor.getSnapshot())?.id, selectUserError(actor.getSnapshot())]).toEqual(["u1", null]);
  });
});
