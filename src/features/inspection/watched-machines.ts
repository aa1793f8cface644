import { createBrowserReceiver } from "@statelyai/inspect";
import * as v from "valibot";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { ChannelMessage, channelName, WatchedEvent } from "./channel.ts";
import { type ChartState, readChart } from "./watched-chart.ts";

/** Something that happened to a machine, and how it was after it. */
export interface Happening {
  /** The same for ever: what a list is keyed by. */
  id: number;
  /** "" for its making. */
  type: string;
  /** The event as it may be seen. */
  event: unknown;
  value: unknown;
  context: unknown;
  /** Epoch ms. */
  at: number;
  /** By which it can be made to happen again; undefined for what the machine told itself. */
  replay: number | undefined;
}

export interface WatchedMachine {
  sessionId: string;
  name: string;
  chart: ChartState;
  isRunning: boolean;
  /** At least its making; the latest last. */
  happenings: readonly [Happening, ...Happening[]];
}

export interface WatchedMachines {
  /** In the order in which they were made. */
  machines: ReadableStore<readonly WatchedMachine[]>;
  /** Makes an event happen to the live machine once more. */
  replay(sessionId: string, number: number): void;
  stop(): void;
}

const maxHappenings = 500;
let happenings = 0;

function happeningOf(event: Exclude<WatchedEvent, { type: "@xstate.event" }>): Happening {
  const { snapshot, createdAt } = event;
  const { type, replay, ...rest } = "event" in event ? event.event : { type: "" };
  happenings += 1;
  return {
    ...{ id: happenings, type, event: { type, ...rest }, replay: typeof replay === "number" ? replay : undefined },
    ...{ value: snapshot.value, context: snapshot.context, at: Number(createdAt) },
  };
}

/** What is known after an event. */
export function withEvent(machines: readonly WatchedMachine[], event: WatchedEvent): readonly WatchedMachine[] {
  if (event.type === "@xstate.event") return machines;
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
  // The making as it was: what is told of a new actor may be what became of it since.
  if (event.event.type === "xstate.init") return { ...machine, happenings: [{ ...happeningOf(event), type: "" }, ...others] };
  return { ...machine, isRunning, happenings: [made, ...others.slice(2 - maxHappenings), happeningOf(event)] };
}

/** Watches the machines of every page of this site that is open in this browser and was asked to show them. */
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
    // The receiver listens for what another window would say to this one.
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
