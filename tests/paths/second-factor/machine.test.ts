import { createActor, type EventObject } from "xstate";
import type { SecondFactor, SecondFactorSecret } from "#contract/index.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import type { SecondFactorEvent, SecondFactorWish } from "#machines/second-factor/events.ts";
import { secondFactorMachine, selectCodes, selectIsBusy, selectOffer, selectWish } from "#machines/second-factor/machine.ts";
import { loadingMoves } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Move } from "#tests/paths/harness-run.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const off: SecondFactor = { enabledAt: null, recoveryCodesLeft: 0, required: false };
const on: SecondFactor = { enabledAt: "2026-03-01T12:00:00.000Z", recoveryCodesLeft: 1, required: false };
const secret: SecondFactorSecret = { secret: "s", uri: "u" };

interface Change {
  wish: SecondFactorWish;
  password: string;
  proof: string;
}

function prepare(stubs: Stubs) {
  const load = stubs.asking<SecondFactor>();
  const offer = stubs.asking<SecondFactorSecret, { password: string }>();
  const confirm = stubs.asking<readonly string[], { proof: string }>();
  const change = stubs.asking<readonly string[], Change>();
  const copy = stubs.asking<void, { text: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = secondFactorMachine.provide({
    actors: {
      load: load.logic,
      offer: offer.logic,
      confirm: confirm.logic,
      change: change.logic,
      copy: copy.logic,
      wakeUps: wakeUps.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { now: () => Date.parse("2026-03-01T12:00:00.000Z") } });
    return { actor, load, offer, confirm, change, copy, wakeUps, server: { now: off } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Harness) => actor.getSnapshot();
const copying = ({ copy }: Harness) => copy;
const offering = ({ offer }: Harness) => offer;
const confirming = ({ confirm }: Harness) => confirm;
const changing = ({ change }: Harness) => change;
const isOpen = (harness: Harness) =>
  harness.load.open().length + harness.offer.open().length + harness.confirm.open().length + harness.change.open().length;
const shows = (harness: Harness, enabled: boolean) => (now(harness).context.known?.enabledAt != null) === enabled;
const when = (enabled: boolean, event: SecondFactorEvent, name?: string): Move<Harness> => {
  const move = sent<SecondFactorEvent>(event, name);
  return { ...move, may: (harness, clock) => move.may(harness, clock) && shows(harness, enabled) };
};

walkTests<Harness>({
  machine: secondFactorMachine,
  prepare,
  moves: [
    when(false, { type: "setUp.requested" }),
    sent({ type: "password.submitted", password: "p" }),
    sent({ type: "code.submitted", proof: "000000" }, "a code is typed"),
    sent({ type: "code.submitted", proof: " " }, "no code is typed"),
    when(true, { type: "change.requested", wish: "off" }, "it is to be turned off"),
    when(true, { type: "change.requested", wish: "newCodes" }, "new codes are wanted"),
    sent({ type: "change.submitted", password: "p", proof: "000000" }, "both are typed"),
    sent({ type: "change.submitted", password: "p", proof: "" }, "the password alone is typed"),
    sent({ type: "form.dismissed" }),
    sent({ type: "copy.requested", text: "codes" }),
    sent({ type: "secret.dismissed" }),
    ...loadingMoves<Harness, SecondFactor>(({ server }) => server.now),
    answered("a secret comes", offering, () => secret),
    refused("the password is wrong", offering, failure("wrongPassword")),
    refused("nothing is answered to the password", offering, failure("network")),
    refused("it was turned on elsewhere", offering, failure("conflict")),
    answered("the code is right", confirming, ({ server }) => {
      server.now = on;
      return ["one"];
    }),
    refused("the code is wrong", confirming, failure("wrongCode")),
    refused("nothing is answered to the code", confirming, failure("network")),
    refused("the code comes too late", confirming, failure("gone")),
    answered("it is changed", changing, ({ server }, input) => {
      if (input?.wish === "newCodes") return ["two"];
      server.now = off;
      return [];
    }),
    refused("the code for the change is wrong", changing, failure("wrongCode")),
    refused("nothing is answered to the change", changing, failure("network")),
    refused("it was turned off elsewhere", changing, failure("gone")),
    answered("they are copied", copying, () => undefined),
    refused("they can't be copied", copying, failure("none")),
  ],
  situation: (harness) => [
    now(harness).context.known?.enabledAt,
    now(harness).context.wish,
    now(harness).context.offer?.secret,
    now(harness).context.codes,
    now(harness).context.failure,
    harness.server.now.enabledAt,
  ],
  rules: {
    "one call at a time": (harness) => isOpen(harness) <= 1,
    "what was typed is there while it is sent, and no longer": (harness) =>
      (now(harness).context.typed.password + now(harness).context.typed.proof !== "") === selectIsBusy(now(harness)),
    "a secret is there while its code is asked for, and no longer": (harness) =>
      (selectOffer(now(harness)) !== null) ===
      (now(harness).matches({ open: "scanning" }) || now(harness).matches({ open: "confirming" })),
    "recovery codes are there while they are shown, and no longer": (harness) =>
      (selectCodes(now(harness)) !== null) === now(harness).matches({ open: "showing" }),
    "a wish is there while password and code are asked for, and no longer": (harness) =>
      (selectWish(now(harness)) !== null) ===
      (now(harness).matches({ open: "changing" }) || now(harness).matches({ open: "making" })),
    "a server without the call is left alone": (harness) => !selectIsUnavailable(now(harness)) || isOpen(harness) === 0,
  },
});
