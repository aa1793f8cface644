import { assign, fromCallback, fromPromise, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { DeviceModelContext, DeviceModelEvent, StoredModel } from "./events.ts";
import { type DeviceModelPhase, idleMs, unsupportedCodes } from "./rules.ts";

/** A guard for an actor's error with this code. */
const failsWith = (code: string) => ({
  type: "hasFailedWith" as const,
  params: ({ event: { error } }: { event: Failed }) => ({ error, code }),
});

/**
 * One model that this browser stores for recognition on the device: its availability, its download, and the worker with
 * the model in memory. Audio, texts and progress bypass the machine.
 */
export const deviceModelMachine = setup({
  types: {
    context: {} as DeviceModelContext,
    events: {} as DeviceModelEvent,
    tags: {} as DeviceModelPhase | "onDevice",
  },
  actors: {
    /** Rejects with one of `unsupportedCodes` where the model can't be used. */
    check: fromPromise<StoredModel>(async () => notProvided("check")),
    /** Continues after the last stored part. Rejects with `network`, `elsewhere`, `noSpace`, `gone`, … */
    fetch: fromPromise<void>(async () => notProvided("fetch")),
    /** Compares the stored files with the hashes of the build. Rejects with `damaged`. */
    verify: fromPromise<void>(async () => notProvided("verify")),
    /** Deletes every piece. Rejects with `elsewhere` while another tab downloads. */
    discard: fromPromise<void>(async () => notProvided("discard")),
    /** Resolves when the other tab has finished, paused, or is closed. */
    awaitOther: fromPromise<void>(async () => notProvided("awaitOther")),
    /** Runs for as long as the model is in memory. */
    worker: fromCallback<DeviceModelEvent>(() => notProvided("worker")),
    otherTabs: fromCallback<DeviceModelEvent>(() => notProvided("otherTabs")),
    wakeUps: fromCallback<DeviceModelEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    /** Asks the browser not to evict the model. Called while the person presses the button. */
    askForPersistence: () => notProvided("askForPersistence"),
    tellOtherTabs: () => notProvided("tellOtherTabs"),
    assignStored: assign({ wasReplaced: ({ context }, { wasReplaced }: StoredModel) => context.wasReplaced || wasReplaced }),
    resetProgress: assign({ wasReplaced: false, isTooSlow: false, attempts: 0, code: null }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    assignError: assign({ code: (_, { error }: Failed) => codeOf(error) }),
    assignCode: assign({ code: (_, { code }: { code: string }) => code }),
    assignDamaged: assign({ code: "damaged" }),
    clearCode: assign({ code: null }),
    noteSlowness: assign({ isTooSlow: true }),
    countUse: assign({ uses: ({ context }) => context.uses + 1 }),
    uncountUse: assign({ uses: ({ context }) => Math.max(0, context.uses - 1) }),
    clearUses: assign({ uses: 0 }),
  },
  guards: {
    isWhole: (_, { kept }: StoredModel) => kept === "whole",
    isPart: (_, { kept }: StoredModel) => kept === "part",
    isFetchedElsewhere: (_, { kept }: StoredModel) => kept === "elsewhere",
    isUnsupported: (_, { error }: Failed) => unsupportedCodes.includes(codeOf(error)),
    hasFailedWith: (_, { error, code }: Failed & { code: string }) => codeOf(error) === code,
    isDamaged: (_, { code }: { code: string }) => code === "damaged",
    isUsed: ({ context }) => context.uses > 0,
    isUnused: ({ context }) => context.uses === 0,
  },
  delays: { backOff: ({ context }) => exponentialBackOff(context.attempts), idle: idleMs },
}).createMachine({
  id: "deviceModel",
  context: { wasReplaced: false, isTooSlow: false, uses: 0, attempts: 0, code: null },
  invoke: { src: "otherTabs" },
  initial: "checking",
  states: {
    checking: {
      tags: "checking",
      entry: "clearCode",
      invoke: {
        src: "check",
        onDone: [
          { guard: withOutput("isWhole"), target: "ready", actions: withOutput("assignStored") },
          { guard: withOutput("isFetchedElsewhere"), target: "elsewhere", actions: withOutput("assignStored") },
          { guard: withOutput("isPart"), target: "fetching.paused", actions: withOutput("assignStored") },
          { target: "absent", actions: withOutput("assignStored") },
        ],
        onError: [
          { guard: withEvent("isUnsupported"), target: "unsupported", actions: withEvent("assignError") },
          { target: "failed", actions: withEvent("assignError") },
        ],
      },
      on: { "storage.changed": { target: "checking", reenter: true } },
    },
    unsupported: { tags: "unsupported" },
    absent: {
      tags: "absent",
      on: { "download.requested": { target: "fetching", actions: "askForPersistence" }, "storage.changed": "checking" },
    },
    fetching: {
      entry: "resetProgress",
      on: { "cancel.requested": "deleting" },
      initial: "running",
      states: {
        running: {
          tags: "fetching",
          invoke: {
            src: "fetch",
            onDone: "#deviceModel.verifying",
            onError: [
              { guard: failsWith("elsewhere"), target: "#deviceModel.elsewhere" },
              { guard: failsWith("network"), target: "waiting", actions: "countAttempt" },
              { target: "#deviceModel.failed", actions: withEvent("assignError") },
            ],
          },
          on: { "pause.requested": "paused" },
        },
        waiting: {
          tags: "waiting",
          invoke: { src: "wakeUps" },
          after: { backOff: "running" },
          on: { "page.resumed": "running", "pause.requested": "paused" },
        },
        paused: {
          tags: "paused",
          on: {
            "resume.requested": { target: "#deviceModel.fetching", reenter: true, actions: "askForPersistence" },
            "storage.changed": "#deviceModel.checking",
          },
        },
      },
    },
    elsewhere: { tags: "elsewhere", invoke: { src: "awaitOther", onDone: "checking", onError: "checking" } },
    verifying: {
      tags: "verifying",
      invoke: {
        src: "verify",
        onDone: { target: "ready", actions: "tellOtherTabs" },
        onError: [
          { guard: failsWith("damaged"), target: "discarding" },
          { target: "failed", actions: withEvent("assignError") },
        ],
      },
    },
    ready: {
      tags: ["ready", "onDevice"],
      on: { "use.begun": "active", "delete.requested": "deleting", "storage.changed": "checking" },
    },
    /** The worker has the model in memory, or is about to. */
    active: {
      tags: "onDevice",
      entry: ["clearCode", "countUse"],
      exit: "clearUses",
      invoke: { src: "worker" },
      on: {
        "use.begun": { actions: "countUse" },
        "use.ended": { actions: "uncountUse" },
        "slowness.noted": { actions: "noteSlowness" },
        "delete.requested": "deleting",
        // The stored model is complete: the next use starts another worker.
        "worker.failed": [
          { guard: withEvent("isDamaged"), target: "discarding" },
          { target: "ready", actions: withEvent("assignCode") },
        ],
      },
      initial: "loading",
      states: {
        loading: { tags: "loading", on: { "worker.loaded": "running" } },
        running: { tags: "running", always: { guard: "isUnused", target: "idle" } },
        idle: {
          tags: "idle",
          always: { guard: "isUsed", target: "running" },
          // Another tab may have deleted it, or the person has cleared the browser's storage.
          on: { "storage.changed": "#deviceModel.checking" },
          after: { idle: "#deviceModel.checking" },
        },
      },
    },
    /** A part is missing or changed: the whole model is offered again. */
    discarding: {
      tags: "deleting",
      invoke: {
        src: "discard",
        onDone: { target: "failed", actions: ["assignDamaged", "tellOtherTabs"] },
        onError: { target: "failed", actions: "assignDamaged" },
      },
    },
    failed: {
      tags: "failed",
      on: {
        "retry.requested": { target: "fetching", actions: "askForPersistence" },
        "delete.requested": "deleting",
        "storage.changed": "checking",
      },
    },
    deleting: {
      tags: "deleting",
      invoke: {
        src: "discard",
        onDone: { target: "absent", actions: ["clearCode", "tellOtherTabs"] },
        onError: [
          { guard: failsWith("elsewhere"), target: "elsewhere" },
          { target: "failed", actions: withEvent("assignError") },
        ],
      },
    },
  },
});
