import { createActor } from "xstate";
import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { analyticsMachine } from "#machines/analytics/machine.ts";
import { type AnalyticsSession, idleLimit, isOver, type MadeEvent, type Place, scrollMarks } from "#machines/analytics/rules.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
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

function prepare(stage: Stage) {
  const watch = stage.callback<AnalyticsEvent>();
  const tag = stage.callback<AnalyticsEvent>();
  const lookUp = stage.asking<Place | null>();
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
    const world = { slept: 0, ids: 0 };
    const now = () => 1_000_000 + clock.now() + world.slept;
    const newId = () => {
      world.ids += 1;
      return `s${world.ids}`;
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
    return { actor, watch, tag, lookUp, world, events, wrongly, now, looks, kept: () => kept };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const watching = ({ watch }: Rig) => watch;
const only = (looks: boolean, moves: readonly Move<Rig>[]): Move<Rig>[] =>
  moves.map((move) => ({ ...move, may: (rig, clock) => rig.looks === looks && move.may(rig, clock) }));

/** Of the page view that is the latest. */
const depthsSinceView = ({ events }: Rig) =>
  events.slice(events.findLastIndex(({ name }) => name === "page_view") + 1).filter(({ name }) => name === "scroll_depth");

const active: Move<Rig> = {
  name: "activity.noticed",
  may: ({ watch, actor, kept }) =>
    watch.running() > 0 && actor.getSnapshot().can({ type: "activity.noticed", persisted: kept() }),
  happen: ({ watch, kept }) => watch.say({ type: "activity.noticed", persisted: kept() }),
};

walkTests<Rig>({
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
      said({ type: "tag.loaded" }, ({ tag }: Rig) => tag),
      said({ type: "tag.failed" }, ({ tag }: Rig) => tag),
      answered(
        "the place is known",
        ({ lookUp }: Rig) => lookUp,
        () => ({ country: "DE", region: "", city: "" }),
      ),
      answered(
        "there is no lookup",
        ({ lookUp }: Rig) => lookUp,
        () => null,
      ),
      refused("the lookup fails", ({ lookUp }: Rig) => lookUp, failure("network")),
      sent({ type: "heartbeat.requested" }),
      {
        name: "the computer sleeps",
        may: (rig) => context(rig).session !== null && !isOver(context(rig).session ?? never, rig.now()),
        happen: ({ world }) => {
          world.slept += idleLimit;
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
  situation: (rig) => {
    const { choice, isDry, session, isNew, path, marks } = context(rig);
    const kept = rig.kept();
    return [
      ...[rig.looks, choice, isDry, isNew, path, marks],
      session !== null && isOver(session, rig.now()),
      kept !== null && isOver(kept, rig.now()),
    ];
  },
  rules: {
    "nothing is sent without a session that was agreed to, but for a dry run": ({ wrongly }) => wrongly.length === 0,
    "the page is listened to only while it is measured": (rig) =>
      rig.watch.running() === (rig.actor.getSnapshot().matches({ measuring: "on" }) ? 1 : 0),
    "the tag is there only for who agrees": (rig) =>
      rig.tag.running() === (rig.actor.getSnapshot().matches({ consent: "agreed" }) ? 1 : 0),
    "a place is looked up once for each session that begins, and never in a dry run": ({ lookUp, events }) =>
      lookUp.times() === events.filter(({ name, isDry }) => name === "session_begin" && !isDry).length,
    "each mark is sent once per page view": (rig) => {
      const percents = depthsSinceView(rig).map(({ params }) => params.percent_scrolled);
      return percents.every((percent, index) => percent === scrollMarks[index]);
    },
    "a session with a heartbeat is running": (rig) =>
      rig.events.at(-1)?.name !== "session_heartbeat" || rig.events.some(({ name }) => name === "session_begin"),
    "what is kept was no dry run": (rig) =>
      rig.kept() === null || rig.events.some(({ name, isDry }) => name === "session_begin" && !isDry),
  },
  unreachable: {
    "analytics.consent.agreed: tag failed → analytics.consent.agreed.failed": "a browser that throws is like one that blocks",
  },
});

const never: AnalyticsSession = { id: "", startedAt: 0, seenAt: 0 };
