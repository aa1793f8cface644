import { createActor } from "xstate";
import type { CreatedPersonalToken, NewPersonalToken, PersonalToken } from "#contract/index.ts";
import type { PersonalTokensEvent } from "#machines/personal-tokens/events.ts";
import {
  personalTokensMachine,
  selectAsked,
  selectCreated,
  selectIsUnavailable,
  selectRevoking,
  selectTokens,
} from "#machines/personal-tokens/machine.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const one: PersonalToken = { id: "one", name: "One", scopes: [], createdAt: at, expiresAt: at, lastUsedAt: null };
const wanted: NewPersonalToken = { name: "New", scopes: ["vocabulary"], days: 7, password: "p" };
const made: CreatedPersonalToken = { token: "secret", ...one, id: "new" };

function prepare(stage: Stage) {
  const load = stage.asking<readonly PersonalToken[]>();
  const create = stage.asking<CreatedPersonalToken, NewPersonalToken>();
  const revoke = stage.asking<void, { id: string }>();
  const wakeUps = stage.callback<PersonalTokensEvent>();
  const machine = personalTokensMachine.provide({
    actors: { load: load.logic, create: create.logic, revoke: revoke.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return {
      actor,
      load,
      create,
      revoke,
      wakeUps,
      server: { now: [one] as readonly PersonalToken[] },
      confirmed: { last: false },
    };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const loading = ({ load }: Rig) => load;
const creating = ({ create }: Rig) => create;
const revoking = ({ revoke }: Rig) => revoke;

walkTests<Rig>({
  machine: personalTokensMachine,
  prepare,
  moves: [
    sent({ type: "new.requested" }),
    sent({ type: "creation.requested", wanted }, "a token is wanted"),
    sent({ type: "creation.requested", wanted: { ...wanted, name: "" } }, "one without a name is wanted"),
    sent({ type: "creation.requested", wanted: { ...wanted, scopes: [] } }, "one that may do nothing is wanted"),
    sent({ type: "new.dismissed" }),
    sent({ type: "secret.dismissed" }),
    {
      ...sent<PersonalTokensEvent>({ type: "revocation.requested", id: "one" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = false;
        actor.send({ type: "revocation.requested", id: "one" });
      },
    },
    {
      ...sent<PersonalTokensEvent>({ type: "revocation.confirmed" }),
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
        const { token: _, ...shown } = made;
        server.now = [shown, ...server.now];
        return made;
      }),
      // One is enough: with every further one the list would only grow.
      may: (rig: Rig) => rig.create.open().length > 0 && !selectTokens(snapshot(rig)).some(({ id }) => id === made.id),
    },
    refused("it can't be made", creating, failure("wrongPassword")),
    answered("it is revoked", revoking, ({ server }, input) => {
      server.now = server.now.filter(({ id }) => id !== input?.id);
    }),
    refused("it can't be revoked", revoking, failure("network")),
    refused("it was revoked elsewhere", revoking, failure("notFound")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
  ],
  situation: (rig) => [
    selectTokens(snapshot(rig)).map(({ id }) => id),
    snapshot(rig).context.revoked,
    snapshot(rig).context.created?.id,
    snapshot(rig).context.failure,
    snapshot(rig).context.loadError,
    rig.server.now.map(({ id }) => id),
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, create, revoke }) => load.open().length + create.open().length + revoke.open().length <= 1,
    "nothing is revoked that was not confirmed": ({ revoke, confirmed }) => revoke.open().length === 0 || confirmed.last,
    "what is asked is not revoked yet": (rig) => selectAsked(snapshot(rig)) === null || rig.revoke.open().length === 0,
    "what is being revoked is said": (rig) => (selectRevoking(snapshot(rig)) !== null) === (rig.revoke.open().length === 1),
    "a secret is there while it is shown, and no longer": (rig) =>
      (selectCreated(snapshot(rig)) !== null) === snapshot(rig).matches({ open: "created" }),
    "a password is there while it is sent, and no longer": (rig) =>
      (snapshot(rig).context.wanted !== null) === snapshot(rig).matches({ open: "creating" }),
    "a server without the call is left alone": (rig) =>
      !selectIsUnavailable(snapshot(rig)) || rig.load.open().length + rig.create.open().length === 0,
  },
});
