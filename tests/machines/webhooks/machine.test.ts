import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { NewWebhook, Webhook, WebhookDelivery } from "#contract/index.ts";
import type { Changing, Created, Drafted, Listed } from "#machines/collection/events.ts";
import {
  type LoadingEvent,
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import {
  selectAsked,
  selectChanging,
  selectCreated,
  selectIsCreating,
  selectIsWriting,
  selectItems,
  selectRemoving,
  selectReturns,
} from "#machines/collection/selectors.ts";
import { selectCopied } from "#machines/collection/shown-once.ts";
import type { WebhookTypes } from "#machines/webhooks/events.ts";
import { webhooksMachine } from "#machines/webhooks/machine.ts";
import {
  selectDeliveries,
  selectHasLogFailed,
  selectIsTesting,
  selectLogged,
  selectReplaying,
} from "#machines/webhooks/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const at = "2026-03-01T12:00:00.000Z";
const webhook = (id: string, more: Partial<Webhook> = {}): Webhook => ({
  ...{ id, url: `https://${id}.example/`, events: ["transcription.completed"], createdAt: at },
  ...{ paused: null, failures: 0, failingSince: null },
  ...more,
});
const delivery = (id: string, more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  ...{ id, type: "webhook.test", transcriptionId: null, state: "delivered", createdAt: at, attempts: 1 },
  ...{ attemptedAt: at, nextAt: null, status: 200, answer: "", error: null },
  ...more,
});
const draft: NewWebhook = { url: "https://new.example/", events: ["transcription.failed"] };

function start() {
  const load = answering<Listed<Webhook>>();
  const create = answering<Created<WebhookTypes>, Drafted<WebhookTypes>>();
  const change = answering<Webhook, Changing<WebhookTypes>>();
  const copy = answering<void, { text: string }>();
  const remove = answering<void, { id: string }>();
  const loadLog = answering<readonly WebhookDelivery[], { id: string }>();
  const trial = answering<WebhookDelivery, { id: string }>();
  const replay = answering<WebhookDelivery, { id: string; delivery: string }>();
  const wakeUps = talking<LoadingEvent>();
  const machine = webhooksMachine.provide({
    actors: {
      ...{ load: load.logic, create: create.logic, change: change.logic, remove: remove.logic, copy: copy.logic },
      ...{ loadLog: loadLog.logic, test: trial.logic, replay: replay.logic, wakeUps: wakeUps.logic },
    },
  });
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  const ids = () => selectItems(actor.getSnapshot()).map(({ id }) => id);
  const states = () => selectDeliveries(actor.getSnapshot())?.map(({ id, state }) => `${id} ${state}`);
  const now = () => actor.getSnapshot();
  return { actor, clock, load, create, copy, change, remove, loadLog, trial, replay, wakeUps, emitted, ids, states, now };
}

async function opened(...ids: string[]) {
  const all = start();
  await all.load.last().resolve({ items: ids.map((id) => webhook(id)) });
  return all;
}

