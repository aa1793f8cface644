import { describe, expect, it } from "vitest";
import { createActor, fromPromise, SimulatedClock, toPromise } from "xstate";
import { accessMachine, type Need, selectIsSlow, selectStage } from "#machines/session/access.ts";

interface Answers {
  signedIn?: boolean | Error;
  /** The profile, or the failure to load it. */
  profile?: true | Error;
  superuser?: boolean | Error;
  lacksSecondFactor?: boolean;
  premium?: boolean | Error | Promise<boolean>;
  /** Whether a vault exists, or the failure to find out. */
  stored?: boolean | Error;
}

/** An answer, a failure, or neither. */
function answer<Value>(value: Value | Promise<Value> | Error | undefined): Promise<Value> {
  if (value === undefined) return new Promise(() => {});
  return value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
}

function visit(need: Need, answers: Answers, { isDashboard = false } = {}) {
  const clock = new SimulatedClock();
  const stages: string[] = [];
  let retries = 0;
  const machine = accessMachine.provide({
    actors: {
      authenticate: fromPromise(() => answer(answers.signedIn)),
      loadProfile: fromPromise<unknown>(() => answer(answers.profile)),
      verifyPermissions: fromPromise(async () => ({
        isSuperUser: await answer(answers.superuser),
        ...(answers.lacksSecondFactor !== undefined && { lacksSecondFactor: answers.lacksSecondFactor }),
      })),
      checkSubscription: fromPromise(async () => ({ premium: await answer(answers.premium) })),
      checkStored: fromPromise(async () => ({ stored: await answer(answers.stored) })),
    },
    actions: {
      retryRequests: () => {
        retries += 1;
      },
    },
  });
  const actor = createActor(machine, { input: { need, isDashboard }, clock });
  actor.subscribe((snapshot) => {
    const stage = selectStage(snapshot);
    if (snapshot.status === "active" && stages.at(-1) !== stage) stages.push(stage);
  });
  actor.start();
  return { verdict: toPromise(actor), clock, stages, actor, retries: () => retries };
}

const granted = { granted: true, warning: null };
const sent = (to: string, toast: string | null) => ({ granted: false, denial: { to, toast } });
const broken = new Error("no answer");

