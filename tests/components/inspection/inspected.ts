import { channelName } from "#src/features/inspection/channel.ts";

/** An inspected machine, a lamp, with every kind of transition. */
const lamp = {
  id: "lamp",
  initial: "off",
  states: {
    off: { on: { press: { target: "on", guard: "isPlugged", actions: ["count"] } } },
    on: {
      initial: "dim",
      entry: "glow",
      exit: "fade",
      invoke: { src: "heat", onDone: "off", onError: "broken" },
      on: { press: "off" },
      states: { dim: { after: { 1000: "bright" } }, bright: { always: { target: "dim", guard: "isDark" } } },
    },
    broken: { type: "final" },
  },
};

/** A page whose machines another page inspects. */
export function inspectedPage() {
  const channel = new BroadcastChannel(channelName);
  const page = crypto.randomUUID().slice(0, 8);
  const heard: unknown[] = [];
  const posted: object[] = [];
  let isGone = false;
  let at = Date.UTC(2026, 2, 1, 12);
  const post = (event: object) => {
    posted.push(event);
    channel.postMessage({ kind: "event", page, event });
  };
  channel.addEventListener("message", ({ data }) => {
    heard.push(data);
    // A new watcher receives all earlier events.
    if (data.kind === "watching") posted.splice(0).forEach(post);
  });
  const base = (id: string) => {
    at += 1_000;
    return { sessionId: `${page} ${id}`, at };
  };
  return {
    heard,
    sessionId: (id: string) => `${page} ${id}`,
    make: (id: string, name: string, value: unknown, definition: object = lamp) =>
      post({
        ...base(id),
        type: "created",
        definition: JSON.stringify({ ...definition, id: name }),
        snapshot: { status: "active", value, context: { presses: 0 } },
      }),
    happen: (
      id: string,
      event: { type: string; replay?: number },
      value: unknown,
      more: { status?: string; taken?: string[]; context?: object } = {},
    ) =>
      post({
        ...base(id),
        type: "happened",
        event,
        taken: more.taken ?? [],
        snapshot: { status: more.status ?? "active", value, context: more.context ?? { presses: 1 } },
      }),
    leave: () => {
      if (isGone) return;
      isGone = true;
      channel.postMessage({ kind: "gone", page });
      channel.close();
    },
  };
}
