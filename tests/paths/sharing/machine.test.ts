import { createActor } from "xstate";
import type { CreatedSharedLink, NewSharedLink, SharedLink, SharedLinkChange } from "#contract/index.ts";
import type { SharingEvent } from "#machines/sharing/events.ts";
import {
  selectAsked,
  selectCreated,
  selectIsUnavailable,
  selectLinks,
  selectRevoking,
  sharingMachine,
} from "#machines/sharing/machine.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
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
  createdAt: new Date(now).toISOString(),
  expiresAt: null,
  ended: false,
  views: 0,
};
const made: CreatedSharedLink = { ...one, id: "new", secret: "s" };
const past = new Date(now - 1).toISOString();

function prepare(stage: Stage) {
  const load = stage.asking<readonly SharedLink[]>();
  const create = stage.asking<CreatedSharedLink, NewSharedLink>();
  const save = stage.asking<SharedLink, { id: string; change: SharedLinkChange }>();
  const revoke = stage.asking<void, { id: string }>();
  const wakeUps = stage.callback<SharingEvent>();
  const machine = sharingMachine.provide({
    actors: { load: load.logic, create: create.logic, save: save.logic, revoke: revoke.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { now: () => now } });
    const server = { now: [one] as readonly SharedLink[] };
    return { actor, load, create, save, revoke, wakeUps, server, confirmed: { last: false } };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const loading = ({ load }: Rig) => load;
const creating = ({ create }: Rig) => create;
const saving = ({ save }: Rig) => save;
const revoking = ({ revoke }: Rig) => revoke;
const without = (server: Rig["server"], id: string | undefined) => {
  server.now = server.now.filter((link) => link.id !== id);
};

walkTests<Rig>({
  machine: sharingMachine,
  prepare,
  moves: [
    sent({ type: "new.requested" }),
    sent({ type: "creation.requested", wanted: { audio: true } }, "a link is wanted"),
    sent({ type: "creation.requested", wanted: { expiresAt: past } }, "one that has ended is wanted"),
    sent({ type: "form.dismissed" }),
    sent({ type: "address.dismissed" }),
    sent({ type: "editing.requested", id: "one" }),
    sent({ type: "change.requested", change: { audio: true } }, "it is changed"),
    sent({ type: "change.requested", change: { expiresAt: past } }, "it is to have ended"),
    {
      ...sent<SharingEvent>({ type: "revocation.requested", id: "one" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = false;
        actor.send({ type: "revocation.requested", id: "one" });
      },
    },
    {
      ...sent<SharingEvent>({ type: "revocation.confirmed" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = true;
        actor.send({ type: "revocation.confirmed" });
      },
    },
    sent({ type: "revocation.dismissed" }),
    sent({ type: "reload.requested" }),
    answered("they are loaded", loading, ({ server }) => server.now),
    refused("the server has no such call", loading, failure("notOffered")),
    refused("they can't be loaded", loading, failure("network")),
    {
      ...answered("it is made", creating, ({ server }: Rig) => {
        const { secret: _, ...shown } = made;
        server.now = [shown, ...server.now];
        return made;
      }),
      // One is enough: with every further one the list would only grow.
      may: (rig: Rig) => rig.create.open().length > 0 && !selectLinks(snapshot(rig)).some(({ id }) => id === made.id),
    },
    refused("it can't be made", creating, failure("passwordCommon")),
    answered("it is saved", saving, (_, input) => ({ ...one, id: input?.id ?? "" })),
    refused("it can't be saved", saving, failure("network")),
    {
      ...refused("it was revoked elsewhere meanwhile", saving, failure("notFound")),
      happen: ({ save, server }: Rig) => {
        without(server, save.open()[0]?.input?.id);
        save.refuse(failure("notFound"));
      },
    },
    answered("it is revoked", revoking, ({ server }, input) => without(server, input?.id)),
    refused("it can't be revoked", revoking, failure("network")),
    refused("it was revoked elsewhere", revoking, failure("notFound")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
  ],
  situation: (rig) => [
    selectLinks(snapshot(rig)).map(({ id }) => id),
    snapshot(rig).context.subject,
    snapshot(rig).context.created?.id,
    snapshot(rig).context.failure,
    snapshot(rig).context.loadError,
    rig.server.now.map(({ id }) => id),
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, create, save, revoke }) =>
      load.open().length + create.open().length + save.open().length + revoke.open().length <= 1,
    "nothing is revoked that was not confirmed": ({ revoke, confirmed }) => revoke.open().length === 0 || confirmed.last,
    "what is asked is not revoked yet": (rig) => selectAsked(snapshot(rig)) === null || rig.revoke.open().length === 0,
    "what is being revoked is said": (rig) => (selectRevoking(snapshot(rig)) !== null) === (rig.revoke.open().length === 1),
    "what opens a link is there while it is shown, and no longer": (rig) =>
      (selectCreated(snapshot(rig)) !== null) === snapshot(rig).matches({ open: "created" }),
    "a passphrase is there while it is sent, and no longer": (rig) =>
      (snapshot(rig).context.wanted !== null) === snapshot(rig).matches({ open: "creating" }) &&
      (snapshot(rig).context.change !== null) === snapshot(rig).matches({ open: "saving" }),
    "a server without the call is left alone": (rig) =>
      !selectIsUnavailable(snapshot(rig)) || rig.load.open().length + rig.create.open().length === 0,
  },
});
