import { createBrowserReceiver } from "@statelyai/inspect";
import * as v from "valibot";
import type { Happening, WatchedMachine } from "#machines/inspection/rules.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { ChannelMessage, channelName, WatchedEvent } from "./channel.ts";
import { readChart } from "./watched-chart.ts";

export interface WatchedMachines {
  /** In order of creation. */
  machines: ReadableStore<readonly WatchedMachine[]>;
  /** Sends an event to the live machine again. */
  replay(sessionId: string, number: number): void;
  stop(): void;
}

const maxHappenings = 500;
let happenings = 0;

function happeningOf(event: WatchedEvent): Happening {
  const { snapshot, createdAt } = event;
  const { type, replay, ...rest } = "event" in event ? event.event : { type: "" };
  happenings += 1;
  return {
    id: happenings,
    type,
    event: { type, ...rest },
    replay: typeof replay === "number" ? replay : undefined,
    value: snapshot.value,
    context: snapshot.context,
    at: Number(createdAt),
    taken: "taken" in event ? (event.taken ?? []) : [],
  };
}

/** The machine's data after an event. */
export function withEvent(machines: readonly WatchedMachine[], event: WatchedEvent): readonly WatchedMachine[] {
  if (event.type === "@xstate.actor") {
    const chart = readChart(event.definition);
    if (chart === undefined || machines.some(({ sessionId }) => sessionId === event.sessionId)) return machines;
    const made = { sessionId: event.sessionId, name: event.name, chart, isRunning: true };
    return [...machines, { ...made, happenings: [happeningOf(event)] }];
  }
  return machines.map((machine) => (machine.sessionId === event.sessionId ? afterSnapshot(machine, event) : machine));
}

function afterSnapshot(machine: WatchedMachine, event: Extract<WatchedEvent, { type: "@xstate.snapshot" }>): WatchedMachine {
  const isRunning = event.snapshot.status === "active";
  const [made, ...others] = machine.happenings;
  // Keeps the state at creation: a new actor's message may already carry a later one.
  if (event.event.type === "xstate.init") return { ...machine, happenings: [{ ...happeningOf(event), type: "" }, ...others] };
  return { ...machine, isRunning, happenings: [made, ...others.slice(2 - maxHappenings), happeningOf(event)] };
}

/** Inspects the machines of every page of this origin in this browser that was opened with `?inspect`. */
export function watchMachines(): WatchedMachines {
  const machines = createStore<readonly WatchedMachine[]>([]);
  const channel = new BroadcastChannel(channelName);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  const { unsubscribe } = createBrowserReceiver().subscribe((received) => {
    const event = v.safeParse(WatchedEvent, received);
    if (event.success) machines.set(withEvent(machines.get(), event.output));
  });
  channel.addEventListener("message", ({ data }) => {
    const message = v.safeParse(ChannelMessage, data);
    if (!message.success) return;
    const { output } = message;
    if (output.kind === "gone") machines.set(machines.get().filter(({ sessionId }) => !sessionId.startsWith(`${output.page} `)));
    // The receiver listens for messages of another window to this one.
    if (output.kind === "event") window.dispatchEvent(new MessageEvent("message", { data: output.event }));
  });
  post({ kind: "watching" });
  return {
    machines,
    replay: (sessionId, number) => post({ kind: "replay", sessionId, number }),
    stop: () => {
      unsubscribe();
      channel.close();
    },
  };
}
