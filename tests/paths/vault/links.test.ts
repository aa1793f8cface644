import { createActor } from "xstate";
import type { VaultLink } from "#contract/index.ts";
import {
  selectIsLinkMade,
  selectIsMakingLink,
  selectRevokingLink,
  selectVaultLinks,
  vaultLinksMachine,
  type WantedLink,
} from "#machines/vault/links.ts";
import { answered, failure, outage, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const link: VaultLink = {
  id: "l1",
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
  const load = stubs.asking<readonly VaultLink[]>();
  const create = stubs.asking<VaultLink, WantedLink>();
  const revoke = stubs.asking<void, { id: string }>();
  const copy = stubs.asking<void, { text: string }>();
  const dropped = { count: 0 };
  const machine = vaultLinksMachine.provide({
    actors: { load: load.logic, create: create.logic, revoke: revoke.logic, copy: copy.logic },
    actions: {
      dropAddress: () => {
        dropped.count += 1;
      },
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    dropped.count = 0;
    const actor = createActor(machine, { clock, inspect, input: { now: () => clock.now() } });
    return { actor, load, create, revoke, copy, dropped };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const loading = ({ load }: Harness) => load;
const creating = ({ create }: Harness) => create;
const copying = ({ copy }: Harness) => copy;
const revoking = ({ revoke }: Harness) => revoke;

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
    sent({ type: "removal.requested", id: link.id }),
    sent({ type: "removal.confirmed" }),
    sent({ type: "removal.dismissed" }),
    sent({ type: "reload.requested" }),
    answered("there is one", loading, () => [link]),
    outage(refused("they can't be loaded", loading, failure("network"))),
    answered("it is made", creating, () => ({ ...link, id: "l2" })),
    refused("it is not made", creating, failure("tooManyAtOnce")),
    answered("it is copied", copying, () => undefined),
    refused("it can't be copied", copying, failure("none")),
    answered("it is revoked", revoking, () => undefined),
    refused("it was revoked elsewhere", revoking, failure("notFound")),
    outage(refused("it is not revoked", revoking, failure("network"))),
  ],
  situation: (harness) => [Math.min(selectVaultLinks(snapshot(harness)).length, 2), snapshot(harness).context.failure],
  rules: {
    "a link is made once at a time, and only what shows something": (harness) =>
      harness.create.open().length === (selectIsMakingLink(snapshot(harness)) ? 1 : 0) &&
      harness.create.open().every(({ input }) => input?.audio === true),
    "what is revoked is what was asked about": (harness) =>
      harness.revoke.open().every(({ input }) => input?.id === selectRevokingLink(snapshot(harness))),
    "an address is shown once": (harness) =>
      !selectIsLinkMade(snapshot(harness)) || harness.dropped.count < harness.create.times(),
  },
});