describe("webhooks", () => {
  test("webhooks are created by a form, with a secret shown until dismissed", async () => {
    const { actor, create, copy, ids, now } = await opened("old");
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft: { ...draft, url: " " } });
    expect(selectFailure(now())).toBe("noUrl");
    actor.send({ type: "creation.submitted", draft: { ...draft, events: [] } });
    expect([selectFailure(now()), create.asked.length]).toEqual(["noEvent", 0]);
    actor.send({ type: "creation.submitted", draft });
    await create.last().reject("urlRefused");
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([true, "urlRefused"]);
    actor.send({ type: "creation.submitted", draft });
    expect([create.inputs(), selectFailure(now())]).toEqual([[{ draft }, { draft }], null]);
    await create.last().resolve({ secret: "whsec_x", item: webhook("new") });
    expect([selectCreated(now())?.secret, ids()]).toEqual(["whsec_x", ["old", "new"]]);
    actor.send({ type: "copy.requested", text: "whsec_x" });
    await copy.last().reject("none");
    expect([copy.inputs(), selectCopied(now())]).toEqual([[{ text: "whsec_x" }], "notCopied"]);
    actor.send({ type: "copy.requested", text: "whsec_x" });
    expect(selectCopied(now())).toBeNull();
    await copy.last().resolve();
    expect(selectCopied(now())).toBe("copied");
    actor.send({ type: "secret.dismissed" });
    expect(JSON.stringify(now().context)).not.toContain("whsec_x");
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.dismissed" });
    expect(selectIsWriting(now())).toBe(false);
  });

  test("webhooks are paused and resumed, and notice removal elsewhere", async () => {
    const { actor, change, load, ids, now } = await opened("one");
    actor.send({ type: "change.requested", id: "one", change: { paused: true } });
    expect([selectChanging(now()), change.inputs()]).toEqual(["one", [{ id: "one", change: { paused: true } }]]);
    await change.last().resolve(webhook("one", { paused: { at, reason: "owner" } }));
    expect(selectItems(now())[0]?.paused?.reason).toBe("owner");
    actor.send({ type: "change.requested", id: "one", change: { paused: false } });
    expect(change.last().input).toEqual({ id: "one", change: { paused: false } });
    await change.last().reject("notFound");
    expect(selectFailure(now())).toBe("notFound");
    await load.last().resolve({ items: [] });
    expect(ids()).toEqual([]);
  });

  test("webhooks are removed after confirmation, and reloaded if removed elsewhere", async () => {
    const { actor, remove, load, emitted, ids, now } = await opened("one", "two");
    actor.send({ type: "removal.requested", id: "one" });
    expect([selectAsked(now())?.id, remove.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "removal.requested", id: "one" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().resolve();
    expect([ids(), emitted, selectReturns(now())]).toEqual([["two"], ["item.removed"], 1]);
    actor.send({ type: "removal.requested", id: "two" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("network");
    expect([ids(), selectFailure(now())]).toEqual([["two"], "network"]);
    actor.send({ type: "removal.requested", id: "two" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("notFound");
    await load.last().resolve({ items: [] });
    expect(ids()).toEqual([]);
    expect(selectFailure(now())).toBe("notFound");
    actor.send({ type: "creation.requested" });
    expect(selectFailure(now())).toBeNull();
  });

  test("webhooks have a log that is polled while a message is pending", async () => {
    const { actor, clock, loadLog, load, states, now } = await opened("one");
    actor.send({ type: "log.requested", id: "one" });
    expect([selectLogged(now())?.id, loadLog.inputs()]).toEqual(["one", [{ id: "one" }]]);
    await loadLog.last().reject("network");
    expect(selectHasLogFailed(now())).toBe(true);
    actor.send({ type: "reload.requested" });
    await loadLog.last().resolve([delivery("a", { state: "waiting" })]);
    clock.increment(1_999);
    expect(loadLog.asked.length).toBe(2);
    clock.increment(1);
    expect(loadLog.asked.length).toBe(3);
    await loadLog.last().reject("network");
    expect(states()).toEqual(["a waiting"]);
    clock.increment(2_000);
    await loadLog.last().resolve([delivery("a")]);
    clock.increment(60_000);
    expect([loadLog.asked.length, states()]).toEqual([4, ["a delivered"]]);
    actor.send({ type: "log.dismissed" });
    expect([selectLogged(now()), selectDeliveries(now()), selectReturns(now())]).toEqual([null, null, 1]);
    await load.last().resolve({ items: [webhook("one", { failures: 3 })] });
    expect(selectItems(now())[0]?.failures).toBe(3);
  });

  test("webhooks send tests and repeat messages from the log", async () => {
    const { actor, loadLog, trial, replay, wakeUps, states, now } = await opened("one");
    actor.send({ type: "log.requested", id: "one" });
    await loadLog.last().resolve([delivery("a", { state: "failed" })]);
    actor.send({ type: "test.requested" });
    expect(selectIsTesting(now())).toBe(true);
    await trial.last().resolve(delivery("b", { state: "waiting" }));
    expect(states()).toEqual(["b waiting", "a failed"]);
    actor.send({ type: "replay.requested", id: "a" });
    expect([selectReplaying(now()), replay.inputs()]).toEqual(["a", [{ id: "one", delivery: "a" }]]);
    await replay.last().resolve(delivery("a", { state: "waiting" }));
    expect([selectReplaying(now()), states()]).toEqual([null, ["b waiting", "a waiting"]]);
    actor.send({ type: "replay.requested", id: "a" });
    await replay.last().reject("conflict");
    expect([selectFailure(now()), selectReplaying(now())]).toEqual(["conflict", null]);
    actor.send({ type: "test.requested" });
    expect(selectFailure(now())).toBeNull();
    await trial.last().reject("tooManyRequests");
    expect(selectFailure(now())).toBe("tooManyRequests");
    wakeUps.say({ type: "page.resumed" });
    await loadLog.last().resolve([]);
    expect(states()).toEqual([]);
    actor.send({ type: "log.dismissed" });
    expect(selectFailure(now())).toBeNull();
  });

  test("webhooks are hidden if the server has none, and load when the network is back", async () => {
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
    const later = start();
    await later.load.last().reject("network");
    expect(selectHasFailed(later.now())).toBe(true);
    later.wakeUps.say({ type: "page.resumed" });
    await later.load.last().resolve({ items: [webhook("one")] });
    later.wakeUps.say({ type: "page.resumed" });
    await later.load.last().resolve({ items: [webhook("two")] });
    expect(later.ids()).toEqual(["two"]);
  });
});

describe("several webhooks", () => {
  test("several webhooks are paused and removed separately, with the action in progress shown", async () => {
    const { actor, change, remove, ids, now } = await opened("one", "two", "three");
    expect([selectIsLoading(now()), selectIsOpen(now()), selectReturns(now())]).toEqual([false, true, 0]);
    actor.send({ type: "change.requested", id: "two", change: { paused: true } });
    await change.last().resolve(webhook("two", { paused: { at, reason: "owner" } }));
    expect([selectItems(now()).map(({ paused }) => paused?.reason), selectChanging(now())]).toEqual([
      [undefined, "owner", undefined],
      null,
    ]);
    actor.send({ type: "removal.requested", id: "two" });
    expect([selectAsked(now())?.id, selectRemoving(now())]).toEqual(["two", null]);
    actor.send({ type: "removal.confirmed" });
    expect([selectAsked(now()), selectRemoving(now())]).toEqual([null, "two"]);
    await remove.last().resolve();
    expect([ids(), selectRemoving(now()), selectReturns(now())]).toEqual([["one", "three"], null, 1]);
  });

  test("several webhooks have logs with the newest message first", async () => {
    const { actor, loadLog, trial, states, now } = await opened("one", "two");
    actor.send({ type: "log.requested", id: "none" });
    expect([selectLogged(now()), loadLog.asked.length]).toEqual([null, 0]);
    actor.send({ type: "log.requested", id: "two" });
    expect([selectLogged(now())?.id, selectDeliveries(now()), selectIsTesting(now())]).toEqual(["two", null, false]);
    await loadLog.last().resolve([delivery("a"), delivery("b", { state: "waiting" })]);
    actor.send({ type: "test.requested" });
    expect(trial.inputs()).toEqual([{ id: "two" }]);
    await trial.last().resolve(delivery("c"));
    expect([states(), selectIsTesting(now())]).toEqual([["c delivered", "a delivered", "b waiting"], false]);
  });

  test("several webhooks are created one at a time, and a new form starts without the old error", async () => {
    const { actor, create, now } = await opened();
    actor.send({ type: "creation.requested" });
    expect([selectIsWriting(now()), selectIsCreating(now())]).toEqual([true, false]);
    actor.send({ type: "creation.submitted", draft });
    expect([selectIsWriting(now()), selectIsCreating(now())]).toEqual([true, true]);
    await create.last().reject("network");
    actor.send({ type: "creation.dismissed" });
    expect(selectFailure(now())).toBeNull();
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft: { ...draft, url: "" } });
    actor.send({ type: "creation.dismissed" });
    actor.send({ type: "creation.requested" });
    expect(selectFailure(now())).toBeNull();
  });
});
