import { createActor } from "xstate";
import type { UsedPasskey } from "#contract/index.ts";
import {
  type PasskeySignedIn,
  passkeySignInMachine,
  selectFailure,
  selectIsBusy,
  selectIsUnavailable,
} from "#machines/passkeys/sign-in.ts";
import { used } from "#tests/machines/passkeys/passkeys.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const withField = "a page with a field";

function prepare(stubs: Stubs) {
  const offer = stubs.asking<UsedPasskey>();
  const ask = stubs.asking<UsedPasskey>();
  const check = stubs.asking<PasskeySignedIn, { used: UsedPasskey | null }>();
  return ({ start, clock, inspect }: RunOptions) => {
    const done = { begun: "", isRight: false };
    const machine = passkeySignInMachine.provide({
      actors: { offer: offer.logic, ask: ask.logic, check: check.logic },
      actions: {
        begin: (_, { accessToken }) => {
          done.begun = accessToken;
        },
      },
    });
    const actor = createActor(machine, { clock, inspect, input: { hasField: start === withField } });
    return { actor, offer, ask, check, done };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Harness) => actor.getSnapshot();
const offering = ({ offer }: Harness) => offer;
const asking = ({ ask }: Harness) => ask;
const checking = ({ check }: Harness) => check;

walkTests<Harness>({
  machine: passkeySignInMachine,
  prepare,
  starts: [withField, "a page without a field"],
  moves: [
    sent({ type: "passkey.requested" }),
    answered("one is chosen in the field", offering, () => used),
    refused("the browser offers none in fields", offering, failure("internal")),
    refused("the server, asked for the field, knows none", offering, failure("notOffered")),
    refused("nothing is answered for the field", offering, failure("network")),
    answered("the device signs", asking, () => used),
    refused("the person says no", asking, failure("passkeyDismissed")),
    refused("the server knows none", asking, failure("notOffered")),
    refused("nothing is answered to the button", asking, failure("network")),
    answered("the server knows it", checking, ({ done }) => {
      done.isRight = true;
      return { accessToken: "t" };
    }),
    refused("the server does not know it", checking, failure("passkeyUnknown")),
    refused("nothing is answered to what was signed", checking, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [now(harness).context.failure, now(harness).context.hasField, harness.done],
  rules: {
    "nobody is signed in whom the server does not know": ({ done }) => done.begun === "" || done.isRight,
    "whom the server knows is signed in": (harness) => (harness.done.begun === "t") === now(harness).matches("signedIn"),
    "the browser is asked one thing at a time": ({ offer, ask, check }) =>
      offer.open().length + ask.open().length + check.open().length <= 1,
    "what was signed is there while it is checked, and no longer": (harness) =>
      (now(harness).context.used !== null) === now(harness).matches("checking"),
    "no field asks on a page without one": (harness) => now(harness).context.hasField || harness.offer.open().length === 0,
    "who has asked for nothing is told of no failure": (harness) =>
      selectFailure(now(harness)) === null || !selectIsBusy(now(harness)),
    "there is always something to press, or to wait for": (harness) =>
      now(harness).matches("ready") ||
      selectIsBusy(now(harness)) ||
      selectIsUnavailable(now(harness)) ||
      now(harness).matches("signedIn"),
  },
});
