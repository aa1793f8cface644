import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { selectIsPremium, selectSubscriptionFailed, selectSubscriptionStatus } from "#machines/subscription/machine.ts";
import { openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import {
  type Drives,
  HeldCalls,
  json,
  noAnswer,
  type Person,
  refusal,
  textOf,
  unlike,
  walkInBrowser,
} from "#tests/browser/harness-paths.ts";
import type { Walk } from "#tests/paths/harness-walk.ts";
import { type SubscriptionRig, subscriptionWalk, subscriptionWith } from "#tests/paths/subscription/machine.ts";
import billing from "../../../public/locales/en/subscription.json" with { type: "json" };
import english from "../../../public/locales/en/translation.json" with { type: "json" };

// The paths of the subscription machine, walked in a real browser: each state is what a person sees at the gate of a paid page, and on
// the page about the subscription, to which the gate sends who has none.

const shared = sharedParlance({ acrossFiles: true });
const leaving = "who leaves is gone from the page: tests/browser/session/end.test.ts";
const paidPage = "/encrypted-audio";
const minute = 60_000;

/** Without loading the page anew: what is in its memory is still there. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);

const isLoading = ({ actor }: SubscriptionRig) => actor.getSnapshot().matches({ fetch: "loading" });
const isPremium = ({ actor }: SubscriptionRig) => selectIsPremium(actor.getSnapshot());
/** What was known of a subscription that can't be fetched again opens no gate. */
const isLetIn = (rig: SubscriptionRig) => isPremium(rig) && !selectSubscriptionFailed(rig.actor.getSnapshot());

const places: Record<string, SubscriptionRig["at"]["place"]> = {
  "somebody wants to know": "gate",
  "somebody wants to know a minute later": "gate",
  "a checkout has ended": "subscription",
};

/** The walk, with what the gate does by itself: it leads to the page about the subscription, which asks anew. */
const gateWalk: Walk<SubscriptionRig> = {
  ...subscriptionWalk,
  moves: subscriptionWalk.moves.map((move) => ({
    ...move,
    happen: (rig, clock) => {
      const isAtGate = rig.at.place === "gate" && isLoading(rig);
      rig.at.place = places[move.name] ?? rig.at.place;
      move.happen(rig, clock);
      if (!isAtGate || isLoading(rig) || isLetIn(rig)) return;
      rig.at.place = "subscription";
      rig.actor.send({ type: "subscription.changed" });
    },
  })),
  situation: (rig, clock) => [subscriptionWalk.situation(rig, clock), rig.at.place],
};

function drivesOf(page: Page, calls: HeldCalls): Drives<SubscriptionRig> {
  const knock = async () => {
    await go(page, "/dashboard");
    await page.getByRole("heading", { name: english.nav.dashboard }).waitFor();
    await go(page, paidPage);
  };
  return {
    "somebody wants to know": { happen: knock },
    "somebody wants to know a minute later": {
      happen: async () => {
        await page.clock.fastForward(minute);
        await knock();
      },
    },
    // What a checkout leads back to asks anew, whatever is known; so does its button after a failure.
    "a checkout has ended": { may: (rig) => rig.at.place !== "subscription", happen: () => go(page, "/subscription") },
    "there is one": { happen: () => calls.answer(json(subscriptionWith("active"))) },
    "there is one that has ended": { happen: () => calls.answer(json(subscriptionWith("canceled"))) },
    "there is none": { happen: () => calls.answer(refusal(404)) },
    "it can't be had": { happen: () => calls.answer(noAnswer) },
  };
}

/** Where somebody is, and what they read. */
function wantedOf(rig: SubscriptionRig, step: string): { path: string; texts: string[] } {
  const snapshot = rig.actor.getSnapshot();
  if (step === "") return { path: "/dashboard", texts: [english.nav.dashboard] };
  if (rig.at.place === "gate")
    return { path: paidPage, texts: [isLoading(rig) ? english.checking.checkingSubscription : english.titles.encryptedAudio] };
  const isUnknown = selectSubscriptionStatus(snapshot) === "loading";
  const shown = isUnknown ? billing.loading : `${billing.plan}\n${isPremium(rig) ? billing.premium : billing.free}`;
  return { path: "/subscription", texts: [shown, ...(selectSubscriptionFailed(snapshot) ? [billing.detailsFailed] : [])] };
}

/** What the gate says to who is turned away by this answer. */
function messageOf(rig: SubscriptionRig, step: string, calls: number): string[] {
  if (rig.at.place !== "subscription" || !isLoading(rig) || calls < 2) return [];
  if (step === "it can't be had") return [english.toast.subscriptionFailed];
  return step.startsWith("there is") ? [english.toast.subscriptionNeeded] : [];
}

async function createPerson(page: Page): Promise<Person<SubscriptionRig>> {
  const calls = new HeldCalls();
  await page.clock.install();
  await page.route("**/subscriptions/account/subscription", (route) => calls.hold(route));
  await page.route("**/subscriptions/account/invoices", json({ invoices: [] }));
  const messages = page.getByRole("button", { name: english.toast.close, includeHidden: true });
  return {
    drives: drivesOf(page, calls),
    begin: async () => {
      calls.reset();
      await page.goto(shared.at("/dashboard"));
    },
    look: async (rig, step) => {
      const { path, texts } = wantedOf(rig, step);
      const is = { path: new URL(page.url()).pathname, text: await textOf(page) };
      const missing = [...texts, ...messageOf(rig, step, calls.made)].filter((text) => !is.text.includes(text));
      return unlike({
        [`${path}, not ${is.path}`]: is.path === path,
        [`“${missing.join("”, “")}”, but ${is.text}`]: missing.length === 0,
        [`${rig.fetchSubscription.times()} calls, not ${calls.made}`]: calls.made === rig.fetchSubscription.times(),
      });
    },
    // A message is not shown twice at the same time: the next one like it would not be seen.
    tidyUp: async () => {
      for (const message of await messages.all()) await message.dispatchEvent("click");
      while ((await messages.count()) > 0) await page.clock.runFor(50);
    },
    wait: () => setTimeout(20),
  };
}

test("every transition of the subscription that a page can make", async () => {
  const context = { reducedMotion: "reduce" } as const;
  await using visit = await openPage(shared.browser, { expected: [/Failed to load resource/], context });
  await openSignedIn(visit.page, shared.server, "/robots.txt");
  await walkInBrowser(gateWalk, await createPerson(visit.page), {
    "subscription.status: reset.requested → subscription.status.loading": leaving,
    "subscription.fetch: reset.requested → subscription.fetch.idle": leaving,
  });
});
