import { createActor, type EventObject } from "xstate";
import type { MadePasskey, Passkey, PasskeyCreation } from "#contract/index.ts";
import type { Created, Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectChanging, selectIsWriting, selectItems } from "#machines/collection/selectors.ts";
import type { PasskeyTypes, PasskeyWish } from "#machines/passkeys/events.ts";
import { passkeysMachine, selectIsBusy, selectIsUnkept } from "#machines/passkeys/machine.ts";
import { made, offer, passkey } from "#tests/machines/passkeys/passkeys.ts";
import { loadingMoves } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

type Change = { wish: PasskeyWish; id: string; name: string; password: string };

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<Passkey>>();
  const offering = stubs.asking<PasskeyCreation, { password: string }>();
  const making = stubs.asking<MadePasskey, PasskeyCreation>();
  const keeping = stubs.asking<Created<PasskeyTypes>, { name: string; made: MadePasskey }>();
  const change = stubs.asking<void, Change>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = passkeysMachine.provide({
    actors: {
      load: load.logic,
      offer: offering.logic,
      make: making.logic,
      keep: keeping.logic,
      apply: change.logic,
      wakeUps: wakeUps.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const server = { now: [passkey("one")] as readonly Passkey[] };
    return { actor, load, offering, making, keeping, change, wakeUps, server };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Harness) => actor.getSnapshot();
const offering = (harness: Harness) => harness.offering;
const making = (harness: Harness) => harness.making;
const keeping = (harness: Harness) => harness.keeping;
const changing = ({ change }: Harness) => change;
const calls = ({ load, offering, making, keeping, change }: Harness) =>
  [load, offering, making, keeping, change].reduce((sum, each) => sum + each.open().length, 0);

walkTests<Harness>({
  machine: passkeysMachine,
  prepare,
  moves: [
    sent({ type: "creation.requested" }),
    sent({ type: "creation.submitted", draft: { name: "new", password: "p" } }, "one is wanted"),
    sent({ type: "creation.submitted", draft: { name: " ", password: "p" } }, "one without a name is wanted"),
    sent({ type: "change.requested", wish: "rename", id: "one" }, "one is to have another name"),
    sent({ type: "change.requested", wish: "remove", id: "one" }, "one is to go"),
    sent({ type: "change.submitted", draft: { name: "uno", password: "p" } }, "the change is sent"),
    sent({ type: "change.submitted", draft: { name: "", password: "p" } }, "the change is sent without a name"),
    sent({ type: "creation.dismissed" }),
    sent({ type: "change.dismissed" }),
    ...loadingMoves<Harness, Listed<Passkey>>(({ server }) => ({ items: server.now })),
    answered("the password is right", offering, () => offer),
    refused("the password is wrong", offering, failure("wrongPassword")),
    refused("nothing is answered to the password", offering, failure("network")),
    answered("the device makes it", making, () => made),
    refused("the device does not", making, failure("passkeyDismissed")),
    {
      ...answered("the server keeps it", keeping, ({ server }: Harness, input) => {
        const kept = { ...passkey("new"), name: input?.name ?? "" };
        server.now = [...server.now, kept];
        return { item: kept, secret: null };
      }),
      // One item is enough: further ones would only lengthen the list.
      may: (harness: Harness) => harness.keeping.open().length > 0 && !harness.server.now.some(({ id }) => id === "new"),
    },
    refused("the server does not", keeping, failure("passkeyExpired")),
    refused("nothing is answered to what was made", keeping, failure("network")),
    answered("it is changed", changing, ({ server }, input) => {
      server.now = server.now.flatMap((one) =>
        one.id !== input?.id ? [one] : input.wish === "remove" ? [] : [{ ...one, name: input.name }],
      );
    }),
    refused("it can't be changed", changing, failure("wrongPassword")),
    refused("nothing is answered to the change", changing, failure("network")),
    refused("it was removed elsewhere", changing, failure("notFound")),
  ],
  situation: (harness) => [
    selectItems(now(harness)).map(({ name }) => name),
    now(harness).context.wish,
    now(harness).context.made?.id,
    now(harness).context.failure,
    harness.server.now.map(({ name }) => name),
  ],
  rules: {
    "one call at a time": (harness) => calls(harness) <= 1,
    "a password is there while it is sent, and no longer": (harness) =>
      (now(harness).context.draft?.password ?? "") === "" || harness.offering.open().length + harness.change.open().length === 1,
    "what the device has made is there until the server has it, or it is given up": (harness) =>
      (!selectIsUnkept(now(harness)) && harness.keeping.open().length === 0) || now(harness).context.made !== null,
    "what was made is forgotten with its form": (harness) => selectIsWriting(now(harness)) || now(harness).context.made === null,
    "one form at a time": (harness) => !(selectIsWriting(now(harness)) && selectChanging(now(harness)) !== null),
    "what is on its way is said": (harness) =>
      selectIsBusy(now(harness)) === (calls(harness) > 0 && harness.load.open().length === 0),
    "a server without the call is left alone": (harness) => !selectIsUnavailable(now(harness)) || calls(harness) === 0,
  },
});
