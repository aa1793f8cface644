import { createActor } from "xstate";
import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { analyticsMachine } from "#machines/analytics/machine.ts";
import { type AnalyticsSession, idleLimit, isOver, type MadeEvent, type Place, scrollMarks } from "#machines/analytics/rules.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** Everything at once would be more situations than anybody waits for: each theme has moves of its own. */
const beginnings = {
  "nothing is configured": { isConfigured: false },
  "the browser asks not to be followed": { hasSignal: true },
  "nobody was asked yet": {},
  "somebody refused": { choice: "refused" },
  "somebody agreed: the session": { choice: "agreed" },
  "somebody agreed: what they look at": { choice: "agreed", looks: true },
} as const;
type Start = keyof typeof beginnings;
const isStart = (name: string): name is Start => name in beginnings;

interface Beginning {
  isConfigured?: boolean;
  hasSignal?: boolean;
  choice?: "agreed" | "refused" | null;
  looks?: boolean;
}

function prepare(stubs: Stubs) {
  const watch = stubs.callback<AnalyticsEvent>();
  const tag = stubs.callback<AnalyticsEvent>();
  const lookUp = stubs.asking<Place | null>();
  let kept: AnalyticsSession | null = null;
  const machine = analyticsMachine.provide({
    actors: { watch: watch.logic, tag: tag.logic, lookUp: lookUp.logic },
    actions: {
      persistChoice: () => {},
      persistSession: (_, { session }) => {
        kept = session ?? kept;
      },
    },
  });
  return ({ start, clock, inspect }: RunOptions) => {
    const {
      isConfigured = true,
      hasSignal = false,
      choice = null,
      looks = false,
    }: Beginning = isStart(start) ? beginnings[start] : {};
    kept = null;
    const environment = { slept: 0, ids: 0 };
    const now = () => 1_000_000 + clock.now() + environment.slept;
    const newId = () => {
      environment.ids += 1;
      return `s${environment.ids}`;
    };
    const input = { isConfigured, hasSignal, choice, now, newId };
    const actor = createActor(machine, { clock, inspect, input });
    const events: MadeEvent[] = [];
    /** Whether it was allowed when it was made. */
    const wrongly: string[] = [];
    actor.on("event.made", ({ event }) => {
      events.push(event);
      const { context } = actor.getSnapshot();
      const isAllowed = context.isDry || (isConfigured && !hasSignal && context.choice === "agreed");
      if (!isAllowed || event.isDry !== context.isDry || event.params.parlance_session === "") wrongly.push(event.name);
    });
    return { actor, watch, tag, lookUp, environment, events, wrongly, now, looks, kept: () => kept };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const watching = ({ watch }: Harness) => watch;
const only = (looks: boolean, moves: readonly Move<Harness>[]): Move<Harness>[] =>
  moves.map((move) => ({ ...move, may: (harness, clock) => harness.looks === looks && move.may(harness, clock) }));

/** The depths of the latest page view. */
const depthsSinceView = ({ events }: Harness) =>
  events.slice(events.findLastIndex(({ name }) => name === "page_view") + 1).filter(({ name }) => name === "scroll_depth");

const active: Move<Harness> = {
  name: "activity.noticed",
  may: ({ watch, actor, kept }) =>
    watch.running() > 0 && actor.getSnapshot().can({ type: "activity.noticed", persisted: kept() }),
  happen: ({ watch, kept }) => watch.say({ type: "activity.noticed", persisted: kept() }),
};

walkTests<Harness>({
  machine: analyticsMachine,
  prepare,
  starts: Object.keys(beginnings),
  moves: [
    active,
    untilNextTimer,
    ...only(false, [
      sent({ type: "consent.chosen", choice: "agreed" }, "agreed"),
      sent({ type: "consent.chosen", choice: "refused" }, "refused"),
      sent({ type: "consent.chosen", choice: null }, "cleared"),
      sent({ type: "dryRun.chosen", isOn: true }, "a dry run"),
      sent({ type: "dryRun.chosen", isOn: false }, "no dry run"),
      said({ type: "page.hidden" }, watching),
      said({ type: "page.shown" }, watching),
      said({ type: "tag.loaded" }, ({ tag }: Harness) => tag),
      said({ type: "tag.failed" }, ({ tag }: Harness) => tag),
      answered(
        "the place is known",
        ({ lookUp }: Harness) => lookUp,
        () => ({ country: "DE", region: "", city: "" }),
      ),
      answered(
        "there is no lookup",
        ({ lookUp }: Harness) => lookUp,
        () => null,
      ),
      refused("the lookup fails", ({ lookUp }: Harness) => lookUp, failure("network")),
      sent({ type: "heartbeat.requested" }),
      {
        name: "the computer sleeps",
        may: (harness) => context(harness).session !== null && !isOver(context(harness).session ?? never, harness.now()),
        happen: ({ environment }) => {
          environment.slept += idleLimit;
        },
      },
    ]),
    ...only(true, [
      said({ type: "route.changed", path: "/a" }, watching, "a page"),
      said({ type: "route.changed", path: "/b" }, watching, "another page"),
      said({ type: "page.scrolled", percent: 40 }, watching, "a little"),
      said({ type: "page.scrolled", percent: 60 }, watching, "more than half"),
      said({ type: "page.scrolled", percent: 100 }, watching, "to the end"),
      sent({ type: "event.requested", name: "test_event", params: {} }),
      sent({ type: "pageView.requested" }),
    ]),
  ],
  situation: (harness) => {
    const { choice, isDry, session, isNew, path, marks } = context(harness);
    const kept = harness.kept();
    return [
      ...[harness.looks, choice, isDry, isNew, path, marks],
      session !== null && isOver(session, harness.now()),
      kept !== null && isOver(kept, harness.now()),
    ];
  },
  rules: {
    "nothing is sent without a session that was agreed to, but for a dry run": ({ wrongly }) => wrongly.length === 0,
    "the page is listened to only while it is measured": (harness) =>
      harness.watch.running() === (harness.actor.getSnapshot().matches({ measuring: "on" }) ? 1 : 0),
    "the tag is there only for who agrees": (harness) =>
      harness.tag.running() === (harness.actor.getSnapshot().matches({ consent: "agreed" }) ? 1 : 0),
    "a place is looked up once for each session that begins, and never in a dry run": ({ lookUp, events }) =>
      lookUp.times() === events.filter(({ name, isDry }) => name === "session_begin" && !isDry).length,
    "each mark is sent once per page view": (harness) => {
      const percents = depthsSinceView(harness).map(({ params }) => params.percent_scrolled);
      return percents.every((percent, index) => percent === scrollMarks[index]);
    },
    "a session with a heartbeat is running": (harness) =>
      harness.events.at(-1)?.name !== "session_heartbeat" || harness.events.some(({ name }) => name === "session_begin"),
    "what is kept was no dry run": (harness) =>
      harness.kept() === null || harness.events.some(({ name, isDry }) => name === "session_begin" && !isDry),
  },
  unreachable: {
    "analytics.consent.agreed: tag failed → analytics.consent.agreed.failed": "a browser that throws is like one that blocks",
  },
});

const never: AnalyticsSession = { id: "", startedAt: 0, seenAt: 0 };
