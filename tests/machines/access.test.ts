import { describe, expect, it } from "vitest";
import { createActor, fromPromise, SimulatedClock, toPromise } from "xstate";
import { accessMachine, type Need, selectStage } from "../../machines/access.ts";

interface World {
  signedIn?: boolean | Error;
  superuser?: boolean | Error;
  premium?: boolean | Error;
}

/** An answer, a failure, or none at all. */
function answer<Value>(value: Value | Error | undefined): Promise<Value> {
  if (value === undefined) return new Promise(() => {});
  return value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
}

function visit(need: Need, world: World, { isDashboard = false } = {}) {
  const clock = new SimulatedClock();
  const stages: string[] = [];
  const machine = accessMachine.provide({
    actors: {
      authenticate: fromPromise(() => answer(world.signedIn)),
      loadProfile: fromPromise(async () => ({ isSuperUser: await answer(world.superuser) })),
      checkSubscription: fromPromise(async () => ({ premium: await answer(world.premium) })),
    },
  });
  const actor = createActor(machine, { input: { need, isDashboard }, clock });
  actor.subscribe((snapshot) => {
    const stage = selectStage(snapshot);
    if (snapshot.status === "active" && stages.at(-1) !== stage) stages.push(stage);
  });
  actor.start();
  return { verdict: toPromise(actor), clock, stages, actor };
}

const granted = { granted: true, warning: null };
const sent = (to: string, toast: string | null) => ({ granted: false, denial: { to, toast } });
const broken = new Error("no answer");

describe("access", () => {
  it.each<[Need, World, object]>([
    ["signedIn", { signedIn: true, superuser: false }, granted],
    ["signedIn", { signedIn: false }, sent("/signin", null)],
    ["signedIn", { signedIn: broken }, sent("/signin", "toast.authCheckFailed")],
    ["signedIn", { signedIn: true, superuser: broken }, sent("/dashboard", "toast.profileFailed")],
    ["paid", { signedIn: true, superuser: false, premium: true }, granted],
    ["paid", { signedIn: true, superuser: false, premium: false }, sent("/subscription", "toast.subscriptionNeeded")],
    ["paid", { signedIn: true, superuser: false, premium: broken }, sent("/subscription", "toast.subscriptionFailed")],
    ["paid", { signedIn: false, premium: true }, sent("/signin", null)],
    ["paid", { signedIn: true, superuser: broken, premium: true }, sent("/dashboard", "toast.profileFailed")],
    ["superuser", { signedIn: true, superuser: true }, granted],
    ["superuser", { signedIn: true, superuser: false }, sent("/dashboard", "toast.accessDenied")],
    ["superuser", { signedIn: true, superuser: broken }, sent("/dashboard", "toast.profileFailed")],
    ["superuser", { signedIn: false, superuser: true }, sent("/signin", null)],
  ])("a page that needs %s, with %o", async (need, world, expected) => {
    expect(await visit(need, world).verdict).toEqual(expected);
  });

  it("lets the dashboard do without the profile, and says so: nobody can be sent there who is there", async () => {
    const world = { signedIn: true, superuser: broken };
    expect(await visit("signedIn", world, { isDashboard: true }).verdict).toEqual({
      granted: true,
      warning: "toast.profileFailed",
    });
  });

  it("says where it is, in the specification's order", async () => {
    const { verdict, stages } = visit("paid", { signedIn: true, superuser: false, premium: true });
    await verdict;
    expect(stages).toEqual(["authenticating", "loadingProfile", "checkingSubscription"]);
  });

  it("does not wait for a profile longer than ten seconds", async () => {
    const { verdict, clock, stages, actor } = visit("superuser", { signedIn: true });
    await expect.poll(() => stages.at(-1)).toBe("loadingProfile");
    clock.increment(9_999);
    expect(actor.getSnapshot().status).toBe("active");
    clock.increment(1);
    expect(await verdict).toEqual(sent("/dashboard", "toast.profileFailed"));
  });

  it("does not wait for a subscription longer than ten seconds", async () => {
    const { verdict, clock, stages } = visit("paid", { signedIn: true, superuser: false });
    await expect.poll(() => stages.at(-1)).toBe("checkingSubscription");
    clock.increment(10_000);
    expect(await verdict).toEqual(sent("/subscription", "toast.subscriptionFailed"));
  });
});
