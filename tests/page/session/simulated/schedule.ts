import { backOffWindow, maxFailures } from "#machines/session/rules.ts";
import { hedgeAfter } from "#src/features/session/hedge.ts";
import { minute, second } from "#tests/machines/session/harness.ts";
import { type Browser, type Ended, openBrowser, type Tab } from "./browser.ts";
import type { Exchange, WeatherName } from "./network.ts";
import { createDice, type Dice, SimulatedTime } from "./time.ts";

/** The longest time in ms that anything may wait for the session. */
const mayWait = 15 * second;
const hour = 60 * minute;

interface Disturbance {
  /** Timers and clocks disagree around this time. */
  at: number;
}

/** @returns the faults of these schedules, each with the seed that repeats it */
export async function runSchedules(first: number, last: number): Promise<string[]> {
  const wrong: string[] = [];
  for (let seed = first; seed <= last; seed++) {
    for (const sentence of await runSchedule(seed)) wrong.push(`seed ${seed}: ${sentence}`);
  }
  return wrong;
}

/** Runs one schedule of user actions, faults and time, and returns what the session did wrong. */
async function runSchedule(seed: number): Promise<string[]> {
  const dice = createDice(seed);
  const time = new SimulatedTime();
  const browser = openBrowser(time, dice);
  browser.server.accessSeconds = dice.pick([330, 360, 900, 120, 20]);
  const tabs: Tab[] = Array.from({ length: dice.between(1, 4) }, () => browser.openTab());
  const signOuts: number[] = [];
  const disturbances: Disturbance[] = [];
  void tabs[0]?.signIn();
  await time.pass(second);

  // In one of eight schedules, refreshes fail for a long time while the user signs in repeatedly.
  const isFailing = dice.chance(0.125);
  const steps = dice.between(4, 12);
  for (let step = 0; step < steps; step++) {
    browser.network.weather = dice.pick<WeatherName>(["good", "good", "poor", "poor", "awful", "offline", "failing"]);
    if (isFailing) browser.network.weather = "failing";
    await act({ dice, time, browser, tabs, signOuts, disturbances });
    await time.pass(dice.chance(0.7) ? dice.between(0, 20_000) : dice.between(20_000, 120_000));
  }
  const wrong = await recover(time, browser, tabs);
  for (const tab of tabs) tab.close();
  await time.pass(2 * minute);
  return [
    ...wrong,
    ...tooLong(browser),
    ...unfounded(browser, signOuts, disturbances),
    ...tooOften(browser, disturbances),
    ...beside(browser),
  ];
}

interface Scene {
  dice: Dice;
  time: SimulatedTime;
  browser: Browser;
  tabs: Tab[];
  signOuts: number[];
  disturbances: Disturbance[];
}

/** The next action of a user or event of the environment. */
async function act(scene: Scene): Promise<void> {
  const { dice, time, browser, tabs } = scene;
  const tab = tabs[dice.between(0, tabs.length - 1)];
  if (tab === undefined) return;
  if (tab.token() === undefined && dice.chance(0.7)) {
    void tab.signIn();
    return;
  }
  const roll = dice.next();
  if (roll < 0.45) burst(dice, dice.chance(0.3) ? tabs : [tab]);
  else if (roll < 0.65) {
    browser.server.refuseAccessTokens();
    burst(dice, dice.chance(0.5) ? tabs : [tab]);
  } else if (roll < 0.73) await sleep(scene, dice.pick([minute, 10 * minute, 8 * hour]));
  else if (roll < 0.81) {
    scene.disturbances.push({ at: time.elapsed });
    time.skew += dice.pick([2 * hour, -2 * hour, 90 * second, -90 * second]);
  } else if (roll < 0.85) {
    scene.signOuts.push(tab.number);
    tab.session.send({ type: "signOut.requested" });
  } else if (roll < 0.9 && tabs.length < 5) tabs.push(browser.openTab());
  else if (roll < 0.95 && tabs.length > 1) tabs.splice(tabs.indexOf(tab), 1)[0]?.close();
  else tab.resume();
}

function burst(dice: Dice, tabs: readonly Tab[]): void {
  for (const tab of tabs) for (let left = dice.between(1, 6); left > 0; left--) void tab.call();
}

/** Breaks connections, pauses timers, and resumes every tab as the browser does. */
async function sleep({ time, browser, tabs, disturbances }: Scene, ms: number): Promise<void> {
  disturbances.push({ at: time.elapsed });
  time.sleep(ms);
  browser.network.cutAll();
  for (const tab of tabs) tab.resume();
  await time.pass(0);
}

/** Checks that every tab works again with a good network: a signed-in user's calls succeed, and others can sign in. */
async function recover(time: SimulatedTime, browser: Browser, tabs: readonly Tab[]): Promise<string[]> {
  browser.network.weather = "good";
  browser.server.accessSeconds = 900;
  for (const tab of tabs) tab.resume();
  // By then the browser has closed hanging connections, and no tab is backing off.
  await time.pass(3 * minute);
  // A session that the server has ended ends here, as in SPEC.md section 4.
  for (const tab of tabs) void tab.call();
  await time.pass(minute);
  const first = tabs[0];
  if (first === undefined) return ["no tab is left"];
  if (first.token() === undefined) void first.signIn();
  await time.pass(minute);
  const last = tabs.map((tab) => tab.call());
  await time.pass(minute);
  const wrong: string[] = [];
  for (const made of await Promise.all(last))
    if (made.status !== 200) wrong.push(`tab ${made.tab} does not recover: ${made.status}`);
  const held = new Set(tabs.flatMap((tab) => [tab.token(), tab.stored()]));
  if (held.size !== 1) wrong.push(`tabs do not agree: ${held.size} tokens`);
  return wrong;
}

