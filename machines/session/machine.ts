import { and, not } from "xstate";
import { withOutput } from "#machines/with-event.ts";
import { sessionSetup } from "./implementations.ts";
import { noRefresh, retryTimeLeft } from "./rules.ts";

/**
 * The session (SPEC.md section 4). `token` has the spec's session states, which depend only on the token and the time.
 * `refresh` renews the token; concurrent requests share one refresh. `backOff` counts its failures, and decides when it
 * is skipped. `leaving` signs out. `profile` loads the user, and reloads a stored one.
 */
export const sessionMachine = sessionSetup.createMachine({
  id: "session",
  context: ({ input }) => ({
    ...input.stored,
    now: input.now,
    isAway: input.isAway ?? (() => false),
    failures: 0,
    lastFailureAt: null,
    lastRenewalAt: null,
    refresh: noRefresh,
  }),
  invoke: { src: "environment", id: "environment" },
  type: "parallel",
  states: {
    token: {
      initial: "checking",
      on: {
        "token.stored": {
          target: ".checking",
          actions: [
            { type: "persist", params: ({ event }) => event.stored },
            { type: "acceptStored", params: ({ event }) => event.stored },
            "emitStart",
          ],
        },
        "storage.changed": [
          {
            guard: "disappeared",
            target: ".checking",
            actions: [
              { type: "acceptStored", params: ({ event }) => event.stored },
              { type: "emitEnd", params: "elsewhere" },
            ],
          },
          {
            guard: "isAboutSomeoneElse",
            target: ".checking",
            actions: [{ type: "acceptStored", params: ({ event }) => event.stored }, "emitStart"],
          },
          { target: ".checking", actions: { type: "acceptStored", params: ({ event }) => event.stored } },
        ],
        "page.resumed": { target: ".checking", actions: "checkStorage" },
        "session.reliedOn": { actions: "checkStorage" },
        "forceLogout.heard": [
          {
            guard: "hasToken",
            actions: ["clearPersistedState", "resetContext", "requestLogout", "emitReset", { type: "emitEnd", params: "forced" }],
          },
          // Any script may dispatch it, even without a token and with only stored state to clear.
          { actions: ["clearPersistedState", "resetContext", "emitReset"] },
        ],
      },
      states: {
        checking: {
          always: [
            { guard: "isValid", target: "valid" },
            { guard: "needsRefresh", target: "needsRefresh" },
            { guard: "isExpired", target: "expired" },
            { target: "signedOut" },
          ],
        },
        signedOut: { always: { guard: "hasToken", target: "checking" } },
        valid: {
          always: { guard: not("isValid"), target: "checking" },
          after: { nextCheck: { target: "checking", actions: "checkStorage" } },
        },
        needsRefresh: {
          always: { guard: not("needsRefresh"), target: "checking" },
          after: { nextCheck: { target: "checking", actions: "checkStorage" } },
        },
        expired: { always: { guard: not("isExpired"), target: "checking" }, after: { nextCheck: "checking" } },
      },
    },
    refresh: {
      initial: "idle",
      states: {
        idle: {
          always: { guard: and(["isDueForRefresh", not("isBackingOff")]), target: "refreshing", actions: "beginRefresh" },
          on: {
            "refresh.requested": [
              { guard: "isBackingOff", target: "skipped", actions: "beginRefresh" },
              { target: "refreshing", actions: "beginRefresh" },
            ],
            "unauthorized.answered": [
              { guard: and(["isAboutThisToken", "isBackingOff"]), target: "skipped", actions: "beginRefresh" },
              { guard: "isAboutThisToken", target: "refreshing", actions: "beginRefresh" },
            ],
          },
        },
        refreshing: {
          entry: "noteAsked",
          always: { guard: "tokenWasReplaced", target: "settled" },
          on: {
            "retry.requested": { target: "refreshing", reenter: true },
            "unauthorized.answered": { guard: "isAboutThisToken", actions: "noteUnauthorized" },
          },
          invoke: {
            src: "refresh",
            input: ({ context }) => ({ token: context.refresh.from }),
            onDone: [
              {
                guard: ({ context, event }) => event.output.kind === "renewed" && context.refresh.from === null,
                target: "settled",
                actions: [withOutput("acceptOutcome"), "resetFailures", "emitStart"],
              },
              {
                guard: ({ event }) => event.output.kind === "renewed",
                target: "settled",
                actions: [withOutput("acceptOutcome"), "resetFailures"],
              },
              { guard: ({ event }) => event.output.kind === "superseded", actions: withOutput("noticeChange") },
              { guard: ({ event }) => event.output.kind === "refused", target: "failed", actions: "noteUnauthorized" },
              {
                guard: ({ context, event }) => event.output.kind === "noAnswer" && retryTimeLeft(context) > 0,
                target: "waitingForNetwork",
              },
              { target: "failed" },
            ],
            onError: "failed",
          },
        },
        waitingForNetwork: {
          entry: "recordNoAnswer",
          always: { guard: "tokenWasReplaced", target: "settled" },
          after: { retryDelay: "refreshing" },
          on: {
            "page.resumed": "refreshing",
            "refresh.requested": "refreshing",
            "retry.requested": "refreshing",
            "unauthorized.answered": { guard: "isAboutThisToken", target: "refreshing", actions: "noteUnauthorized" },
          },
        },
        failed: {
          entry: "countFailure",
          always: [
            {
              guard: "wasCallRefused",
              target: "settled",
              actions: ["clearPersistedState", "resetContext", { type: "emitEnd", params: "refused" }],
            },
            {
              guard: "mustClearAuthData",
              target: "settled",
              actions: ["clearPersistedState", "resetContext", { type: "emitEnd", params: "expired" }],
            },
            { target: "settled", actions: ["clearToken", "resetContext", { type: "emitEnd", params: "expired" }] },
          ],
        },
        skipped: {
          entry: ["clearPersistedState", "resetContext", "requestLogout", "emitForced", "emitSkipped"],
          always: "settled",
        },
        /** The shared refresh marker: requests that come now get this outcome. */
        settled: {
          entry: "noteOutcome",
          always: { guard: "failedButSignedIn", target: "idle" },
          after: { markerRelease: "idle" },
        },
      },
    },
    backOff: {
      initial: "counting",
      states: {
        /** Counts the failed refreshes; a success resets the count. */
        counting: { always: { guard: "mustBackOff", target: "backingOff" } },
        backingOff: {
          always: { guard: not("mustBackOff"), target: "counting" },
          after: { backOffWindow: "counting" },
        },
      },
    },
    leaving: {
      initial: "staying",
      states: {
        staying: { on: { "signOut.requested": "signingOut", "logout.due": "notifyingServer" } },
        signingOut: {
          invoke: { src: "logout", onDone: "left", onError: "left" },
          after: { noticeableDelay: { actions: "emitDelay" }, signOutTimeout: "left" },
        },
        left: {
          entry: ["clearPersistedState", "resetContext", "emitReset", { type: "emitEnd", params: "signedOut" }],
          always: "staying",
        },
        notifyingServer: { invoke: { src: "logout", onDone: "staying", onError: "staying" } },
      },
    },
    profile: {
      initial: "known",
      on: {
        "profile.changed": {
          guard: { type: "isSameUser", params: ({ event }) => event.user },
          target: ".known.confirmed",
          actions: [
            { type: "acceptUser", params: ({ event }) => event.user },
            { type: "persistUser", params: ({ event }) => event.user },
          ],
        },
        "profile.persisted": {
          guard: { type: "isSameUser", params: ({ event }) => event.user },
          actions: [
            { type: "emitRights", params: ({ event }) => event.user },
            { type: "acceptUser", params: ({ event }) => event.user },
          ],
        },
      },
      states: {
        known: {
          always: { guard: "lacksProfile", target: "loading" },
          on: {
            // The answer to a sign-in, or the state that another tab has stored.
            "token.stored": ".unconfirmed",
            "storage.changed": { guard: "isAboutSomeoneElse", target: ".unconfirmed" },
            "profile.outdated": ".rereading",
          },
          initial: "persisted",
          states: {
            /** From an earlier page load: loaded again when there are a valid token and a network. */
            persisted: { always: { guard: "canRead", target: "rereading" } },
            unconfirmed: { on: { "profile.requested": "rereading" } },
            /** The known profile is shown in the meantime, and stays if the server can't be reached. */
            rereading: {
              tags: "rereading",
              always: { guard: not("hasToken"), target: "unconfirmed" },
              on: {
                "profile.outdated": { target: "rereading", reenter: true },
                "retry.requested": { target: "rereading", reenter: true },
              },
              invoke: {
                src: "loadProfile",
                input: ({ context }) => ({ userId: context.token?.userId ?? "" }),
                onDone: [
                  {
                    guard: withOutput("isSameUser"),
                    target: "fresh",
                    actions: [withOutput("emitRights"), withOutput("acceptUser"), withOutput("persistUser")],
                  },
                  { target: "unread" },
                ],
                onError: "unread",
              },
            },
            unread: { on: { "page.resumed": { guard: "canRead", target: "rereading" }, "profile.requested": "rereading" } },
            /** Prevents a second request when a new page needs the profile again. */
            fresh: { tags: "confirmed", after: { freshness: "confirmed" } },
            confirmed: { tags: "confirmed", on: { "profile.requested": "rereading" } },
          },
        },
        loading: {
          always: { guard: not("lacksProfile"), target: "known.unconfirmed" },
          on: { "retry.requested": { target: "loading", reenter: true } },
          invoke: {
            src: "loadProfile",
            input: ({ context }) => ({ userId: context.token?.userId ?? "" }),
            onDone: [
              {
                guard: withOutput("isSameUser"),
                target: "known.fresh",
                actions: [withOutput("acceptUser"), withOutput("persistUser")],
              },
              // Another user's profile: a retry would get the same answer.
              { target: "missing" },
            ],
            onError: "missing",
          },
        },
        missing: {
          on: {
            "token.stored": "known.unconfirmed",
            "storage.changed": "known.unconfirmed",
            "profile.requested": "loading",
            "retry.requested": "loading",
          },
        },
      },
    },
  },
});
