import { and, not, type SnapshotFrom } from "xstate";
import type { AnalyticsSession } from "./rules.ts";
import { analyticsSetup } from "./setup.ts";

/**
 * How the page is used, as far as the person agrees (SPEC.md section 9, "Analytics session"). `consent` decides whether anything is
 * measured; `measuring` has the session with its heartbeats, the page views and how far each was scrolled.
 */
export const analyticsMachine = analyticsSetup.createMachine({
  id: "analytics",
  context: ({ input }) => ({ ...input, isDry: false, session: null, isNew: false, path: "", marks: [] }),
  type: "parallel",
  states: {
    consent: {
      initial: "checking",
      on: {
        "consent.chosen": {
          guard: { type: "isChange", params: ({ event }) => event },
          target: ".checking",
          actions: [
            { type: "takeChoice", params: ({ event }) => event },
            { type: "keepChoice", params: ({ event }) => event },
          ],
        },
      },
      states: {
        checking: {
          always: [
            { guard: "isNotConfigured", target: "notConfigured" },
            { guard: "hasSignal", target: "refused.bySignal" },
            { guard: "isAgreed", target: "agreed" },
            { guard: "isRefused", target: "refused" },
            { target: "undecided" },
          ],
        },
        notConfigured: {},
        undecided: {},
        refused: { initial: "byPerson", states: { byPerson: {}, bySignal: {} } },
        agreed: {
          invoke: { src: "tag", onError: ".failed" },
          initial: "loading",
          states: { loading: { on: { "tag.loaded": "loaded", "tag.failed": "failed" } }, loaded: {}, failed: {} },
        },
      },
    },
    measuring: {
      initial: "off",
      // What was only shown is never told to the tag, nor the other way round: each begins anew.
      on: { "dryRun.chosen": { target: ".off", actions: { type: "takeDryRun", params: ({ event }) => event } } },
      states: {
        off: { entry: ["endSession", "forgetMarks"], always: { guard: "isMeasuring", target: "on" } },
        on: {
          invoke: { src: "watch", onError: {} },
          always: { guard: not("isMeasuring"), target: "off" },
          type: "parallel",
          states: {
            session: {
              initial: "none",
              states: {
                none: { entry: "endSession", on: { "activity.noticed": "beginning" } },
                beginning: {
                  always: [
                    { guard: and([not("isDry"), "hasPersistedSession"]), target: "running", actions: "resumeSession" },
                    { target: "running", actions: ["beginSession", "emitBegin"] },
                  ],
                },
                running: {
                  type: "parallel",
                  on: {
                    "heartbeat.requested": { actions: "emitHeartbeat" },
                    "event.requested": { actions: { type: "emitEvent", params: ({ event }) => event } },
                  },
                  states: {
                    life: {
                      initial: "seen",
                      states: {
                        seen: {
                          entry: {
                            type: "keepSession",
                            params: ({ context }) => ({ session: context.isDry ? null : context.session }),
                          },
                          after: { idleLimit: "#analytics.measuring.on.session.none" },
                          on: {
                            "activity.noticed": [
                              { guard: "wasAway", target: "#analytics.measuring.on.session.beginning" },
                              { target: "seen", reenter: true, actions: "noteActivity" },
                            ],
                          },
                        },
                      },
                    },
                    heart: {
                      initial: "beating",
                      states: {
                        beating: {
                          after: { heartbeatEvery: { target: "beating", reenter: true, actions: "emitHeartbeat" } },
                          on: { "page.hidden": "still" },
                        },
                        still: { on: { "page.shown": "beating" } },
                      },
                    },
                    place: {
                      initial: "deciding",
                      states: {
                        deciding: { always: [{ guard: and([not("isDry"), "isNew"]), target: "asking" }, { target: "settled" }] },
                        asking: {
                          invoke: {
                            src: "lookUp",
                            onDone: [
                              {
                                guard: { type: "isPlace", params: ({ event }) => ({ place: event.output }) },
                                target: "settled",
                                actions: { type: "emitPlace", params: ({ event }) => ({ place: event.output }) },
                              },
                              { target: "settled" },
                            ],
                            onError: "unknown",
                          },
                          after: { placeTimeout: "unknown" },
                        },
                        settled: {},
                        unknown: {},
                      },
                    },
                  },
                },
              },
            },
            views: {
              initial: "settled",
              on: { "route.changed": { target: ".changing", actions: { type: "takePath", params: ({ event }) => event } } },
              states: {
                settled: {
                  on: {
                    "pageView.requested": "due",
                    scrolled: {
                      guard: { type: "isDeeper", params: ({ event }) => event },
                      actions: [
                        { type: "emitMarks", params: ({ event }) => event },
                        { type: "noteMarks", params: ({ event }) => event },
                      ],
                    },
                  },
                },
                changing: { after: { pageViewDelay: "due" } },
                /** Nobody looks at a page while there is no session: it is told with the next one. */
                due: { always: { guard: "hasSession", target: "settled", actions: ["forgetMarks", "emitPageView"] } },
              },
            },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof analyticsMachine>;

/** How things stand with the person's consent. */
export type Consent = "notConfigured" | "undecided" | "refused" | "refusedBySignal" | "agreed";

export function selectConsent(snapshot: Snapshot): Consent {
  if (snapshot.matches({ consent: "agreed" })) return "agreed";
  if (snapshot.matches({ consent: { refused: "bySignal" } })) return "refusedBySignal";
  if (snapshot.matches({ consent: "refused" })) return "refused";
  return snapshot.matches({ consent: "notConfigured" }) ? "notConfigured" : "undecided";
}

/** What has become of the operator's script: "none" while nobody has agreed to it. */
export function selectTag(snapshot: Snapshot): "none" | "loading" | "loaded" | "failed" {
  const { consent } = snapshot.value;
  return typeof consent === "object" && "agreed" in consent && consent.agreed !== undefined ? consent.agreed : "none";
}

/** Of the session's lookup; "none" while there is no session. */
export function selectPlaceState(snapshot: Snapshot): "none" | "asking" | "settled" | "unknown" {
  const running = (place: "asking" | "unknown") => ({ measuring: { on: { session: { running: { place } } } } });
  if (snapshot.matches(running("asking"))) return "asking";
  if (snapshot.matches(running("unknown"))) return "unknown";
  return snapshot.context.session === null ? "none" : "settled";
}

/** The same until the next sign of life. */
export const selectSession = (snapshot: Snapshot): AnalyticsSession | null => snapshot.context.session;
export const selectIsDry = (snapshot: Snapshot): boolean => snapshot.context.isDry;
export const selectIsMeasuring = (snapshot: Snapshot): boolean => snapshot.matches({ measuring: "on" });
export const selectPath = (snapshot: Snapshot): string => snapshot.context.path;
/** The same until the next mark is reached. */
export const selectMarks = (snapshot: Snapshot): readonly number[] => snapshot.context.marks;
