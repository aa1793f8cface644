import type { Page } from "playwright-core";
import { test } from "vitest";
import { selectIsPremium } from "../../machines/subscription.ts";
import app from "../../public/locales/en/app.json" with { type: "json" };
import english from "../../public/locales/en/translation.json" with { type: "json" };
import { type SubscriptionRig, subscriptionWalk, subscriptionWith, toldUsage } from "../paths/subscription.ts";
import { openPage, sharedParlance, signUp } from "./harness.ts";
import { type Drives, HeldCalls, json, noAnswer, type Person, refusal, textOf, unlike, walkInBrowser } from "./harness-paths.ts";

// The paths of the subscription machine, walked in a real browser: each state is what a person sees at the gate of a paid page.

const shared = sharedParlance();
const paidPage = "/encrypted-audio";
const minute = 60_000;

/** Without loading the page anew: what is in its memory is still there. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);

const isLoading = ({ actor }: SubscriptionRig) => actor.getSnapshot().matches("loading");

function drivesOf(page: Page, calls: HeldCalls): Drives<SubscriptionRig> {
  const knock = async () => {
    await go(page, "/settings");
    await page.getByRole("heading", { name: english.titles.settings, level: 1 }).waitFor();
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
    "there is one": { happen: () => calls.answer(json(subscriptionWith("active"))) },
    "there is one that has ended": { happen: () => calls.answer(json(subscriptionWith("canceled"))) },
    "there is none": { happen: () => calls.answer(refusal(404)) },
    "it can't be had": { happen: () => calls.answer(noAnswer) },
    "the minutes are told": { may: (rig) => !isLoading(rig), happen: () => go(page, "/speech-to-text") },
  };
}

/** Where somebody is, and what they read. */
function wantedOf({ actor }: SubscriptionRig, step: string): { path: string; text: string } {
  const snapshot = actor.getSnapshot();
  if (step === "") return { path: "/dashboard", text: app.history.title };
  if (step === "the minutes are told") return { path: "/speech-to-text", text: app.usage.used.replace("{{used}}", "9.0").replace("{{limit}}", "10") };
  if (snapshot.matches("loading")) return { path: paidPage, text: english.checking.checkingSubscription };
  if (snapshot.matches("failed")) return { path: "/subscription", text: english.toast.subscriptionFailed };
  if (selectIsPremium(snapshot)) return { path: paidPage, text: english.titles.encryptedAudio };
  return { path: "/subscription", text: english.toast.subscriptionNeeded };
}

async function createPerson(page: Page): Promise<Person<SubscriptionRig>> {
  const calls = new HeldCalls();
  await page.clock.install();
  await page.route("**/subscriptions/account/subscription", (route) => calls.hold(route));
  await page.route("**/api/v1/usage", json(toldUsage));
  const messages = page.getByRole("button", { name: english.toast.close, includeHidden: true });
  return {
    drives: drivesOf(page, calls),
    begin: async () => {
      calls.reset();
      await page.goto(shared.at("/dashboard"));
    },
    look: async (rig, step) => {
      const { path, text } = wantedOf(rig, step);
      const is = { path: new URL(page.url()).pathname, text: await textOf(page) };
      return unlike({
        [`${path}, not ${is.path}`]: is.path === path,
        [`“${text}”, but ${is.text}`]: is.text.includes(text),
        [`${rig.fetchSubscription.times()} calls, not ${calls.made}`]: calls.made === rig.fetchSubscription.times(),
      });
    },
    // A message is not shown twice at the same time: the next one like it would not be seen.
    tidyUp: async () => {
      for (const message of await messages.all()) await message.dispatchEvent("click");
      while ((await messages.count()) > 0) await page.clock.runFor(50);
    },
    wait: () => page.clock.runFor(20),
  };
}

const noCheckout = "/subscription-success, where a checkout ends, does not tell so yet (issue 5)";

test("every transition of the subscription that a page can make", async () => {
  const context = { reducedMotion: "reduce" } as const;
  await using visit = await openPage(shared.browser, { expected: [/Failed to load resource/], context });
  await signUp(visit.page, shared.server.url);
  await walkInBrowser(subscriptionWalk, await createPerson(visit.page), {
    "subscription.loading: changed → subscription.loading": noCheckout,
    "subscription.succeeded: changed → subscription.loading": noCheckout,
    "subscription.failed: changed → subscription.loading": noCheckout,
  });
});
