import { createActor } from "xstate";
import type { NewPerson, SharedPerson, ShareRole } from "#contract/index.ts";
import type { PeopleEvent } from "#machines/people/events.ts";
import { peopleMachine, selectAsked, selectBusy, selectIsOffering, selectPeople } from "#machines/people/machine.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const one: SharedPerson = {
  id: "one",
  email: "one@example.org",
  role: "read",
  accepted: true,
  createdAt: "2026-03-01T12:00:00.000Z",
  expiresAt: null,
};

function prepare(stage: Stage) {
  const load = stage.asking<readonly SharedPerson[]>();
  const offer = stage.asking<SharedPerson, NewPerson>();
  const change = stage.asking<SharedPerson, { id: string; role: ShareRole }>();
  const withdraw = stage.asking<void, { id: string }>();
  const wakeUps = stage.callback<PeopleEvent>();
  const machine = peopleMachine.provide({
    actors: {
      load: load.logic,
      offer: offer.logic,
      change: change.logic,
      withdraw: withdraw.logic,
      wakeUps: wakeUps.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return {
      actor,
      load,
      offer,
      change,
      withdraw,
      wakeUps,
      server: { now: [one] as readonly SharedPerson[] },
      confirmed: { last: false },
    };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const loading = ({ load }: Rig) => load;
const offering = ({ offer }: Rig) => offer;
const changing = ({ change }: Rig) => change;
const withdrawing = ({ withdraw }: Rig) => withdraw;

walkTests<Rig>({
  machine: peopleMachine,
  prepare,
  moves: [
    sent({ type: "offer.requested", wanted: { email: "new@example.org", role: "read" } }),
    sent({ type: "role.chosen", id: "one", role: "correct" }),
    {
      ...sent<PeopleEvent>({ type: "withdrawal.requested", id: "one" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = false;
        actor.send({ type: "withdrawal.requested", id: "one" });
      },
    },
    {
      ...sent<PeopleEvent>({ type: "withdrawal.confirmed" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = true;
        actor.send({ type: "withdrawal.confirmed" });
      },
    },
    sent({ type: "withdrawal.dismissed" }),
    sent({ type: "reload.requested" }),
    answered("they are loaded", loading, ({ server }) => server.now),
    refused("the server has no such call", loading, failure("notOffered")),
    refused("they can't be loaded", loading, failure("network")),
    {
      ...answered("it is offered", offering, ({ server }: Rig) => {
        const made = { ...one, id: "new", accepted: false };
        server.now = [...server.now, made];
        return made;
      }),
      // One is enough: with every further one the list would only grow.
      may: (rig: Rig) => rig.offer.open().length > 0 && !selectPeople(snapshot(rig)).some(({ id }) => id === "new"),
    },
    refused("it can't be offered", offering, failure("conflict")),
    answered("the role is changed", changing, (_, input) => ({ ...one, id: input?.id ?? "", role: input?.role ?? "read" })),
    refused("the role can't be changed", changing, failure("network")),
    refused("they have left meanwhile", changing, failure("notFound")),
    answered("it is taken away", withdrawing, ({ server }, input) => {
      server.now = server.now.filter(({ id }) => id !== input?.id);
    }),
    refused("it can't be taken away", withdrawing, failure("network")),
    refused("they had left", withdrawing, failure("notFound")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
  ],
  situation: (rig) => [
    selectPeople(snapshot(rig)).map(({ id, role }) => `${id} ${role}`),
    snapshot(rig).context.subject,
    snapshot(rig).context.wanted?.email,
    snapshot(rig).context.failure,
    snapshot(rig).context.loadError,
    rig.server.now.map(({ id }) => id),
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, offer, change, withdraw }) =>
      load.open().length + offer.open().length + change.open().length + withdraw.open().length <= 1,
    "nothing is taken away that was not confirmed": ({ withdraw, confirmed }) => withdraw.open().length === 0 || confirmed.last,
    "what is asked is not taken away yet": (rig) => selectAsked(snapshot(rig)) === null || rig.withdraw.open().length === 0,
    "who is changed is said": (rig) =>
      (selectBusy(snapshot(rig)) !== null) === rig.change.open().length + rig.withdraw.open().length > 0,
    "what is being offered is said": (rig) => selectIsOffering(snapshot(rig)) === rig.offer.open().length > 0,
  },
});
