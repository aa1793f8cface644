import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { Feed, FeedChange, FilingAnswer, NewFeed } from "#contract/index.ts";
import type { FeedsEvent } from "#machines/feeds/events.ts";
import { feedsMachine, type KnownFeeds } from "#machines/feeds/machine.ts";
import { createFeedsApi } from "#src/api/feeds.ts";
import { createFilingApi } from "#src/api/filing.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { call, send } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createFeedsApi(call);
const filing = createFilingApi(call, send);

const noFolders: Pick<FilingAnswer, "folders"> = { folders: [] };

const machine = feedsMachine.provide({
  actors: {
    load: fromPromise<KnownFeeds>(async ({ signal }) => {
      // Without folders, feeds can be followed all the same.
      const folders = filing.list(signal).catch(() => noFolders);
      return { ...(await api.list(signal)), folders: (await folders).folders };
    }),
    follow: fromPromise<Feed, NewFeed>(({ input, signal }) => api.follow(input, signal)),
    change: fromPromise<Feed, { id: string; change: FeedChange }>(({ input: { id, change }, signal }) =>
      api.change(id, change, signal),
    ),
    remove: fromPromise<void, { id: string }>(({ input, signal }) => api.remove(input.id, signal)),
    wakeUps: createWakeUps<FeedsEvent>(),
  },
});
export type Feeds = ActorRefFrom<typeof machine>;

function create(): Feeds {
  const actor = createActor(machine, inspected());
  actor.on("feed.followed", () => toast({ kind: "success", key: "feeds:followed" }));
  actor.on("feed.removed", () => toast({ kind: "success", key: "feeds:removed" }));
  return actor.start();
}

const opened = perOwner<Feeds>({ end: (actor) => actor.stop() });

/** The feeds that the signed-in person follows: the same until the page is left. */
export const enterFeeds = (): Feeds => opened.open(create);

/** The page is left. */
export const leaveFeeds = opened.close;
