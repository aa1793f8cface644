import { createActor } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { accessMachine, type Need, selectIsSlow } from "#machines/session/access.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import type { RunOptions, Walk } from "#tests/paths/harness-walk.ts";

const needs: Record<string, Need> = {
  "the dashboard": "signedIn",
  "a page for whoever is signed in": "signedIn",
  "a page that is paid for": "paid",
  "a page for superusers": "superuser",
};

function prepare(stage: Stage) {
  const authenticate = stage.asking<boolean>();
  const loadProfile = stage.asking<unknown>();
  const verifyPermissions = stage.asking<Pick<UserProfile, "isSuperUser" | "lacksSecondFactor">>();
  const checkSubscription = stage.asking<{ premium: boolean }>();
  const checkStored = stage.asking<{ stored: boolean }>();
  const machine = accessMachine.provide({
    actors: {
      authenticate: authenticate.logic,
      loadProfile: loadProfile.logic,
      verifyPermissions: verifyPermissions.logic,
      checkSubscription: checkSubscription.logic,
      checkStored: checkStored.logic,
    },
    actions: { retryRequests: () => {} },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const actor = createActor(machine, {
      clock,
      inspect,
      input: { need: needs[start] ?? "signedIn", isDashboard: start === "the dashboard" },
    });
    /** What the world has said: what the verdict must follow from. */
    const world = { signedIn: false, superuser: false, premium: false, stored: false };
    return { actor, authenticate, loadProfile, verifyPermissions, checkSubscription, checkStored, world };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const need = ({ actor }: Rig) => actor.getSnapshot().context.need;
const isDashboard = ({ actor }: Rig) => actor.getSnapshot().context.isDashboard;
const isGranted = ({ actor }: Rig) => actor.getSnapshot().output?.granted === true;
const signedIn = ({ authenticate }: Rig) => authenticate;
const profile = ({ loadProfile }: Rig) => loadProfile;
const permissions = ({ verifyPermissions }: Rig) => verifyPermissions;
/** What the person is waiting for. */
const open = (rig: Rig) =>
  [signedIn(rig), profile(rig), permissions(rig), subscription(rig), stored(rig)].reduce(
    (sum, asking) => sum + asking.open().length,
    0,
  );
const subscription = ({ checkSubscription }: Rig) => checkSubscription;
const stored = ({ checkStored }: Rig) => checkStored;

/** SPEC.md section 2: who can't be asked about is sent elsewhere, and told why. */
const anew = "the visitor is sent elsewhere and told so; whoever opens the page again is looked at anew";

/** Walked on live actors by access.test.ts; what a person sees of it: tests/components/session/access.test.ts. */
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
    answered("the profile comes", profile, () => null),
    refused("the profile can't be had", profile, failure("network")),
    answered("they are a superuser", permissions, ({ world }) => {
      world.superuser = true;
      return { isSuperUser: true };
    }),
    answered("they are a superuser without the second factor that is wanted", permissions, () => ({
      isSuperUser: true,
      lacksSecondFactor: true,
    })),
    answered("they are no superuser", permissions, () => ({ isSuperUser: false })),
    refused("nobody can say what they may", permissions, failure("network")),
    answered("they have subscribed", subscription, ({ world }) => {
      world.premium = true;
      return { premium: true };
    }),
    answered("they have not subscribed", subscription, () => ({ premium: false })),
    refused("the subscription can't be had", subscription, failure("network")),
    answered("they have a vault", stored, ({ world }) => {
      world.stored = true;
      return { stored: true };
    }),
    answered("they have no vault", stored, () => ({ stored: false })),
    refused("nobody knows of a vault", stored, failure("network")),
    sent({ type: "retry.requested" }),
    sent({ type: "leave.requested" }),
    untilNextTimer,
  ],
  outage: {
    "somebody is signed in": anew,
    "the profile comes": anew,
    "they are a superuser": anew,
    "they have subscribed": anew,
    "they have not subscribed": anew,
    "they have a vault": anew,
  },
  situation: (rig) => [
    need(rig),
    isDashboard(rig),
    rig.world,
    rig.actor.getSnapshot().context.profileFailed,
    selectIsSlow(rig.actor.getSnapshot()),
  ],
  rules: {
    "nobody gets in who is not signed in": (rig) => !isGranted(rig) || rig.world.signedIn,
    "nobody gets to an administrator's page who is no superuser": (rig) =>
      !isGranted(rig) || need(rig) !== "superuser" || rig.world.superuser,
    "nobody gets to a paid page without a subscription who has kept nothing there": (rig) =>
      !isGranted(rig) || need(rig) !== "paid" || rig.world.premium || rig.world.stored,
    "a vault is asked for only where there is no subscription": (rig) => rig.checkStored.times() <= rig.checkSubscription.times(),
    "one question at a time": (rig) => open(rig) <= 1,
    "nothing of a person is asked for before it is clear that somebody is signed in": (rig) =>
      rig.world.signedIn ||
      rig.loadProfile.times() + rig.verifyPermissions.times() + rig.checkSubscription.times() + rig.checkStored.times() === 0,
    "who waits for longer than 10 s is asked what they want, and waits on": (rig, clock) =>
      open(rig) === 0 || selectIsSlow(rig.actor.getSnapshot()) || (clock.untilNext() ?? Number.NaN) <= 10_000,
    "nothing ends the waiting but an answer, or the person": (rig) =>
      rig.actor.getSnapshot().status !== "active" || open(rig) === 1,
    "who is turned away is sent somewhere else": (rig) => {
      const { output } = rig.actor.getSnapshot();
      return output === undefined || output.granted || !(isDashboard(rig) && output.denial.to === "/dashboard");
    },
  },
};
