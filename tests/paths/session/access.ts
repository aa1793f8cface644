import { createActor } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { accessMachine, type Need, selectIsSlow } from "#machines/session/access.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import type { RunOptions, Walk } from "#tests/paths/harness-walk.ts";

const needs: Record<string, Need> = {
  "the dashboard": "signedIn",
  "a page for whoever is signed in": "signedIn",
  "a page that is paid for": "paid",
  "a page for superusers": "superuser",
};

function prepare(stubs: Stubs) {
  const authenticate = stubs.asking<boolean>();
  const loadProfile = stubs.asking<unknown>();
  const verifyPermissions = stubs.asking<Pick<UserProfile, "isSuperUser" | "lacksSecondFactor">>();
  const checkSubscription = stubs.asking<{ premium: boolean }>();
  const checkStored = stubs.asking<{ stored: boolean }>();
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
    /** The answers, which decide the verdict. */
    const facts = { signedIn: false, superuser: false, premium: false, stored: false };
    return { actor, authenticate, loadProfile, verifyPermissions, checkSubscription, checkStored, facts };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const need = ({ actor }: Harness) => actor.getSnapshot().context.need;
const isDashboard = ({ actor }: Harness) => actor.getSnapshot().context.isDashboard;
const isGranted = ({ actor }: Harness) => actor.getSnapshot().output?.granted === true;
const signedIn = ({ authenticate }: Harness) => authenticate;
const profile = ({ loadProfile }: Harness) => loadProfile;
const permissions = ({ verifyPermissions }: Harness) => verifyPermissions;
/** The request that the person waits for. */
const open = (harness: Harness) =>
  [signedIn(harness), profile(harness), permissions(harness), subscription(harness), stored(harness)].reduce(
    (sum, asking) => sum + asking.open().length,
    0,
  );
const subscription = ({ checkSubscription }: Harness) => checkSubscription;
const stored = ({ checkStored }: Harness) => checkStored;

/** SPEC.md section 2: a visitor whose rights can't be checked is redirected with a message. */
const anew = "the visitor is sent elsewhere and told so; whoever opens the page again is looked at anew";

/** access.test.ts walks it on live actors; tests/components/session/access.test.ts shows the user's view. */
export const accessWalk: Walk<Harness> = {
  machine: accessMachine,
  prepare,
  starts: Object.keys(needs),
  simple: true,
  moves: [
    answered("somebody is signed in", signedIn, ({ facts }) => {
      facts.signedIn = true;
      return true;
    }),
    answered("nobody is signed in", signedIn, () => false),
    refused("nobody knows who is signed in", signedIn, failure("network")),
    answered("the profile comes", profile, () => null),
    refused("the profile can't be had", profile, failure("network")),
    answered("they are a superuser", permissions, ({ facts }) => {
      facts.superuser = true;
      return { isSuperUser: true };
    }),
    answered("they are a superuser without the second factor that is wanted", permissions, () => ({
      isSuperUser: true,
      lacksSecondFactor: true,
    })),
    answered("they are no superuser", permissions, () => ({ isSuperUser: false })),
    refused("nobody can say what they may", permissions, failure("network")),
    answered("they have subscribed", subscription, ({ facts }) => {
      facts.premium = true;
      return { premium: true };
    }),
    answered("they have not subscribed", subscription, () => ({ premium: false })),
    refused("the subscription can't be had", subscription, failure("network")),
    answered("they have a vault", stored, ({ facts }) => {
      facts.stored = true;
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
  situation: (harness) => [
    need(harness),
    isDashboard(harness),
    harness.facts,
    harness.actor.getSnapshot().context.profileFailed,
    selectIsSlow(harness.actor.getSnapshot()),
  ],
  rules: {
    "nobody gets in who is not signed in": (harness) => !isGranted(harness) || harness.facts.signedIn,
    "nobody gets to an administrator's page who is no superuser": (harness) =>
      !isGranted(harness) || need(harness) !== "superuser" || harness.facts.superuser,
    "nobody gets to a paid page without a subscription who has kept nothing there": (harness) =>
      !isGranted(harness) || need(harness) !== "paid" || harness.facts.premium || harness.facts.stored,
    "a vault is asked for only where there is no subscription": (harness) =>
      harness.checkStored.times() <= harness.checkSubscription.times(),
    "one question at a time": (harness) => open(harness) <= 1,
    "nothing of a person is asked for before it is clear that somebody is signed in": (harness) => {
      const { facts, loadProfile, verifyPermissions, checkSubscription, checkStored } = harness;
      return facts.signedIn || [loadProfile, verifyPermissions, checkSubscription, checkStored].every((ask) => ask.times() === 0);
    },
    "who waits for longer than 10 s is asked what they want, and waits on": (harness, clock) =>
      open(harness) === 0 || selectIsSlow(harness.actor.getSnapshot()) || (clock.untilNext() ?? Number.NaN) <= 10_000,
    "nothing ends the waiting but an answer, or the person": (harness) =>
      harness.actor.getSnapshot().status !== "active" || open(harness) === 1,
    "who is turned away is sent somewhere else": (harness) => {
      const { output } = harness.actor.getSnapshot();
      return output === undefined || output.granted || !(isDashboard(harness) && output.denial.to === "/dashboard");
    },
  },
};
