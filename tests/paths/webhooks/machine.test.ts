import { createActor, type EventObject } from "xstate";
import type { NewWebhook, Webhook, WebhookDelivery } from "#contract/index.ts";
import type { Changing, Created, Drafted, Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectCreated, selectItems } from "#machines/collection/selectors.ts";
import type { WebhookTypes } from "#machines/webhooks/events.ts";
import { webhooksMachine } from "#machines/webhooks/machine.ts";
import { selectDeliveries, selectLogged, selectReplaying } from "#machines/webhooks/selectors.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const one: Webhook = {
  ...{ id: "one", url: "https://one.example/", events: [], createdAt: at },
  ...{ paused: null, failures: 0, failingSince: null },
};
const draft: NewWebhook = { url: "https://new.example/", events: ["transcription.failed"] };
const made: Created<WebhookTypes> = { item: { ...one, id: "new" }, secret: "secret" };
const message: WebhookDelivery = {
  ...{ id: "message", type: "webhook.test", transcriptionId: null, createdAt: at, attempts: 1, attemptedAt: at, nextAt: null },
  ...{ state: "delivered", status: 200, answer: "", error: null },
};
const waiting: WebhookDelivery = { ...message, state: "waiting", status: null };

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<Webhook>>();
  const create = stubs.asking<Created<WebhookTypes>, Drafted<WebhookTypes>>();
  const change = stubs.asking<Webhook, Changing<WebhookTypes>>();
  const copy = stubs.asking<void, { text: string }>();
  const remove = stubs.asking<void, { id: string }>();
  const loadLog = stubs.asking<readonly WebhookDelivery[], { id: string }>();
  const test = stubs.asking<WebhookDelivery, { id: string }>();
  const replay = stubs.asking<WebhookDelivery, { id: string; delivery: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = webhooksMachine.provide({
    actors: {
      ...{ load: load.logic, create: create.logic, change: change.logic, remove: remove.logic, copy: copy.logic },
      ...{ loadLog: loadLog.logic, test: test.logic, replay: replay.logic, wakeUps: wakeUps.logic },
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const calls = { load, create, change, remove, loadLog, test, replay };
    const server = { now: [one] as readonly Webhook[], log: [message] as readonly WebhookDelivery[] };
    return { actor, ...calls, calls, copy, wakeUps, server, confirmed: { last: false } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const open = ({ calls }: Harness) => Object.values(calls).reduce((sum, call) => sum + call.open().length, 0);

walkTests<Harness>({
  machine: webhooksMachine,
  prepare,
  moves: [
    sent({ type: "creation.requested" }),
    sent({ type: "creation.submitted", draft }, "a webhook is wanted"),
    sent({ type: "creation.submitted", draft: { ...draft, url: "" } }, "one without an address is wanted"),
    sent({ type: "creation.submitted", draft: { ...draft, events: [] } }, "one that wants to know nothing is wanted"),
    sent({ type: "creation.dismissed" }),
    sent({ type: "copy.requested", text: "secret" }),
    sent({ type: "secret.dismissed" }),
    ...removalMoves<Harness>(({ server }) => {
      server.now = server.now.filter(({ id }) => id !== "one");
    }),
    sent({ type: "change.requested", id: "one", change: { paused: true } }),
    sent({ type: "log.requested", id: "one" }),
    sent({ type: "log.dismissed" }),
    sent({ type: "test.requested" }),
    sent({ type: "replay.requested", id: "message" }),
    ...loadingMoves<Harness, Listed<Webhook>>(({ server }) => ({ items: server.now })),
    {
      ...answered(
        "it is made",
        ({ create }: Harness) => create,
        ({ server }: Harness) => {
          server.now = [...server.now, made.item];
          return made;
        },
      ),
      // One item is enough: further ones would only lengthen the list.
      may: (harness: Harness) =>
        harness.create.open().length > 0 && !selectItems(snapshot(harness)).some(({ id }) => id === made.item.id),
    },
    refused("it can't be made", ({ create }: Harness) => create, failure("urlRefused")),
    answered(
      "it is copied",
      ({ copy }: Harness) => copy,
      () => undefined,
    ),
    refused("it can't be copied", ({ copy }: Harness) => copy, failure("none")),
    answered(
      "it is changed",
      ({ change }: Harness) => change,
      () => one,
    ),
    refused("it can't be changed", ({ change }: Harness) => change, failure("network")),
    answered(
      "the log is loaded",
      ({ loadLog }: Harness) => loadLog,
      ({ server }) => server.log,
    ),
    refused("the log can't be loaded", ({ loadLog }: Harness) => loadLog, failure("network")),
    answered(
      "it is tried",
      ({ test }: Harness) => test,
      ({ server }) => {
        server.log = [waiting];
        return waiting;
      },
    ),
    refused("it can't be tried", ({ test }: Harness) => test, failure("network")),
    answered(
      "it is sent again",
      ({ replay }: Harness) => replay,
      ({ server }) => {
        server.log = [waiting];
        return waiting;
      },
    ),
    refused("it can't be sent again", ({ replay }: Harness) => replay, failure("network")),
    {
      name: "what waits is delivered",
      may: ({ server }) => server.log[0]?.state === "waiting",
      happen: ({ server }) => {
        server.log = [message];
      },
    },
    untilNextTimer,
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id }) => id),
    selectDeliveries(snapshot(harness))?.map(({ state }) => state),
    snapshot(harness).context.chosen,
    snapshot(harness).context.failure,
    harness.server.now.map(({ id }) => id),
    harness.server.log.map(({ state }) => state),
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": (harness) => open(harness) <= 1,
    ...removalRules,
    "a secret is there while it is shown, and no longer": (harness) =>
      (selectCreated(snapshot(harness)) !== null) === snapshot(harness).matches({ open: "created" }),
    "messages are there only of the one that is looked at": (harness) =>
      selectDeliveries(snapshot(harness)) === null || selectLogged(snapshot(harness)) !== null,
    "what is sent again is said": (harness) =>
      (selectReplaying(snapshot(harness)) !== null) === (harness.replay.open().length === 1),
    "what waits is looked at again, unless somebody has to ask": (harness, clock) =>
      !snapshot(harness).matches({ open: { log: { listed: "resting" } } }) ||
      selectDeliveries(snapshot(harness))?.[0]?.state !== "waiting" ||
      clock.untilNext() !== undefined,
    "a server without the call is left alone": (harness) => !selectIsUnavailable(snapshot(harness)) || open(harness) === 0,
  },
});
