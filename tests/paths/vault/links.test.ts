import { createActor, type EventObject } from "xstate";
import type { VaultLink } from "#contract/index.ts";
import type { Created, Drafted, Listed } from "#machines/collection/events.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import { selectIsCreating, selectItems, selectRemoving } from "#machines/collection/selectors.ts";
import { selectIsLinkMade, type VaultLinkTypes, vaultLinksMachine, type WantedLink } from "#machines/vault/links.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const link: VaultLink = {
  id: "one",
  audio: true,
  text: true,
  locked: false,
  createdAt: "2026-03-01T10:00:00.000Z",
  expiresAt: null,
  ended: false,
  views: 0,
};
const draft: WantedLink = { audio: true, text: false, expiresAt: null, passphrase: null };

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<VaultLink>>();
  const create = stubs.asking<Created<VaultLinkTypes>, Drafted<VaultLinkTypes>>();
  const remove = stubs.asking<void, { id: string }>();
  const copy = stubs.asking<void, { text: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const dropped = { count: 0 };
  const machine = vaultLinksMachine.provide({
    actors: { load: load.logic, create: create.logic, remove: remove.logic, copy: copy.logic, wakeUps: wakeUps.logic },
    actions: {
      dropAddress: () => {
        dropped.count += 1;
      },
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    dropped.count = 0;
    const actor = createActor(machine, { clock, inspect, input: { now: () => clock.now() } });
    return { actor, load, create, remove, copy, wakeUps, dropped, confirmed: { last: false } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const creating = ({ create }: Harness) => create;
const copying = ({ copy }: Harness) => copy;

walkTests<Harness>({
  machine: vaultLinksMachine,
  prepare,
  moves: [
    sent({ type: "creation.requested" }),
    sent({ type: "creation.submitted", draft }),
    sent({ type: "creation.submitted", draft: { ...draft, audio: false } }, "a link that shows nothing"),
    sent({ type: "creation.dismissed" }),
    sent({ type: "copy.requested", text: "address" }),
    sent({ type: "secret.dismissed" }),
    ...removalMoves<Harness>(() => undefined),
    ...loadingMoves<Harness, Listed<VaultLink>>(() => ({ items: [link] })),
    answered("it is made", creating, () => ({ item: { ...link, id: "two" }, secret: null })),
    refused("it is not made", creating, failure("tooManyAtOnce")),
    answered("it is copied", copying, () => undefined),
    refused("it can't be copied", copying, failure("none")),
  ],
  situation: (harness) => [
    Math.min(selectItems(snapshot(harness)).length, 2),
    snapshot(harness).context.failure,
    snapshot(harness).context.chosen,
    harness.confirmed.last,
  ],
  rules: {
    ...removalRules,
    "a link is made once at a time, and only what shows something": (harness) =>
      harness.create.open().length === (selectIsCreating(snapshot(harness)) ? 1 : 0) &&
      harness.create.open().every(({ input }) => input?.draft.audio === true),
    "what is revoked is what was asked about": (harness) =>
      harness.remove.open().every(({ input }) => input?.id === selectRemoving(snapshot(harness))),
    "a passphrase is there while it is sent, and no longer": (harness) =>
      (snapshot(harness).context.draft !== null) === selectIsCreating(snapshot(harness)),
    "an address is shown once": (harness) =>
      !selectIsLinkMade(snapshot(harness)) || harness.dropped.count < harness.create.times(),
  },
});
