import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { type Call, onCalls } from "#tests/browser/harness-calls.ts";
import { type Answer, json, refusal, unsignedToken } from "#tests/browser/harness-paths.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { createRun } from "#tests/paths/harness-run.ts";
import { selectPaths } from "#tests/paths/harness-selection.ts";
import { type Path, pathsThrough } from "#tests/paths/harness-walk.ts";
import { accessWalk } from "#tests/paths/session/access.ts";
import english from "../../../../public/locales/en/translation.json" with { type: "json" };

// The paths of the access machine, walked in a real browser: each state is what a person sees.

const shared = sharedParlance();

const pages: Record<string, string> = {
  "the dashboard": "/dashboard",
  "a page for whoever is signed in": "/settings",
  "a page that is paid for": "/encrypted-audio",
  "a page for superusers": "/admin",
};
const subscription = { id: "s1", plan: "premium", interval: "month", currentPeriodEnd: null, cancelAtPeriodEnd: false };
const profileCall = "*/users/me";
const subscriptionCall = "*/subscriptions/account/subscription";
const vaultCall = "*/api/v1/encrypted-audio";

/** What the scripted API answers; nothing is said of it to the page before the person has seen the state that waits for it. */
const broken = refusal(500);
const profile =
  (isSuperUser: boolean, lacksSecondFactor = false): Answer =>
  async (call) => {
    const { url, headers } = call.request();
    const response = await fetch(url(), { headers: headers() });
    await json({ ...(await response.json()), isSuperUser, lacksSecondFactor }, response.status)(call);
  };
const { loadingProfile, verifyingPermissions, checkingSubscription } = english.checking;
const answers: Record<string, { call: string; seen: string; answer: Answer }> = {
  "the profile comes": { call: profileCall, seen: loadingProfile, answer: profile(false) },
  "the profile can't be had": { call: profileCall, seen: loadingProfile, answer: broken },
  // By the same call: what this browser remembers of it may be out of date.
  "they are a superuser": { call: profileCall, seen: verifyingPermissions, answer: profile(true) },
  "they are a superuser without the second factor that is wanted": {
    ...{ call: profileCall, seen: verifyingPermissions },
    answer: profile(true, true),
  },
  "they are no superuser": { call: profileCall, seen: verifyingPermissions, answer: profile(false) },
  "nobody can say what they may": { call: profileCall, seen: verifyingPermissions, answer: broken },
  "they have subscribed": {
    ...{ call: subscriptionCall, seen: checkingSubscription },
    answer: json({ ...subscription, status: "active" }),
  },
  "they have not subscribed": {
    ...{ call: subscriptionCall, seen: checkingSubscription },
    answer: json({ code: "notFound", message: "" }, 404),
  },
  // What was kept while there was a subscription can be had without one.
  "they have a vault": {
    ...{ call: vaultCall, seen: checkingSubscription },
    answer: json({ vault: { recipient: "age1x", sealed: "", recoverySealed: "", revision: 0 }, items: [] }),
  },
  "they have no vault": { call: vaultCall, seen: checkingSubscription, answer: json({ vault: null, items: [] }) },
  "nobody knows of a vault": { call: vaultCall, seen: checkingSubscription, answer: broken },
  "the subscription can't be had": { call: subscriptionCall, seen: checkingSubscription, answer: broken },
};

/** Where the machine itself says that a path leads. */
function verdictOf({ start, steps }: Path) {
  const { rig, move, stop } = createRun(accessWalk, "at once")(start);
  for (const name of steps) move(name);
  const { output } = rig.actor.getSnapshot();
  stop();
  return output;
}

/** The first `many` calls wait until they are let go; later ones (where somebody is sent, a guard stands as well) reach the server. */
async function hold(page: Page, address: string, many: number) {
  const waiting: Call[] = [];
  let held = 0;
  const stop = await onCalls(page, address, (call) => {
    held += 1;
    if (held <= many) waiting.push(call);
    else void call.continue();
  });
  const release = async (answer: Answer) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    for (const call of waiting.splice(0)) await answer(call);
  };
  return { release, stop };
}

/** @returns how the holding back ends */
async function take(page: Page, { start, steps }: Path): Promise<() => Promise<void>> {
  const asks = (call: string) =>
    Math.max(1, steps.filter((name) => answers[name]?.call === call).length + unanswered(steps, call));
  const held: Record<string, Awaited<ReturnType<typeof hold>>> = {
    [profileCall]: await hold(page, profileCall, asks(profileCall)),
    [subscriptionCall]: await hold(page, subscriptionCall, asks(subscriptionCall)),
    [vaultCall]: await hold(page, vaultCall, asks(vaultCall)),
  };
  await page.goto(new URL(pages[start] ?? "/", shared.server.url).href);
  for (const name of steps) {
    const step = answers[name];
    if (step !== undefined) {
      await page.getByText(step.seen).waitFor();
      await held[step.call]?.release(step.answer);
    } else if (name === "the next timer") {
      await page
        .getByRole("status")
        .getByText(/\.\.\.$/)
        .waitFor();
      await becomesSlow(page);
    } else if (name === "leave.requested") {
      await page.getByRole("button", { name: english.checking.leave }).click();
    }
  }
  return async () => {
    for (const { stop } of Object.values(held)) await stop();
  };
}

