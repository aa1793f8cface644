import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import english from "../../public/locales/en/translation.json" with { type: "json" };
import { accessWalk } from "../paths/access.ts";
import { selectPaths } from "../paths/harness-selection.ts";
import { createRun, type Path, pathsThrough } from "../paths/harness-walk.ts";
import { openPage, sharedParlance, signUp } from "./harness.ts";
import { unsignedToken } from "./harness-paths.ts";

// The paths of the access machine, walked in a real browser: each state is what a person sees.

const shared = sharedParlance();

const pages: Record<string, string> = {
  "the dashboard": "/dashboard",
  "a page for whoever is signed in": "/settings",
  "a page that is paid for": "/encrypted-audio",
  "a page for superusers": "/admin",
};
const subscription = { id: "s1", plan: "premium", interval: "month", currentPeriodEnd: null, cancelAtPeriodEnd: false };
const profileCall = "**/users/me";
const subscriptionCall = "**/subscriptions/account/subscription";

/** What the scripted API answers; nothing is said of it to the page before the person has seen the state that waits for it. */
type Answer = (route: Route) => Promise<void>;
const broken: Answer = (route) => route.fulfill({ status: 500, json: { message: "no" } });
const profile =
  (isSuperUser: boolean): Answer =>
  async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), isSuperUser } });
  };
const answers: Record<string, { call: string; seen: string; answer: Answer }> = {
  "a superuser's profile comes": { call: profileCall, seen: english.checking.loadingProfile, answer: profile(true) },
  "a person's profile comes": { call: profileCall, seen: english.checking.loadingProfile, answer: profile(false) },
  "the profile can't be had": { call: profileCall, seen: english.checking.loadingProfile, answer: broken },
  "they have subscribed": {
    ...{ call: subscriptionCall, seen: english.checking.checkingSubscription },
    answer: (route) => route.fulfill({ json: { ...subscription, status: "active" } }),
  },
  "they have not subscribed": {
    ...{ call: subscriptionCall, seen: english.checking.checkingSubscription },
    answer: (route) => route.fulfill({ status: 404, json: { code: "notFound", message: "" } }),
  },
  "the subscription can't be had": { call: subscriptionCall, seen: english.checking.checkingSubscription, answer: broken },
};

/** Where the machine itself says that a path leads. */
function verdictOf({ start, steps }: Path) {
  const { rig, move, stop } = createRun(accessWalk, "at once")(start);
  for (const name of steps) move(name);
  const { output } = rig.actor.getSnapshot();
  stop();
  return output;
}

/** The first call waits until it is let go; later ones (where somebody is sent, a guard stands as well) reach the server. */
async function hold(page: Page, call: string) {
  const waiting: Route[] = [];
  let held = 0;
  await page.route(call, (route) => {
    held += 1;
    if (held === 1) waiting.push(route);
    else void route.continue();
  });
  return async (answer: Answer) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    for (const route of waiting.splice(0)) await answer(route);
  };
}

async function take(page: Page, { start, steps }: Path): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const release: Record<string, (answer: Answer) => Promise<void>> = {
    [profileCall]: await hold(page, profileCall),
    [subscriptionCall]: await hold(page, subscriptionCall),
  };
  await page.goto(new URL(pages[start] ?? "/", shared.server.url).href);
  let waitsFor: string = english.checking.loadingProfile;
  for (const name of steps) {
    const step = answers[name];
    if (step !== undefined) {
      await page.getByText(step.seen).waitFor();
      await release[step.call]?.(step.answer);
      waitsFor = english.checking.checkingSubscription;
    } else if (name === "the next timer") {
      await page.getByText(waitsFor).waitFor();
      await page.clock.fastForward(10_000);
      waitsFor = english.checking.checkingSubscription;
    }
  }
}

async function seeVerdict(page: Page, path: Path): Promise<void> {
  const verdict = verdictOf(path);
  if (verdict === undefined) throw new Error(`${path.steps.join(" → ")} leads nowhere`);
  const texts: Record<string, string> = english.toast;
  const toast = verdict.granted ? verdict.warning : verdict.denial.toast;
  if (toast !== null)
    await page
      .getByText(texts[toast.replace("toast.", "")] ?? toast)
      .first()
      .waitFor();
  // Where somebody is sent, the guard waits for the same silence again.
  if (!verdict.granted && path.steps.includes("the next timer")) await page.clock.fastForward(10_000);
  const wanted = verdict.granted ? pages[path.start] : verdict.denial.to;
  await expect.poll(() => new URL(page.url()).pathname).toBe(wanted);
  // The pending screen has none.
  await page.locator("h1").first().waitFor();
}

const undecided = "nobody knows who is signed in";
const all = pathsThrough(accessWalk).filter(({ steps }) => steps.length > 0);
const through = (step: string) => all.filter(({ steps }) => steps.includes(step));
const signedIn = through("somebody is signed in");
const visitors = through("nobody is signed in");

test("all transitions are walked here", () => {
  expect([...signedIn, ...visitors, ...through(undecided)]).toHaveLength(all.length);
  expect(selectPaths(accessWalk).missed).toEqual([]);
});

test("every path of somebody who is signed in", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/, /500/, /Failed to load/] });
  const { page } = visit;
  await signUp(page, shared.server.url);
  await page.clock.install();
  for (const path of signedIn) {
    // The profile is asked for when nobody remembers it; a page of the last path would still write it down.
    await page.goto(new URL("/locales/en/debug.json", shared.server.url).href);
    await page.evaluate(() => localStorage.removeItem("persist:root"));
    await take(page, path);
    await seeVerdict(page, path);
  }
  expect(signedIn.length).toBeGreaterThan(20);
});

test("every path of a visitor", async () => {
  await using visit = await openPage(shared.browser);
  for (const path of visitors) {
    await take(visit.page, path);
    await seeVerdict(visit.page, path);
  }
  expect(visitors.length).toBeGreaterThan(3);
});

test("every path of a session of which nobody knows", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.route("**/auth/refresh", () => {});
  await page.clock.install();
  const expired = unsignedToken({ sub: "somebody", exp: Date.now() / 1000 - 60 });
  for (const path of through(undecided)) {
    await page.goto(shared.at("/locales/en/debug.json"));
    await page.evaluate((token) => localStorage.setItem("jwtToken", token), expired);
    await page.goto(shared.at(pages[path.start] ?? "/"));
    await page.getByText(english.checking.authenticating).waitFor();
    await page.clock.fastForward(20_000);
    // The sign-in page waits too, for less long.
    await page.getByText(english.toast.authCheckFailed).waitFor();
    await page.clock.fastForward(5_000);
    await page.getByRole("heading", { name: english.account.signInTitle }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/signin");
  }
});
