import { createActor, type EventObject } from "xstate";
import type { SharedPerson } from "#contract/index.ts";
import type { Changing, Created, Drafted, Listed } from "#machines/collection/events.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import { selectBusy, selectIsCreating, selectItems } from "#machines/collection/selectors.ts";
import { type PeopleTypes, peopleMachine } from "#machines/people/machine.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const one: SharedPerson = {
  id: "one",
  email: "one@example.org",
  role: "read",
  accepted: true,
  createdAt: "2026-03-01T12:00:00.000Z",
  expiresAt: null,
};

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<SharedPerson>>();
  const create = stubs.asking<Created<PeopleTypes>, Drafted<PeopleTypes>>();
  const change = stubs.asking<SharedPerson, Changing<PeopleTypes>>();
  const remove = stubs.asking<void, { id: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = peopleMachine.provide({
    actors: {
      load: load.logic,
      create: create.logic,
      change: change.logic,
      remove: remove.logic,
      wakeUps: wakeUps.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return {
      actor,
      load,
      create,
      change,
      remove,
      wakeUps,
      server: { now: [one] as readonly SharedPerson[] },
      confirmed: { last: false },
    };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const creating = ({ create }: Harness) => create;
const changing = ({ change }: Harness) => change;

walkTests<Harness>({
  machine: peopleMachine,
  prepare,
  moves: [
    sent({ type: "creation.submitted", draft: { email: "new@example.org", role: "read" } }),
    sent({ type: "change.requested", id: "one", change: { role: "correct" } }),
    ...removalMoves<Harness>(({ server }) => {
      server.now = server.now.filter(({ id }) => id !== "one");
    }),
    ...loadingMoves<Harness, Listed<SharedPerson>>(({ server }) => ({ items: server.now })),
    {
      ...answered("it is offered", creating, ({ server }: Harness) => {
        const made = { ...one, id: "new", accepted: false };
        server.now = [...server.now, made];
        return { item: made, secret: null };
      }),
      // One item is enough: further ones would only lengthen the list.
      may: (harness: Harness) =>
        harness.create.open().length > 0 && !selectItems(snapshot(harness)).some(({ id }) => id === "new"),
    },
    refused("it can't be offered", creating, failure("conflict")),
    answered("the role is changed", changing, (_, input) => ({
      ...one,
      id: input?.id ?? "",
      role: input?.change.role ?? "read",
    })),
    refused("the role can't be changed", changing, failure("network")),
    refused("they have left meanwhile", changing, failure("notFound")),
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id, role }) => `${id} ${role}`),
    snapshot(harness).context.chosen,
    snapshot(harness).context.draft?.email,
    snapshot(harness).context.failure,
    harness.server.now.map(({ id }) => id),
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, create, change, remove }) =>
      load.open().length + create.open().length + change.open().length + remove.open().length <= 1,
    ...removalRules,
    "who is changed is said": (harness) =>
      (selectBusy(snapshot(harness)) !== null) === harness.change.open().length + harness.remove.open().length > 0,
    "what is being offered is said": (harness) => selectIsCreating(snapshot(harness)) === harness.create.open().length > 0,
  },
});
