import { createActor } from "xstate";
import {
  federatedReturnMachine,
  type Returned,
  selectEmailToConfirm,
  selectIsProfileMissing,
  selectReturnRefusal,
} from "../../machines/federated-return.ts";
import { ada } from "../machines/session-rig.ts";
import { answered, failure, refused, sent } from "./harness-moves.ts";
import type { Stage } from "./harness-stage.ts";
import { type RunOptions, walkTests } from "./harness-walk.ts";

function prepare(stage: Stage) {
  const examine = stage.asking<Returned, { token: string }>();
  return ({ clock, inspect, start }: RunOptions) => {
    const begun: unknown[] = [];
    const machine = federatedReturnMachine.provide({
      actors: { examine: examine.logic },
      actions: { begin: (_, session) => void begun.push(session) },
    });
    const token = start === "with a token" ? "t" : null;
    const actor = createActor(machine, { clock, inspect, input: { token, code: "accountExists" } });
    const told: string[] = [];
    actor.on("signedIn", ({ type }) => told.push(type));
    // What happened, for the rules.
    const seen = { confirmed: false, ours: false };
    return { actor, examine, begun, told, seen };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Rig) => actor.getSnapshot();
const asked = ({ examine }: Rig) => examine;

walkTests<Rig>({
  machine: federatedReturnMachine,
  prepare,
  starts: ["with a token", "without one"],
  simple: true,
  moves: [
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
  situation: (rig) => [rig.examine.open().length, rig.begun.length, rig.seen],
  rules: {
    "the profile is asked for once at a time, with the token": ({ examine }) =>
      examine.open().length <= 1 && examine.open().every(({ input }) => input?.token === "t"),
    "nobody is signed in but by what is this browser's, or what they confirmed": ({ begun, seen }) =>
      begun.length === (seen.ours || seen.confirmed ? 1 : 0),
    "who is signed in is told so, once": ({ begun, told }) => told.length === begun.length,
    "the question names the account": (rig) => [null, ada.email].includes(selectEmailToConfirm(now(rig))),
    "without a token the server's reason is told": (rig) =>
      selectReturnRefusal(now(rig)) === (now(rig).context.token === null ? "accountExists" : null),
    "a profile that is missing stops everything": (rig) => !selectIsProfileMissing(now(rig)) || rig.begun.length === 0,
  },
});
