import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { analyticsMachine } from "#machines/analytics/machine.ts";
import type { AnalyticsSession, ConsentChoice, MadeEvent, Place } from "#machines/analytics/rules.ts";

export const second = 1000;
export const minute = 60 * second;
export const startTime = Date.parse("2026-11-21T10:00:00Z");

interface Options {
  isConfigured?: boolean;
  hasSignal?: boolean;
  choice?: ConsentChoice | null;
  kept?: AnalyticsSession | null;
  /** The result of the lookup; default: Berlin. */
  place?: Place | null | Error | "never";
}

const berlin: Place = { country: "DE", region: "Berlin", city: "Berlin" };

/** The analytics on a test's clock, with a simulated page and tag. */
export function startAnalytics({ isConfigured = true, hasSignal = false, choice = null, kept = null, place }: Options = {}) {
  const clock = new SimulatedClock();
  const environment = { kept, choices: [] as (ConsentChoice | null)[], slept: 0, lookups: 0, watching: 0, tags: 0 };
  let say: (event: AnalyticsEvent) => void = () => {};
  let tagSays: (event: AnalyticsEvent) => void = () => {};
  const sent: MadeEvent[] = [];
  const machine = analyticsMachine.provide({
    actors: {
      watch: fromCallback<AnalyticsEvent>(({ sendBack }) => {
        environment.watching += 1;
        say = sendBack;
        sendBack({ type: "route.changed", path: "/" });
        sendBack({ type: "activity.noticed", persisted: environment.kept });
        return () => {
          environment.watching -= 1;
        };
      }),
      tag: fromCallback<AnalyticsEvent>(({ sendBack }) => {
        environment.tags += 1;
        tagSays = sendBack;
        return () => {
          environment.tags -= 1;
        };
      }),
      lookUp: fromPromise<Place | null>(async () => {
        environment.lookups += 1;
        if (place === "never") return new Promise<null>(() => {});
        if (place instanceof Error) throw place;
        return place === undefined ? berlin : place;
      }),
    },
    actions: {
      persistChoice: (_, { choice: chosen }) => environment.choices.push(chosen),
      persistSession: (_, { session }) => {
        if (session !== null) environment.kept = session;
      },
    },
  });
  const now = () => startTime + clock.now() + environment.slept;
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `s${ids}`;
  };
  const input = { isConfigured, hasSignal, choice, now, newId };
  const actor = createActor(machine, { clock, input });
  actor.on("event.made", ({ event }) => sent.push(event));
  actor.start();
  return {
    actor,
    clock,
    environment,
    sent,
    now,
    /** The page sends it. */
    page: (event: AnalyticsEvent) => say(event),
    tag: (event: AnalyticsEvent) => tagSays(event),
    choose: (chosen: ConsentChoice | null) => actor.send({ type: "consent.chosen", choice: chosen }),
    active: () => say({ type: "activity.noticed", persisted: environment.kept }),
    /** The names of the sent events, in order. */
    names: () => sent.map(({ name }) => name),
    count: (name: string) => sent.filter((event) => event.name === name).length,
    last: () => sent.at(-1),
  };
}
