import { createActor } from "xstate";
import {
  federatedReturnMachine,
  type Returned,
  selectEmailToConfirm,
  selectIsProfileMissing,
  selectIsUnreachable,
  selectReturnRefusal,
} from "#machines/session/federated-return.ts";
import { ada } from "#tests/machines/session/harness.ts";
import { answer, answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const exchange = stubs.asking<string, { oneTimeCode: string }>();
  const examine = stubs.asking<Returned, { token: string; isExchanged: boolean }>();
  return ({ clock, inspect, start }: RunOptions) => {
    const begun: unknown[] = [];
    const machine = federatedReturnMachine.provide({
      actors: { exchange: exchange.logic, examine: examine.logic },
      actions: { begin: (_, session) => void begun.push(session) },
    });
    const token = start === "with a token" ? "t" : null;
    const oneTimeCode = start === "with a code" ? "c" : null;
    const actor = createActor(machine, { clock, inspect, input: { token, oneTimeCode, code: "accountExists" } });
    const emitted: string[] = [];
    actor.on("signIn.completed", ({ type }) => emitted.push(type));
    // The events so far, for the rules.
    const seen = { confirmed: false, ours: false };
    return { actor, exchange, examine, begun, emitted, seen };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Harness) => actor.getSnapshot();
const atServer = ({ exchange }: Harness) => exchange;
const asked = ({ examine }: Harness) => examine;

/** The reason to be shown: the server's reason in the address, or that the code was refused. */
function reasonOf(snapshot: ReturnType<typeof now>): string | null {
  if (!snapshot.matches("refused")) return null;
  return snapshot.context.oneTimeCode === null ? "accountExists" : "providerFailed";
}

walkTests<Harness>({
  machine: federatedReturnMachine,
  prepare,
  starts: ["with a token", "with a code", "without one"],
  simple: true,
  moves: [
    answered("the code is exchanged", atServer, () => "t"),
    refused("the code is refused", atServer, answer(401, "providerFailed")),
    refused("the server can't be reached", atServer, failure("network")),
    answered("it is this browser's", asked, ({ seen }) => {
      seen.ours = true;
      return { user: ada, isOurs: true };
    }),
    answered("it is another browser's", asked, () => ({ user: ada, isOurs: false })),
    refused("the profile can't be had", asked, failure("network")),
    sent({ type: "retry.requested" }),
    {
      name: "account.confirmed",
      may: (harness) => now(harness).can({ type: "account.confirmed" }),
      happen: ({ actor, seen }) => {
        seen.confirmed = true;
        actor.send({ type: "account.confirmed" });
      },
    },
  ],
  situation: (harness) => [harness.exchange.open().length, harness.examine.open().length, harness.begun.length, harness.seen],
  rules: {
    "the code is brought once at a time, and nothing else is asked meanwhile": ({ exchange, examine }) =>
      exchange.open().length + examine.open().length <= 1 && exchange.open().every(({ input }) => input?.oneTimeCode === "c"),
    "what was exchanged counts as this browser's": (harness) =>
      harness.examine.open().every(({ input }) => input?.isExchanged === (now(harness).context.oneTimeCode !== null)),
    "a server that can't be reached signs nobody in": (harness) =>
      !selectIsUnreachable(now(harness)) || harness.begun.length === 0,
    "the profile is asked for once at a time, with the token": ({ examine }) =>
      examine.open().length <= 1 && examine.open().every(({ input }) => input?.token === "t"),
    "nobody is signed in but by what is this browser's, or what they confirmed": ({ begun, seen }) =>
      begun.length === (seen.ours || seen.confirmed ? 1 : 0),
    "a sign-in is emitted, once": ({ begun, emitted }) => emitted.length === begun.length,
    "the question names the account": (harness) => [null, ada.email].includes(selectEmailToConfirm(now(harness))),
    "without a token the reason is shown": (harness) => selectReturnRefusal(now(harness)) === reasonOf(now(harness)),
    "a profile that is missing stops everything": (harness) =>
      !selectIsProfileMissing(now(harness)) || harness.begun.length === 0,
  },
});
