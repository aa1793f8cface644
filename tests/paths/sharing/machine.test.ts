import { createActor, type EventObject } from "xstate";
import type { SharedLink } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectItems } from "#machines/collection/selectors.ts";
import type { SharingEvent, SharingOutcome, SharingRequest } from "#machines/sharing/events.ts";
import { selectIsDoing, sharingMachine } from "#machines/sharing/machine.ts";
import { loadingMoves } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const one: SharedLink = {
  id: "one",
  name: "",
  audio: false,
  translation: false,
  download: false,
  locked: false,
  copyable: true,
  createdAt: new Date(now).toISOString(),
  expiresAt: null,
  ended: false,
  views: 0,
};
const made: SharedLink = { ...one, id: "new" };
const past = new Date(now - 1).toISOString();

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<SharedLink>>();
  const perform = stubs.asking<SharingOutcome, SharingRequest>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = sharingMachine.provide({ actors: { load: load.logic, perform: perform.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { now: () => now } });
    const server = { now: [one] as readonly SharedLink[] };
    return { actor, load, perform, wakeUps, server, confirmed: { last: false } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const performing = ({ perform }: Harness) => perform;
const asked = ({ perform }: Harness) => perform.open()[0]?.input;
const without = (server: Harness["server"], id: string) => {
  server.now = server.now.filter((link) => link.id !== id);
};

/** The result of a request at the server and the clipboard. */
function done({ server }: Harness, request: SharingRequest | undefined, uncopied: string | null): SharingOutcome {
  switch (request?.kind) {
    case "create":
      server.now = [made, ...server.now];
      return { kind: "created", link: made, uncopied };
    case "copy":
      return { kind: "copied", uncopied };
    case "revoke":
      without(server, request.id);
      return { kind: "revoked" };
    default:
      return { kind: "saved", link: { ...one, audio: true } };
  }
}

/** @param waiting how many may be under way or wait before it: the line would only grow */
const requested = (event: SharingEvent, waiting = 0) => ({
  ...sent<SharingEvent>(event),
  may: (harness: Harness) => snapshot(harness).can(event) && snapshot(harness).context.requests.length <= waiting,
});
const isRevoking = (harness: Harness) => snapshot(harness).context.requests.some(({ kind }) => kind === "revoke");
const copies = (harness: Harness) => ["create", "copy"].includes(asked(harness)?.kind ?? "");

walkTests<Harness>({
  machine: sharingMachine,
  prepare,
  moves: [
    sent({ type: "draft.changed", change: { download: true } }),
    {
      ...requested({ type: "creation.submitted", draft: { audio: true } }),
      // One item is enough: further ones would only lengthen the list.
      may: (harness: Harness) =>
        snapshot(harness).can({ type: "creation.submitted", draft: {} }) &&
        snapshot(harness).context.requests.length === 0 &&
        !selectItems(snapshot(harness)).some(({ id }) => id === made.id),
    },
    requested({ type: "copy.requested", id: "one" }),
    requested({ type: "switch.toggled", id: "one", change: { audio: true } }, 1),
    requested({ type: "details.submitted", id: "one", change: { passphrase: null } }),
    sent({ type: "details.submitted", id: "one", change: { expiresAt: past } }, "it is to have ended"),
    {
      ...sent<SharingEvent>({ type: "removal.requested", id: "one" }),
      // Whatever waits is seen with the other requests.
      may: (harness: Harness) =>
        snapshot(harness).can({ type: "removal.requested", id: "one" }) && snapshot(harness).context.requests.length === 0,
      happen: ({ actor, confirmed }: Harness) => {
        confirmed.last = false;
        actor.send({ type: "removal.requested", id: "one" });
      },
    },
    {
      ...requested({ type: "removal.confirmed" }),
      happen: ({ actor, confirmed }: Harness) => {
        confirmed.last = true;
        actor.send({ type: "removal.confirmed" });
      },
    },
    sent({ type: "removal.dismissed" }),
    ...loadingMoves<Harness, Listed<SharedLink>>(({ server }) => ({ items: server.now })),
    answered("it is done", performing, (harness, request) => done(harness, request, null)),
    {
      ...answered("it is done, and the browser lets nothing be copied", performing, (harness: Harness, request) =>
        done(harness, request, "a"),
      ),
      may: copies,
    },
    refused("it can't be done", performing, failure("network")),
    {
      ...refused("it was revoked elsewhere", performing, failure("notFound")),
      may: (harness: Harness) => harness.perform.open().length > 0 && asked(harness)?.kind !== "create",
      happen: ({ perform, server }: Harness) => {
        without(server, "one");
        perform.refuse(failure("notFound"));
      },
    },
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id }) => id),
    snapshot(harness).context.requests.map(({ kind }) => kind),
    snapshot(harness).context.asked,
    snapshot(harness).context.uncopied?.id,
    harness.server.now.map(({ id }) => id),
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, perform }) => load.open().length + perform.open().length <= 1,
    "nothing is revoked that was not confirmed": (harness) => !isRevoking(harness) || harness.confirmed.last,
    "what is done is said": (harness) => asked(harness)?.kind !== "copy" || selectIsDoing(snapshot(harness), "copy", "one"),
    "a request waits only while another is done": (harness) =>
      snapshot(harness).context.requests.length === 0 || harness.perform.open().length === 1,
    "a server without the call is left alone": (harness) =>
      !selectIsUnavailable(snapshot(harness)) || harness.load.open().length + harness.perform.open().length === 0,
  },
});