/** The ten seconds begin when the guard does: where the screen that is seen was there before, a moment later. */
async function becomesSlow(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await page.getByText(english.checking.slow).waitFor({ timeout: 1_000 });
  }).toPass({ timeout: timeLimit(20_000) });
}

/** A person leaves while a call is still held back. */
function unanswered(steps: readonly string[], call: string): number {
  return steps.at(-1) === "leave.requested" && call === profileCall ? 1 : 0;
}

async function seeVerdict(page: Page, path: Path): Promise<void> {
  const verdict = verdictOf(path);
  if (verdict === undefined) throw new Error(`${path.steps.join(" → ")} leads nowhere`);
  const { errors, toast: toasts } = english;
  const texts: Record<string, string> = { ...errors, ...toasts };
  const toast = verdict.granted ? verdict.warning : verdict.denial.toast;
  if (toast !== null)
    await page
      .getByText(texts[toast.replace(/^(toast|errors)\./, "")] ?? toast)
      .first()
      .waitFor();
  const wanted = verdict.granted ? pages[path.start] : verdict.denial.to;
  await expect(page).toHaveURL((url: URL) => url.pathname === wanted);
  // The pending screen has none.
  await page.locator("h1").first().waitFor();
}

/** What a person can do: who reads that it is slow may leave, and a session that is stored is known at once. */
const all = pathsThrough(accessWalk).filter(({ steps }) => !steps.includes("retry.requested"));
const first = (step: string) =>
  all.filter(({ steps }) => {
    const leaves = steps.indexOf("leave.requested");
    return steps[0] === step && (leaves < 0 || steps.includes("the next timer"));
  });
const signedIn = first("somebody is signed in");
const visitors = first("nobody is signed in");

test("every transition that the machine has is on some path", () => {
  expect(selectPaths(accessWalk).missed).toEqual([]);
});

test("every path of somebody who is signed in", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/, /500/, /Failed to load/] });
  const { page } = visit;
  await enter(page, shared.server);
  await page.clock.install();
  for (const path of signedIn) {
    // The profile is asked for when nobody remembers it; a page of the last path would still write it down.
    await page.goto(new URL("/locales/en/inspection.json", shared.server.url).href);
    await page.evaluate(() => localStorage.removeItem("persist:root"));
    const stop = await take(page, path);
    await seeVerdict(page, path);
    await stop();
  }
  expect(signedIn.length).toBeGreaterThan(20);
});

test("every path of a visitor", async () => {
  await using visit = await openPage(shared.browser);
  for (const path of visitors) {
    const stop = await take(visit.page, path);
    await seeVerdict(visit.page, path);
    await stop();
  }
  expect(visitors.length).toBeGreaterThan(3);
});

describe("a session of which nobody knows", () => {
  const expired = () => unsignedToken({ sub: "somebody", exp: Date.now() / 1000 - 60 });

  test.each(Object.values(pages))("%s: a server that can't be asked is reported, and leads to /signin", async (path) => {
    await using visit = await openPage(shared.browser, { expected: [/ERR_FAILED/] });
    const { page } = visit;
    await onCalls(page, "*/auth/refresh", (call) => call.abort());
    await page.clock.install();
    await page.goto(shared.at("/locales/en/inspection.json"));
    await page.evaluate((token) => localStorage.setItem("jwtToken", token), expired());
    await page.goto(shared.at(path));
    await page.getByText(english.checking.authenticating).waitFor();
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(2_000);
          return page.getByText(english.toast.authCheckFailed).count();
        },
        { intervals: [50] },
      )
      .toBe(1);
    await page.getByRole("heading", { name: english.account.signInTitle }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/signin");
  });

  test("a server that says nothing is waited for; after ten seconds the person may leave", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await onCalls(page, "*/auth/refresh", () => {});
    await page.clock.install();
    await page.goto(shared.at("/locales/en/inspection.json"));
    await page.evaluate((token) => localStorage.setItem("jwtToken", token), expired());
    await page.goto(shared.at("/settings"));
    await page.getByText(english.checking.authenticating).waitFor();
    await page.clock.fastForward(10_000);
    await page.getByText(english.checking.slow).waitFor();
    await page.clock.fastForward(600_000);
    await page.getByText(english.checking.authenticating).waitFor();
    await page.getByRole("button", { name: english.checking.leave }).click();
    await page.waitForURL((url) => url.pathname === "/");
  });
});

test("who tries again has the server asked again; a late answer lets them in", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enter(page, shared.server);
  await page.clock.install();
  await page.goto(shared.at("/locales/en/inspection.json"));
  await page.evaluate(() => localStorage.removeItem("persist:root"));
  const asked: Call[] = [];
  await onCalls(page, profileCall, (call) => asked.push(call));
  await page.goto(shared.at("/feedback"));
  await page.getByText(loadingProfile).waitFor();
  await page.clock.fastForward(10_000);
  const again = page.getByRole("button", { name: english.checking.retry });
  await again.click();
  await expect.poll(() => asked.length).toBe(2);
  await again.waitFor({ state: "detached" });
  await page.clock.fastForward(60_000);
  await again.waitFor();
  await asked[1]?.continue();
  await page.getByRole("heading", { level: 1, name: english.titles.feedback }).waitFor();
});
