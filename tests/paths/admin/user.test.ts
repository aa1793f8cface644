import { createActor } from "xstate";
import type { AdminUser } from "#contract/index.ts";
import { actionsFor, adminUserMachine, selectAskedChange, type UserAction, type UserChange } from "#machines/admin/user.ts";
import { person, subscribed } from "#tests/machines/admin/rig.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const today = "2026-03-01";
const reason = "A friend";

function prepare(stage: Stage) {
  const fetchUser = stage.asking<AdminUser, { id: string }>();
  const changeUser = stage.asking<AdminUser | null, { id: string; change: UserChange | null }>();
  const machine = adminUserMachine.provide({ actors: { fetchUser: fetchUser.logic, changeUser: changeUser.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { id: "u1", now: () => Date.parse(`${today}T12:00`) } });
    const emitted: UserAction[] = [];
    actor.on("user.changed", ({ action }) => emitted.push(action));
    return { actor, fetchUser, changeUser, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;

walkTests<Rig>({
  machine: adminUserMachine,
  prepare,
  moves: [
    sent({ type: "refresh.requested" }),
    sent({ type: "action.chosen", action: "grantPremium" }, "premium is to be given"),
    sent({ type: "action.chosen", action: "signOut" }, "they are to be signed out"),
    sent({ type: "change.requested", until: "2026-05-01", reason }, "all is filled in"),
    sent({ type: "change.requested", until: today, reason }, "the day is over"),
    sent({ type: "change.requested", until: "2026-05-01", reason: " a " }, "no reason is given"),
    sent({ type: "change.confirmed" }),
    sent({ type: "change.dismissed" }),
    answered(
      "the server sends the user",
      ({ fetchUser }: Rig) => fetchUser,
      () => person(),
    ),
    refused("there is no such person", ({ fetchUser }: Rig) => fetchUser, failure("notFound")),
    refused("the server does not answer", ({ fetchUser }: Rig) => fetchUser, failure("network")),
    answered(
      "it is done",
      ({ changeUser }: Rig) => changeUser,
      () => subscribed(),
    ),
    answered(
      "the account is deleted",
      ({ changeUser }: Rig) => changeUser,
      () => null,
    ),
    refused("it is not done", ({ changeUser }: Rig) => changeUser, failure("conflict")),
    refused("there is no answer to the change", ({ changeUser }: Rig) => changeUser, failure("network")),
  ],
  situation: (rig) => {
    const { user, error, action, change, problem, failure: code } = context(rig);
    return [user?.premium ?? null, error, action, change?.action ?? null, problem, code, rig.emitted.length > 0];
  },
  rules: {
    "one thing is asked at a time": ({ fetchUser, changeUser }) => fetchUser.open().length + changeUser.open().length <= 1,
    "nothing is changed without being asked once more": (rig) =>
      rig.changeUser.open().length === (rig.actor.getSnapshot().matches("changing") ? 1 : 0),
    "nothing is changed without a reason": (rig) =>
      rig.changeUser.open().every(({ input }) => (input?.change?.reason.length ?? 0) >= 3),
    "what was chosen is what is asked and done": (rig) =>
      rig.changeUser.open().every(({ input }) => input?.change?.action === context(rig).action) &&
      (selectAskedChange(rig.actor.getSnapshot())?.action ?? context(rig).action) === context(rig).action,
    "what was done is emitted, once each": ({ emitted, changeUser }) => emitted.length <= changeUser.times(),
    "the form is empty after what was done": (rig) =>
      rig.emitted.length === 0 || rig.actor.getSnapshot().matches("deleted") || context(rig).changes === rig.emitted.length,
    "something can be done about everybody": (rig) => {
      const { user } = context(rig);
      return user === null || actionsFor(user).length > 0;
    },
  },
});
