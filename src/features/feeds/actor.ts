import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { FilingAnswer } from "#contract/index.ts";
import { feedsMachine } from "#machines/feeds/machine.ts";
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
    load: fromPromise(async ({ signal }) => {
      // A failure to load folders is ignored, because users can follow feeds without them.
      const folders = filing.list(signal).catch(() => noFolders);
      const { feeds: items, limit } = await api.list(signal);
      return { items, limit, folders: (await folders).folders };
    }),
    create: fromPromise(async ({ input, signal }) => ({
      item: await api.follow(input.draft, signal),
      secret: null,
    })),
    change: fromPromise(({ input, signal }) => api.change(input.id, input.change, signal)),
    remove: fromPromise(({ input, signal }) => api.remove(input.id, signal)),
    wakeUps: createWakeUps(),
  },
});
export type Feeds = ActorRefFrom<typeof machine>;

function create(): Feeds {
  const actor = createActor(machine, inspected());
  actor.on("item.created", () => toast({ kind: "success", key: "feeds:followed" }));
  actor.on("item.removed", () => toast({ kind: "success", key: "feeds:removed" }));
  return actor.start();
}

const opened = perOwner<Feeds>({ end: (actor) => actor.stop() });

/** Opens the signed-in user's feeds. Returns the same actor until the user leaves the page. */
export const enterFeeds = (): Feeds => opened.open(create);

/** Called when the user leaves the page. */
export const leaveFeeds = opened.close;
