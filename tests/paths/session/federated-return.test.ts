import { createActor } from "xstate";
import {
  federatedReturnMachine,
  type Returned,
  selectEmailToConfirm,
  selectIsProfileMissing,
  selectIsUnreachable,
  selectReturnRefusal,
} from "#machines/session/federated-return.ts";
import { ada } from "#tests/machines/session/rig.ts";
import { answer, answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const exchange = stage.asking<string, { oneTimeCode: string }>();
  const examine = stage.asking<Returned, { token: string; isExchanged: boolean }>();
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
    // What happened, for the rules.
    const seen = { confirmed: false, ours: false };
    return { actor, exchange, examine, begun, emitted, seen };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Rig) => actor.getSnapshot();
const atServer = ({ exchange }: Rig) => exchange;
const asked = ({ examine }: Rig) => examine;

/** The reason to be shown: the server's reason in the address, or that the code was refused. */
function reasonOf(snapshot: ReturnType<typeof now>): string | null {
  if (!snapshot.matches("refused")) return null;
  return snapshot.context.oneTimeCode === null ? "accountExists" : "providerFailed";
}

walkTests<Rig>({
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
      may: (rig) => now(rig).can({ type: "account.confirmed" }),
      happen: ({ actor, seen }) => {
        seen.confirmed = true;
        actor.send({ type: "account.confirmed" });
      },
    },
  ],
  situation: (rig) => [rig.exchange.open().length, rig.examine.open().length, rig.begun.length, rig.seen],
  rules: {
    "the code is brought once at a time, and nothing else is asked meanwhile": ({ exchange, examine }) =>
      exchange.open().length + examine.open().length <= 1 && exchange.open().every(({ input }) => input?.oneTimeCode === "c"),
    "what was exchanged counts as this browser's": (rig) =>
      rig.examine.open().every(({ input }) => input?.isExchanged === (now(rig).context.oneTimeCode !== null)),
    "a server that can't be reached signs nobody in": (rig) => !selectIsUnreachable(now(rig)) || rig.begun.length === 0,
    "the profile is asked for once at a time, with the token": ({ examine }) =>
      examine.open().length <= 1 && examine.open().every(({ input }) => input?.token === "t"),
    "nobody is signed in but by what is this browser's, or what they confirmed": ({ begun, seen }) =>
      begun.length === (seen.ours || seen.confirmed ? 1 : 0),
    "a sign-in is emitted, once": ({ begun, emitted }) => emitted.length === begun.length,
    "the question names the account": (rig) => [null, ada.email].includes(selectEmailToConfirm(now(rig))),
    "without a token the reason is shown": (rig) => selectReturnRefusal(now(rig)) === reasonOf(now(rig)),
    "a profile that is missing stops everything": (rig) => !selectIsProfileMissing(now(rig)) || rig.begun.length === 0,
  },
});