function tooLong({ calls }: Browser): string[] {
  return calls.flatMap(({ tab, begunAt, endedAt, longestWait }) => {
    if (endedAt === null) return [`a call of tab ${tab} at ${begunAt} never ended`];
    return longestWait > mayWait ? [`a call of tab ${tab} at ${begunAt} waited ${longestWait} ms for the session`] : [];
  });
}

const isFailure = ({ outcome }: Exchange) => outcome === "unreadable" || (typeof outcome === "number" && outcome >= 300);
const refreshesOf = ({ network }: Browser, tab: number) =>
  network.exchanges.filter((exchange) => exchange.tab === tab && exchange.path === "/auth/refresh");

/** Sessions that ended without a reason of SPEC.md section 4. */
function unfounded(browser: Browser, signOuts: readonly number[], disturbances: readonly Disturbance[]): string[] {
  return browser.ends.flatMap((end) => {
    if (isFounded(browser, end, signOuts, disturbances)) return [];
    return [`tab ${end.tab} was signed out (${end.reason}) at ${end.at} for no reason`];
  });
}

function isFounded(browser: Browser, end: Ended, signOuts: readonly number[], disturbances: readonly Disturbance[]): boolean {
  const { tab, reason, at, lifeLeft } = end;
  if (reason === "signedOut") return signOuts.includes(tab);
  if (reason === "elsewhere") {
    return browser.ends.some((other) => other.tab !== tab && other.reason !== "elsewhere" && other.at <= at);
  }
  const ended = refreshesOf(browser, tab).filter(({ endedAt }) => endedAt !== null && endedAt <= at);
  if (reason === "forced" || (reason === "refused" && isBackingOff(browser, tab, at))) {
    return isBackingOff(browser, tab, at) || disturbances.some((one) => Math.abs(one.at - at) < backOffWindow);
  }
  if (ended.some((exchange) => exchange.endedAt === at && isFailure(exchange))) return true;
  // There was no answer until the token expired.
  return lifeLeft <= 0 && ended.some(({ outcome }) => outcome === "network");
}

/**
 * Whether a tab had another token before the answer; then the answer does not count.
 * @param from a change in the same millisecond as the refresh's begin may have come before or after it; the caller
 *   decides
 */
function isLeft({ changes }: Browser, { tab, begunAt }: Exchange, before: number, from = begunAt + 1): boolean {
  return changes.some((change) => change.tab === tab && change.at >= from && change.at < before);
}

/** Whether the network saw three failures since the last success, the last one less than 30 s ago. */
function isBackingOff(browser: Browser, tab: number, at: number): boolean {
  let failures = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const exchange of refreshesOf(browser, tab)) {
    if (exchange.endedAt === null || exchange.endedAt >= at) continue;
    // A missing answer counts if it ended the session.
    const isLast = exchange.outcome === "network" && browser.ends.some((end) => end.tab === tab && end.at === exchange.endedAt);
    if (exchange.outcome === 200) failures = 0;
    else if ((isFailure(exchange) && !isLeft(browser, exchange, exchange.endedAt)) || isLast) {
      failures += 1;
      lastAt = exchange.endedAt;
    }
  }
  return failures >= maxFailures && at - lastAt < backOffWindow;
}

/** Refreshes that a tab sent within 30 s of the failure that made it back off. */
function tooOften(browser: Browser, disturbances: readonly Disturbance[]): string[] {
  return tabsOf(browser).flatMap((tab) =>
    refreshesOf(browser, tab).flatMap(({ begunAt }) => {
      const isDisturbed = disturbances.some((one) => one.at <= begunAt && begunAt - one.at < backOffWindow);
      return isBackingOff(browser, tab, begunAt) && !isDisturbed ? [`tab ${tab} asked at ${begunAt}, while backing off`] : [];
    }),
  );
}

/** Simultaneous refreshes in one tab: one at a time is allowed, and a second one (the hedge) if there is no answer. */
function beside(browser: Browser): string[] {
  return tabsOf(browser).flatMap((tab) => {
    const all = refreshesOf(browser, tab);
    return all.flatMap((one, index) => {
      const open = all
        .slice(0, index)
        .filter(
          (other) =>
            (other.endedAt === null || other.endedAt > one.begunAt) && !isLeft(browser, other, one.begunAt, other.begunAt),
        );
      const isHedge = open.length === 1 && one.begunAt - (open[0]?.begunAt ?? 0) >= hedgeAfter;
      return open.length === 0 || isHedge ? [] : [`tab ${tab} asked ${open.length + 1} times at once at ${one.begunAt}`];
    });
  });
}

const tabsOf = ({ network }: Browser) => [...new Set(network.exchanges.map(({ tab }) => tab))];
