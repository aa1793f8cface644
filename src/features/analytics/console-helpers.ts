import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { type Consent, selectConsent, selectIsDry, selectPath, selectSession, selectTag } from "#machines/analytics/machine.ts";
import type { Analytics, SentEvent } from "./create-analytics.ts";
import { cleanParams, isEventName } from "./events.ts";

/** What a developer's console has as `parlanceAnalytics`. Each gives back what was sent; undefined where nothing is measured. */
export interface AnalyticsHelpers {
  /** @throws TypeError for a name that no tag takes */
  event(name: string, params?: Readonly<Record<string, unknown>>): SentEvent | undefined;
  /** Of the page that is shown. */
  pageView(): SentEvent | undefined;
  heartbeat(): SentEvent | undefined;
  status(): AnalyticsStatus;
}

export interface AnalyticsStatus {
  consent: Consent;
  dryRun: boolean;
  tag: "none" | "loading" | "loaded" | "failed";
  /** The hosts that something is sent to. */
  recipients: readonly string[];
  /** Null: nobody is there, or nothing is measured. */
  session: { id: string; startedAt: string; idleSeconds: number } | null;
  /** The route that is measured. */
  path: string;
}

declare global {
  interface Window {
    parlanceAnalytics?: AnalyticsHelpers;
  }
}

/** Makes the helpers of an analytics that runs. */
export function createHelpers({ actor, sent, tagHost, lookupHost }: Analytics): AnalyticsHelpers {
  const send = (event: AnalyticsEvent): SentEvent | undefined => {
    // Who sends by hand is there.
    actor.send({ type: "activity.noticed" });
    const before = sent.get();
    actor.send(event);
    if (sent.get() !== before) return sent.get().at(-1);
    console.info(`Nothing was sent: ${selectConsent(actor.getSnapshot())}. /analytics-test has a dry run.`);
    return undefined;
  };
  return {
    event: (name, params = {}) => {
      if (!isEventName(name)) throw new TypeError("An event's name has a letter first, then letters, digits and _: 40 at most.");
      return send({ type: "event.requested", name, params: cleanParams(params) });
    },
    pageView: () => send({ type: "pageView.requested" }),
    heartbeat: () => send({ type: "heartbeat.requested" }),
    status: () => {
      const snapshot = actor.getSnapshot();
      const session = selectSession(snapshot);
      return {
        ...{ consent: selectConsent(snapshot), dryRun: selectIsDry(snapshot), tag: selectTag(snapshot) },
        recipients: [tagHost, lookupHost].filter((host) => host !== undefined),
        session: session && {
          id: session.id,
          startedAt: new Date(session.startedAt).toISOString(),
          idleSeconds: Math.round((Date.now() - session.seenAt) / 1000),
        },
        path: selectPath(snapshot),
      };
    },
  };
}

/** For developers: not a part of what people use. */
export function exposeHelpers(analytics: Analytics): void {
  window.parlanceAnalytics = createHelpers(analytics);
}
