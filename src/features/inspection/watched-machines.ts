import * as v from "valibot";
import type { Happening, WatchedMachine } from "#machines/inspection/rules.ts";
import { createStore } from "#src/browser/store.ts";
import { ChannelMessage, channelName, type WatchedEvent } from "./channel.ts";
import { readChart } from "./watched-chart.ts";

const maxHappenings = 500;
let happenings = 0;

function happeningOf(event: WatchedEvent): Happening {
  const { snapshot, at } = event;
  const { type, replay, ...rest } = event.type === "happened" ? event.event : { type: "" };
  happenings += 1;
  return {
    id: happenings,
    type,
    event: { type, ...rest },
    replay: typeof replay === "number" ? replay : undefined,
    value: snapshot.value,
    context: snapshot.context,
    at,
    taken: event.type === "happened" ? event.taken : [],
  };
}

/** The machines' data after an event. */
export function withEvent(machines: readonly WatchedMachine[], event: WatchedEvent): readonly WatchedMachine[] {
  const isRunning = event.snapshot.status === "active";
  if (event.type === "created") {
    const chart = readChart(event.definition);
    if (chart === undefined || machines.some(({ sessionId }) => sessionId === event.sessionId)) return machines;
    const { sessionId } = event;
    return [...machines, { sessionId, name: chart.key, chart, isRunning, happenings: [happeningOf(event)] }];
  }
  return machines.map((machine) => {
    if (machine.sessionId !== event.sessionId) return machine;
    const [created, ...others] = machine.happenings;
    return { ...machine, isRunning, happenings: [created, ...others.slice(2 - maxHappenings), happeningOf(event)] };
  });
}

/** Inspects the machines of all pages of this origin that were opened with `?inspect` in this browser. */
export function watchMachines() {
  const machines = createStore<readonly WatchedMachine[]>([]);
  const channel = new BroadcastChannel(channelName);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  channel.addEventListener("message", ({ data }) => {
    const message = v.safeParse(ChannelMessage, data);
    if (!message.success) return;
    const { output } = message;
    if (output.kind === "gone") machines.set(machines.get().filter(({ sessionId }) => !sessionId.startsWith(`${output.page} `)));
    if (output.kind === "event") machines.set(withEvent(machines.get(), output.event));
  });
  post({ kind: "watching" });
  return {
    /** The machines, in order of creation. */
    machines,
    /** Sends an event to the live machine again. */
    replay: (sessionId: string, number: number) => post({ kind: "replay", sessionId, number }),
    stop: () => channel.close(),
  };
}
