import { createActor, type EventObject } from "xstate";
import type { NewPersonalToken, PersonalToken } from "#contract/index.ts";
import type { Created, Drafted, Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectCreated, selectItems, selectRemoving } from "#machines/collection/selectors.ts";
import { personalTokensMachine, type TokenTypes } from "#machines/personal-tokens/machine.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const one: PersonalToken = { id: "one", name: "One", scopes: [], createdAt: at, expiresAt: at, lastUsedAt: null };
const draft: NewPersonalToken = { name: "New", scopes: ["vocabulary"], days: 7, password: "p" };
const made: Created<TokenTypes> = { secret: "secret", item: { ...one, id: "new" } };

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<PersonalToken>>();
  const create = stubs.asking<Created<TokenTypes>, Drafted<TokenTypes>>();
  const copy = stubs.asking<void, { text: string }>();
  const remove = stubs.asking<void, { id: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = personalTokensMachine.provide({
    actors: { load: load.logic, create: create.logic, remove: remove.logic, copy: copy.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return {
      actor,
      load,
      create,
      remove,
      copy,
      wakeUps,
      server: { now: [one] as readonly PersonalToken[] },
      confirmed: { last: false },
    };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const creating = ({ create }: Harness) => create;
const copying = ({ copy }: Harness) => copy;

walkTests<Harness>({
  machine: personalTokensMachine,
  prepare,
  moves: [
    sent({ type: "creation.requested" }),
    sent({ type: "creation.submitted", draft }, "a token is wanted"),
    sent({ type: "creation.submitted", draft: { ...draft, name: "" } }, "one without a name is wanted"),
    sent({ type: "creation.submitted", draft: { ...draft, scopes: [] } }, "one that may do nothing is wanted"),
    sent({ type: "creation.dismissed" }),
    sent({ type: "copy.requested", text: "secret" }),
    sent({ type: "secret.dismissed" }),
    ...removalMoves<Harness>(({ server }) => {
      server.now = server.now.filter(({ id }) => id !== "one");
    }),
    ...loadingMoves<Harness, Listed<PersonalToken>>(({ server }) => ({ items: server.now })),
    {
      ...answered("it is made", creating, ({ server }: Harness) => {
        server.now = [made.item, ...server.now];
        return made;
      }),
      // One item is enough: further ones would only lengthen the list.
      may: (harness: Harness) =>
        harness.create.open().length > 0 && !selectItems(snapshot(harness)).some(({ id }) => id === made.item.id),
    },
    refused("it can't be made", creating, failure("wrongPassword")),
    answered("it is copied", copying, () => undefined),
    refused("it can't be copied", copying, failure("none")),
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id }) => id),
    snapshot(harness).context.chosen,
    snapshot(harness).context.created?.item.id,
    snapshot(harness).context.failure,
    harness.server.now.map(({ id }) => id),
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, create, remove }) => load.open().length + create.open().length + remove.open().length <= 1,
    ...removalRules,
    "what is being removed is said": (harness) =>
      (selectRemoving(snapshot(harness)) !== null) === (harness.remove.open().length === 1),
    "a secret is there while it is shown, and no longer": (harness) =>
      (selectCreated(snapshot(harness)) !== null) === snapshot(harness).matches({ open: "created" }),
    "a password is there while it is sent, and no longer": (harness) =>
      (snapshot(harness).context.draft !== null) === snapshot(harness).matches({ open: "creating" }),
    "a server without the call is left alone": (harness) =>
      !selectIsUnavailable(snapshot(harness)) || harness.load.open().length + harness.create.open().length === 0,
  },
});
