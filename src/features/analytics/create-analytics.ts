import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { analyticsMachine } from "#machines/analytics/machine.ts";
import type { AnalyticsSession, MadeEvent } from "#machines/analytics/rules.ts";
import { selectTag } from "#machines/analytics/selectors.ts";
import { inspected } from "#src/browser/inspection.ts";
import type { PageRouter } from "#src/browser/page-router.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { analyticsLookup, analyticsTag } from "./config.ts";
import { asksNotToBeFollowed, createConsentStore } from "./consent.ts";
import { type DataLayer, deleteTagCookies, openDataLayer } from "./data-layer.ts";
import { askPlace, cleanParams } from "./events.ts";
import { addressWithoutToken, loadTag } from "./tag.ts";
import { shownPattern, watchPage } from "./watch.ts";

/** The window event that is dispatched for each sent event. Its `detail` is a MadeEvent. */
const analyticsEventName = "parlance:analytics";
const maxEntries = 200;

/** An event with its delivery state. Events wait in the data layer until the tag is loaded. */
export interface SentEvent extends MadeEvent {
  id: number;
  delivered: "dryRun" | "waiting" | "tag" | "nobody";
}

export interface Analytics {
  actor: ActorRefFrom<typeof analyticsMachine>;
  /** Events sent since the page was loaded, the newest last; older ones are dropped. */
  sent: ReadableStore<readonly SentEvent[]>;
  /** The hosts that receive data. */
  tagHost: string | undefined;
  lookupHost: string | undefined;
  /** The session in this browser's storage, which another tab may have written. */
  persistedSession(): AnalyticsSession | null;
}

const hostOf = (address: string | undefined) => (address === undefined ? undefined : new URL(address).host);

/** Short, because a long string with digits would be redacted as an id. */
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join("");

/**
 * Creates and starts the analytics of a page.
 * @param router provides the current route
 */
export function createAnalytics(router: PageRouter): Analytics {
  const [tag, lookup] = [analyticsTag(), analyticsLookup()];
  const [tagHost, lookupHost] = [hostOf(tag), hostOf(lookup)];
  const store = createConsentStore([tagHost, lookupHost].filter((host) => host !== undefined));
  let layer: DataLayer | undefined;
  const machine = analyticsMachine.provide({
    actors: {
      watch: fromCallback(({ sendBack }) => watchPage(router, store.session, sendBack)),
      tag: fromCallback(({ sendBack }) => {
        const stop = new AbortController();
        if (tag === undefined) return undefined;
        layer ??= openDataLayer(tag, () => shownPattern(router));
        layer.begin();
        addressWithoutToken(router, stop.signal)
          .then(() => loadTag(tag))
          .then(
            () => sendBack({ type: "tag.loaded" }),
            () => sendBack({ type: "tag.failed" }),
          );
        return () => {
          stop.abort();
          layer?.end();
          void deleteTagCookies();
        };
      }),
      lookUp: fromPromise(async ({ signal }) => (lookup === undefined ? null : askPlace(lookup, signal))),
    },
    actions: {
      persistChoice: (_, { choice }) => store.persistChoice(choice),
      persistSession: (_, { session }) => {
        if (session !== null) store.persistSession(session);
      },
    },
  });
  const input = {
    isConfigured: tag !== undefined,
    hasSignal: asksNotToBeFollowed(navigator),
    choice: store.choice(),
    now: Date.now,
    newId,
  };
  const actor = createActor(machine, { ...inspected(), input });
  const sent = deliver(actor, () => layer);
  store.subscribe(() => actor.send({ type: "consent.chosen", choice: store.choice() }));
  return { actor: actor.start(), sent, tagHost, lookupHost, persistedSession: store.session };
}

/** Pushes each event to the data layer, dispatches it on the window, and keeps it for inspection. */
function deliver(actor: Analytics["actor"], layer: () => DataLayer | undefined): Analytics["sent"] {
  const sent = createStore<readonly SentEvent[]>([]);
  let count = 0;
  const fate = () => {
    const tag = selectTag(actor.getSnapshot());
    if (tag === "failed") return "nobody";
    return tag === "loaded" ? "tag" : "waiting";
  };
  actor.on("event.made", ({ event }) => {
    const clean = { ...event, params: cleanParams(event.params) };
    count += 1;
    sent.set([...sent.get(), { ...clean, id: count, delivered: event.isDry ? "dryRun" : fate() } as const].slice(-maxEntries));
    if (event.isDry) return;
    layer()?.send(clean.name, clean.params);
    window.dispatchEvent(new CustomEvent(analyticsEventName, { detail: clean }));
  });
  actor.subscribe(() => {
    const now = fate();
    if (now === "waiting" || !sent.get().some(({ delivered }) => delivered === "waiting")) return;
    sent.set(sent.get().map((one) => (one.delivered === "waiting" ? { ...one, delivered: now } : one)));
  });
  return sent;
}
