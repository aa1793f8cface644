import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { selectConsent, selectIsDry, selectPath, selectSession, selectTag } from "#machines/analytics/selectors.ts";
import type { Analytics, SentEvent } from "./create-analytics.ts";
import { cleanParams, isEventName } from "./events.ts";

declare global {
  interface Window {
    parlanceAnalytics?: ReturnType<typeof createHelpers>;
  }
}

/**
 * Creates `parlanceAnalytics` for the developer console. Each function returns the sent event; undefined without
 * analytics.
 */
function createHelpers({ actor, sent, tagHost, lookupHost, persistedSession }: Analytics) {
  const send = (event: AnalyticsEvent): SentEvent | undefined => {
    // A manually sent event counts as activity.
    actor.send({ type: "activity.noticed", persisted: persistedSession() });
    const before = sent.get();
    actor.send(event);
    if (sent.get() !== before) return sent.get().at(-1);
    console.info(`Nothing was sent: ${selectConsent(actor.getSnapshot())}. /analytics-test has a dry run.`);
    return undefined;
  };
  return {
    /** @throws TypeError for a name that tags don't accept */
    event: (name: string, params: Readonly<Record<string, unknown>> = {}) => {
      if (!isEventName(name)) throw new TypeError("An event's name has a letter first, then letters, digits and _: 40 at most.");
      return send({ type: "event.requested", name, params: cleanParams(params) });
    },
    /** Reports a view of the current page. */
    pageView: () => send({ type: "pageView.requested" }),
    heartbeat: () => send({ type: "heartbeat.requested" }),
    status: () => {
      const snapshot = actor.getSnapshot();
      const session = selectSession(snapshot);
      return {
        consent: selectConsent(snapshot),
        dryRun: selectIsDry(snapshot),
        tag: selectTag(snapshot),
        /** The hosts that receive data. */
        recipients: [tagHost, lookupHost].filter((host) => host !== undefined),
        /** Null: nobody is signed in, or analytics are off. */
        session: session && {
          id: session.id,
          startedAt: new Date(session.startedAt).toISOString(),
          idleSeconds: Math.round((Date.now() - session.seenAt) / 1000),
        },
        /** The measured route. */
        path: selectPath(snapshot),
      };
    },
  };
}

/** Exposes the helpers on `window`, for developers. */
export function exposeHelpers(analytics: Analytics): void {
  window.parlanceAnalytics = createHelpers(analytics);
}