describe("access to a page", () => {
  // SPEC 2 Route guard: "a missing or expired token stores the wanted path as a redirect target"
  // SPEC 5: "Admin pages need isSuperUser."
  it.each<[Need, Answers, object]>([
    ["signedIn", { signedIn: true, profile: true }, granted],
    ["signedIn", { signedIn: false }, sent("/signin", null)],
    // SPEC 8: "'Authentication check failed'"
    ["signedIn", { signedIn: broken }, sent("/signin", "toast.authCheckFailed")],
    ["signedIn", { signedIn: true, profile: broken }, sent("/dashboard", "toast.profileFailed")],
    ["superuser", { signedIn: true, profile: true, superuser: true, lacksSecondFactor: false }, granted],
    [
      "superuser",
      { signedIn: true, profile: true, superuser: true, lacksSecondFactor: true },
      sent("/settings", "errors.secondFactorNeeded"),
    ],
    [
      "superuser",
      { signedIn: true, profile: true, superuser: false, lacksSecondFactor: true },
      sent("/dashboard", "toast.accessDenied"),
    ],
    ["paid", { signedIn: true, profile: true, premium: true }, granted],
    ["paid", { signedIn: true, profile: true, premium: false, stored: false }, sent("/subscription", "toast.subscriptionNeeded")],
    ["paid", { signedIn: true, profile: true, premium: false, stored: true }, granted],
    [
      "paid",
      { signedIn: true, profile: true, premium: false, stored: broken },
      sent("/subscription", "toast.subscriptionFailed"),
    ],
    ["paid", { signedIn: true, profile: true, premium: broken }, sent("/subscription", "toast.subscriptionFailed")],
    ["paid", { signedIn: false, premium: true }, sent("/signin", null)],
    ["paid", { signedIn: true, profile: broken, premium: true }, sent("/dashboard", "toast.profileFailed")],
    ["superuser", { signedIn: true, profile: true, superuser: true }, granted],
    ["superuser", { signedIn: true, profile: true, superuser: false }, sent("/dashboard", "toast.accessDenied")],
    ["superuser", { signedIn: true, profile: true, superuser: broken }, sent("/dashboard", "toast.profileFailed")],
    ["superuser", { signedIn: true, profile: broken, superuser: true }, sent("/dashboard", "toast.profileFailed")],
    ["superuser", { signedIn: false, superuser: true }, sent("/signin", null)],
  ])("decides on a page that needs %s, with %o", async (need, answers, expected) => {
    expect(await visit(need, answers).verdict).toEqual(expected);
  });

  // SPEC 8: "'Failed to load user profile. Please try again.' (then redirect to /dashboard)"
  it("lets the user open the dashboard without a profile, and reports the failure there", async () => {
    const answers = { signedIn: true, profile: broken };
    expect(await visit("signedIn", answers, { isDashboard: true }).verdict).toEqual({
      granted: true,
      warning: "toast.profileFailed",
    });
  });

  // SPEC 2 Route guard: "While checking, the screen shows these messages"
  it.each<[Need, Answers, string[]]>([
    ["signedIn", { signedIn: true, profile: true }, ["authenticating", "loadingProfile"]],
    ["paid", { signedIn: true, profile: true, premium: true }, ["authenticating", "loadingProfile", "checkingSubscription"]],
    [
      "superuser",
      { signedIn: true, profile: true, superuser: true },
      ["authenticating", "loadingProfile", "verifyingPermissions"],
    ],
  ])("shows its stages in the specification's order for a page that needs %s", async (need, answers, order) => {
    const { verdict, stages } = visit(need, answers);
    await verdict;
    expect(stages).toEqual(order);
  });

  const stuck: [string, Need, Answers][] = [
    ["authenticating", "signedIn", {}],
    ["loadingProfile", "signedIn", { signedIn: true }],
    ["verifyingPermissions", "superuser", { signedIn: true, profile: true }],
    ["checkingSubscription", "paid", { signedIn: true, profile: true }],
  ];

  it.each(stuck)(
    "waits without a time limit while %s, and shows after ten seconds that the server is slow",
    async (stage, need, answers) => {
      const { clock, stages, actor } = visit(need, answers);
      await expect.poll(() => stages.at(-1)).toBe(stage);
      clock.increment(9_999);
      expect(selectIsSlow(actor.getSnapshot())).toBe(false);
      clock.increment(1);
      expect(selectIsSlow(actor.getSnapshot())).toBe(true);
      clock.increment(3_600_000);
      expect(actor.getSnapshot().status).toBe("active");
      expect(selectStage(actor.getSnapshot())).toBe(stage);
    },
  );

  it.each(stuck)("leads to the landing page without a message when the person leaves while %s", async (stage, need, answers) => {
    const { verdict, stages, actor } = visit(need, answers);
    await expect.poll(() => stages.at(-1)).toBe(stage);
    actor.send({ type: "leave.requested" });
    expect(await verdict).toEqual(sent("/", null));
  });

  it("grants access to a page after a late answer", async () => {
    const late = Promise.withResolvers<true>();
    const { verdict, clock, stages } = visit("paid", { signedIn: true, profile: true, premium: late.promise });
    await expect.poll(() => stages.at(-1)).toBe("checkingSubscription");
    clock.increment(600_000);
    late.resolve(true);
    expect(await verdict).toEqual(granted);
  });

  it("repeats all requests on a retry, and counts ten seconds again", async () => {
    const answers: Answers = { signedIn: true };
    const { verdict, clock, stages, actor, retries } = visit("signedIn", answers);
    await expect.poll(() => stages.at(-1)).toBe("loadingProfile");
    clock.increment(10_000);
    actor.send({ type: "retry.requested" });
    expect(retries()).toBe(1);
    expect(selectIsSlow(actor.getSnapshot())).toBe(false);
    await expect.poll(() => selectStage(actor.getSnapshot())).toBe("loadingProfile");
    clock.increment(9_999);
    expect(selectIsSlow(actor.getSnapshot())).toBe(false);
    answers.profile = true;
    actor.send({ type: "retry.requested" });
    expect(await verdict).toEqual(granted);
  });
});
