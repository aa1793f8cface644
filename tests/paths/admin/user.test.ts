import { createActor } from "xstate";
import type { AdminUser } from "#contract/index.ts";
import { actionsFor, adminUserMachine, selectAskedChange, type UserAction, type UserChange } from "#machines/admin/user.ts";
import { person, subscribed } from "#tests/machines/admin/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const today = "2026-03-01";
const reason = "A friend";

function prepare(stubs: Stubs) {
  const fetchUser = stubs.asking<AdminUser, { id: string }>();
  const changeUser = stubs.asking<AdminUser | null, { id: string; change: UserChange | null }>();
  const machine = adminUserMachine.provide({ actors: { fetchUser: fetchUser.logic, changeUser: changeUser.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { id: "u1", now: () => Date.parse(`${today}T12:00`) } });
    const emitted: UserAction[] = [];
    actor.on("user.changed", ({ action }) => emitted.push(action));
    return { actor, fetchUser, changeUser, emitted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;

walkTests<Harness>({
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
      ({ fetchUser }: Harness) => fetchUser,
      () => person(),
    ),
    refused("there is no such person", ({ fetchUser }: Harness) => fetchUser, failure("notFound")),
    refused("the server does not answer", ({ fetchUser }: Harness) => fetchUser, failure("network")),
    answered(
      "it is done",
      ({ changeUser }: Harness) => changeUser,
      () => subscribed(),
    ),
    answered(
      "the account is deleted",
      ({ changeUser }: Harness) => changeUser,
      () => null,
    ),
    refused("it is not done", ({ changeUser }: Harness) => changeUser, failure("conflict")),
    refused("there is no answer to the change", ({ changeUser }: Harness) => changeUser, failure("network")),
  ],
  situation: (harness) => {
    const { user, error, action, change, problem, failure: code } = context(harness);
    return [user?.premium ?? null, error, action, change?.action ?? null, problem, code, harness.emitted.length > 0];
  },
  rules: {
    "one thing is asked at a time": ({ fetchUser, changeUser }) => fetchUser.open().length + changeUser.open().length <= 1,
    "nothing is changed without being asked once more": (harness) =>
      harness.changeUser.open().length === (harness.actor.getSnapshot().matches("changing") ? 1 : 0),
    "nothing is changed without a reason": (harness) =>
      harness.changeUser.open().every(({ input }) => (input?.change?.reason.length ?? 0) >= 3),
    "what was chosen is what is asked and done": (harness) =>
      harness.changeUser.open().every(({ input }) => input?.change?.action === context(harness).action) &&
      (selectAskedChange(harness.actor.getSnapshot())?.action ?? context(harness).action) === context(harness).action,
    "what was done is emitted, once each": ({ emitted, changeUser }) => emitted.length <= changeUser.times(),
    "the form is empty after what was done": (harness) =>
      harness.emitted.length === 0 ||
      harness.actor.getSnapshot().matches("deleted") ||
      context(harness).changes === harness.emitted.length,
    "something can be done about everybody": (harness) => {
      const { user } = context(harness);
      return user === null || actionsFor(user).length > 0;
    },
  },
});
