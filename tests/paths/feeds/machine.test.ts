import { createActor, type EventObject } from "xstate";
import type { Feed, NewFeed } from "#contract/index.ts";
import type { Changing, Created, Drafted } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectIsWriting, selectItems } from "#machines/collection/selectors.ts";
import type { FeedTypes, KnownFeeds } from "#machines/feeds/events.ts";
import { feedsMachine } from "#machines/feeds/machine.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const one: Feed = {
  ...{ id: "one", url: "https://one.example/feed", title: "One", createdAt: at, sourceLanguage: "en", targetLanguage: null },
  ...{ folderId: null, paused: null, lookedAt: at, nextAt: at, error: null, failures: 0 },
  ...{ taken: 0, waiting: 0, waitingFor: null, newest: null },
};
const made: Feed = { ...one, id: "new" };
const draft: NewFeed = { url: "https://new.example/feed", sourceLanguage: "en" };

function prepare(stubs: Stubs) {
  const load = stubs.asking<KnownFeeds>();
  const create = stubs.asking<Created<FeedTypes>, Drafted<FeedTypes>>();
  const change = stubs.asking<Feed, Changing<FeedTypes>>();
  const remove = stubs.asking<void, { id: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = feedsMachine.provide({
    actors: { load: load.logic, create: create.logic, change: change.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const calls = { load, create, change, remove };
    const server = { now: { items: [one], limit: 3, folders: [] } as KnownFeeds };
    return { actor, ...calls, calls, wakeUps, server, confirmed: { last: false } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const open = ({ calls }: Harness) => Object.values(calls).reduce((sum, call) => sum + call.open().length, 0);

walkTests<Harness>({
  machine: feedsMachine,
  prepare,
  moves: [
    sent({ type: "creation.requested" }),
    sent({ type: "creation.submitted", draft }, "a feed is wanted"),
    sent({ type: "creation.submitted", draft: { ...draft, url: "" } }, "one without an address is wanted"),
    sent({ type: "creation.dismissed" }),
    ...removalMoves<Harness>(({ server }) => {
      server.now = { ...server.now, items: server.now.items.filter(({ id }) => id !== "one") };
    }),
    sent({ type: "change.requested", id: "one", change: { paused: true } }),
    ...loadingMoves<Harness, KnownFeeds>(({ server }) => server.now),
    {
      ...answered(
        "it is followed",
        ({ create }: Harness) => create,
        ({ server }: Harness) => {
          server.now = { ...server.now, items: [...server.now.items, made] };
          return { item: made, secret: null };
        },
      ),
      // One item is enough: further ones would only lengthen the list.
      may: (harness: Harness) =>
        harness.create.open().length > 0 && !selectItems(snapshot(harness)).some(({ id }) => id === made.id),
    },
    refused("it is no feed", ({ create }: Harness) => create, failure("notAudio")),
    answered(
      "it is changed",
      ({ change }: Harness) => change,
      () => one,
    ),
    refused("it can't be changed", ({ change }: Harness) => change, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id }) => id),
    snapshot(harness).context.chosen,
    snapshot(harness).context.failure,
    harness.server.now.items.map(({ id }) => id),
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": (harness) => open(harness) <= 1,
    ...removalRules,
    "the form stays while the server reads the feed": (harness) =>
      harness.create.open().length === 0 || selectIsWriting(snapshot(harness)),
    "how feeds stand is looked at again, unless somebody has to ask": (harness, clock) =>
      !snapshot(harness).matches({ open: { idle: "resting" } }) ||
      selectItems(snapshot(harness)).length === 0 ||
      clock.untilNext() !== undefined,
    "a server without the call is left alone": (harness) => !selectIsUnavailable(snapshot(harness)) || open(harness) === 0,
  },
});
