import { createActor, type EventObject } from "xstate";
import type { SharedLink } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectItems } from "#machines/collection/selectors.ts";
import type { SharingEvent, SharingOutcome, SharingRequest } from "#machines/sharing/events.ts";
import { selectIsDoing, sharingMachine } from "#machines/sharing/machine.ts";
import { loadingMoves } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
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

function prepare(stage: Stage) {
  const load = stage.asking<Listed<SharedLink>>();
  const perform = stage.asking<SharingOutcome, SharingRequest>();
  const wakeUps = stage.callback<LoadingEvent, EventObject>();
  const machine = sharingMachine.provide({ actors: { load: load.logic, perform: perform.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { now: () => now } });
    const server = { now: [one] as readonly SharedLink[] };
    return { actor, load, perform, wakeUps, server, confirmed: { last: false } };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const performing = ({ perform }: Rig) => perform;
const asked = ({ perform }: Rig) => perform.open()[0]?.input;
const without = (server: Rig["server"], id: string) => {
  server.now = server.now.filter((link) => link.id !== id);
};

/** What the server and the clipboard make of a request. */
function done({ server }: Rig, request: SharingRequest | undefined, uncopied: string | null): SharingOutcome {
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
  may: (rig: Rig) => snapshot(rig).can(event) && snapshot(rig).context.requests.length <= waiting,
});
const isRevoking = (rig: Rig) => snapshot(rig).context.requests.some(({ kind }) => kind === "revoke");
const copies = (rig: Rig) => ["create", "copy"].includes(asked(rig)?.kind ?? "");

walkTests<Rig>({
  machine: sharingMachine,
  prepare,
  moves: [
    sent({ type: "draft.changed", change: { download: true } }),
    {
      ...requested({ type: "creation.submitted", draft: { audio: true } }),
      // One is enough: with every further one the list would only grow.
      may: (rig: Rig) =>
        snapshot(rig).can({ type: "creation.submitted", draft: {} }) &&
        snapshot(rig).context.requests.length === 0 &&
        !selectItems(snapshot(rig)).some(({ id }) => id === made.id),
    },
    requested({ type: "copy.requested", id: "one" }),
    requested({ type: "switch.toggled", id: "one", change: { audio: true } }, 1),
    requested({ type: "details.submitted", id: "one", change: { passphrase: null } }),
    sent({ type: "details.submitted", id: "one", change: { expiresAt: past } }, "it is to have ended"),
    {
      ...sent<SharingEvent>({ type: "removal.requested", id: "one" }),
      // Whatever waits is seen with the other requests.
      may: (rig: Rig) =>
        snapshot(rig).can({ type: "removal.requested", id: "one" }) && snapshot(rig).context.requests.length === 0,
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = false;
        actor.send({ type: "removal.requested", id: "one" });
      },
    },
    {
      ...requested({ type: "removal.confirmed" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = true;
        actor.send({ type: "removal.confirmed" });
      },
    },
    sent({ type: "removal.dismissed" }),
    ...loadingMoves<Rig, Listed<SharedLink>>(({ server }) => ({ items: server.now })),
    answered("it is done", performing, (rig, request) => done(rig, request, null)),
    {
      ...answered("it is done, and the browser lets nothing be copied", performing, (rig: Rig, request) =>
        done(rig, request, "a"),
      ),
      may: copies,
    },
    refused("it can't be done", performing, failure("network")),
    {
      ...refused("it was revoked elsewhere", performing, failure("notFound")),
      may: (rig: Rig) => rig.perform.open().length > 0 && asked(rig)?.kind !== "create",
      happen: ({ perform, server }: Rig) => {
        without(server, "one");
        perform.refuse(failure("notFound"));
      },
    },
  ],
  situation: (rig) => [
    selectItems(snapshot(rig)).map(({ id }) => id),
    snapshot(rig).context.requests.map(({ kind }) => kind),
    snapshot(rig).context.asked,
    snapshot(rig).context.uncopied?.id,
    rig.server.now.map(({ id }) => id),
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, perform }) => load.open().length + perform.open().length <= 1,
    "nothing is revoked that was not confirmed": (rig) => !isRevoking(rig) || rig.confirmed.last,
    "what is done is said": (rig) => asked(rig)?.kind !== "copy" || selectIsDoing(snapshot(rig), "copy", "one"),
    "a request waits only while another is done": (rig) =>
      snapshot(rig).context.requests.length === 0 || rig.perform.open().length === 1,
    "a server without the call is left alone": (rig) =>
      !selectIsUnavailable(snapshot(rig)) || rig.load.open().length + rig.perform.open().length === 0,
  },
});
