import { createActor } from "xstate";
import { accessMachine, type Need } from "../../machines/access.ts";
import type { UserProfile } from "../../src/api/contract/index.ts";
import { answered, failure, refused, untilNextTimer } from "./harness-moves.ts";
import type { Stage } from "./harness-stage.ts";
import type { RunOptions, Walk } from "./harness-walk.ts";

const needs: Record<string, Need> = {
  "the dashboard": "signedIn",
  "a page for whoever is signed in": "signedIn",
  "a page that is paid for": "paid",
  "a page for superusers": "superuser",
};

function prepare(stage: Stage) {
  const authenticate = stage.asking<boolean>();
  const loadProfile = stage.asking<Pick<UserProfile, "isSuperUser">>();
  const checkSubscription = stage.asking<{ premium: boolean }>();
  const machine = accessMachine.provide({
    actors: {
      ...{ authenticate: authenticate.logic, loadProfile: loadProfile.logic, checkSubscription: checkSubscription.logic },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const actor = createActor(machine, {
      clock,
      inspect,
      input: { need: needs[start] ?? "signedIn", isDashboard: start === "the dashboard" },
    });
    /** What the world has said: what the verdict must follow from. */
    const world = { signedIn: false, superuser: false, premium: false };
    return { actor, authenticate, loadProfile, checkSubscription, world };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const need = ({ actor }: Rig) => actor.getSnapshot().context.need;
const isDashboard = ({ actor }: Rig) => actor.getSnapshot().context.isDashboard;
const isGranted = ({ actor }: Rig) => actor.getSnapshot().output?.granted === true;
const signedIn = ({ authenticate }: Rig) => authenticate;
const profile = ({ loadProfile }: Rig) => loadProfile;
const subscription = ({ checkSubscription }: Rig) => checkSubscription;

/** Walked on live actors by access.test.ts, and in a real browser by tests/browser/access-paths.test.ts. */
export const accessWalk: Walk<Rig> = {
  machine: accessMachine,
  prepare,
  starts: Object.keys(needs),
  simple: true,
  moves: [
    answered("somebody is signed in", signedIn, ({ world }) => {
      world.signedIn = true;
      return true;
    }),
    answered("nobody is signed in", signedIn, () => false),
    refused("nobody knows who is signed in", signedIn, failure("network")),
    answered("a superuser's profile comes", profile, ({ world }) => {
      world.superuser = true;
      return { isSuperUser: true };
    }),
    answered("a person's profile comes", profile, () => ({ isSuperUser: false })),
    refused("the profile can't be had", profile, failure("network")),
    answered("they have subscribed", subscription, ({ world }) => {
      world.premium = true;
      return { premium: true };
    }),
    answered("they have not subscribed", subscription, () => ({ premium: false })),
    refused("the subscription can't be had", subscription, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => [need(rig), isDashboard(rig), rig.world, rig.actor.getSnapshot().context.profileFailed],
  rules: {
    "nobody gets in who is not signed in": (rig) => !isGranted(rig) || rig.world.signedIn,
    "nobody gets to an administrator's page who is no superuser": (rig) =>
      !isGranted(rig) || need(rig) !== "superuser" || rig.world.superuser,
    "nobody gets to a paid page without a subscription": (rig) => !isGranted(rig) || need(rig) !== "paid" || rig.world.premium,
    "one question at a time": (rig) =>
      rig.authenticate.open().length + rig.loadProfile.open().length + rig.checkSubscription.open().length <= 1,
    "nothing of a person is asked for before it is clear that somebody is signed in": (rig) =>
      rig.world.signedIn || rig.loadProfile.times() + rig.checkSubscription.times() === 0,
    "no call is waited for longer than 10 s": (rig, clock) =>
      rig.loadProfile.open().length + rig.checkSubscription.open().length === 0 || (clock.untilNext() ?? Number.NaN) <= 10_000,
    "who is turned away is sent somewhere else": (rig) => {
      const { output } = rig.actor.getSnapshot();
      return output === undefined || output.granted || !(isDashboard(rig) && output.denial.to === "/dashboard");
    },
  },
};
