import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { lifeLeft } from "#machines/session/rules.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { type Drives, type Person, textOf, unlike, unsignedToken } from "#tests/browser/harness-paths.ts";
import { ada, start as modelStart } from "#tests/machines/session/rig.ts";
import type { WalkClock } from "#tests/paths/harness-stage.ts";
import type { SessionRig } from "#tests/paths/session/machine.ts";
import english from "../../../public/locales/en/translation.json" with { type: "json" };
import { context, createScript, drivesOf, type Hands, lacksProfile, part, type Script, write } from "./drives.ts";

// Somebody on the dashboard whose session goes the machine's ways. The list there can't be had, so that there always is a button that
// asks the server for something.

const day = 24 * 60 * 60_000;
const profileEndings = ["the profile can't be had", "somebody else's profile comes"];
const texts = {
  ...{ ...english.toast, ...english.checking },
  ...{ dashboard: english.nav.dashboard, signIn: english.account.signInTitle },
};

/** @param api of the server, for which everything is answered here @param at where a path of the page is */
export async function createSessionPerson(page: Page, api: string, at: (path: string) => string): Promise<Person<SessionRig>> {
  const other = await page.context().newPage();
  await other.goto(at("/robots.txt"));
  await page.clock.install({ time: modelStart - day });
  await page.clock.pauseAt(modelStart);
  await page.addInitScript(withoutDeadlines);
  return new SessionPerson(page, other, await createScript(page, api), at);
}

/**
 * The walk's clock does not move the time limits of requests, which would run out by the real one: on a slow machine the page would ask a
 * second time, beside a refresh whose answer the walk still holds back (src/features/session/hedge.ts, which has a test of its own).
 */
function withoutDeadlines(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => (ms < 1_000 ? timeout(ms) : new AbortController().signal);
}

class SessionPerson implements Person<SessionRig> {
  readonly #page: Page;
  readonly #script: Script;
  readonly #at: (path: string) => string;
  readonly drives: Drives<SessionRig>;
  /** When a path begins, on the page's clock (epoch ms). */
  #base = modelStart;
  /** A guard waits for the profile, for as long as it takes (machines/session/access.ts). */
  #waits = false;

  /** @param other does what other tabs do */
  constructor(page: Page, other: Page, script: Script, at: (path: string) => string) {
    this.#page = page;
    this.#script = script;
    this.#at = at;
    const hands: Hands = { page, other, script, tokenOf: (rig) => this.#tokenOf(rig), timeOf: (rig) => this.#timeOf(rig) };
    this.drives = drivesOf(hands);
  }

  #timeOf(rig: SessionRig): number {
    return this.#base + rig.now() - modelStart;
  }

  /** The machine's token, with the time as the page has it. */
  #tokenOf(rig: SessionRig): string | null {
    const { token } = context(rig);
    if (token === null) return null;
    return unsignedToken({ sub: token.userId, sid: token.value, exp: (token.expiresAt - modelStart + this.#base) / 1000 });
  }

  async begin(rig: SessionRig): Promise<void> {
    await this.#page.goto(this.#at("/robots.txt"));
    this.#base = Math.ceil((await this.#page.evaluate(() => Date.now())) / day + 1) * day;
    await this.#page.clock.pauseAt(this.#base);
    this.#script.reset();
    const token = this.#tokenOf(rig);
    await write(this.#page, token, ada);
    // The page goes on when the clock does: HTML is taken over as the walk looks.
    await this.#page.goto(this.#at(token === null ? "/signin" : "/dashboard"), { waitUntil: "load" });
  }

  async look(rig: SessionRig, step: string): Promise<string[]> {
    const isSettled = part(rig).profile === "missing" || selectUser(rig.actor.getSnapshot()) !== null;
    if (context(rig).token === null || isSettled) this.#waits = false;
    else if (lacksProfile(rig)) this.#waits = true;
    const { refresh, logout, profile } = this.#script;
    const path = new URL(this.#page.url()).pathname;
    const [stored, text] = await Promise.all([storageOf(this.#page), textOf(this.#page)]);
    return unlike({
      ...screenChecks(rig, { path, text, step, waits: this.#waits }),
      [`the storage has ${JSON.stringify(rig.storage())}, not ${JSON.stringify(stored)}`]:
        stored.token === rig.storage().token && stored.user === rig.storage().user,
      [`${rig.refresh.times()} refresh calls, not ${refresh.made}`]: refresh.made === rig.refresh.times(),
      [`${rig.logout.times()} logout calls, not ${logout.made}`]: logout.made === rig.logout.times(),
      [`${rig.loadProfile.times()} calls for the profile, not ${profile.made}`]: profile.made === rig.loadProfile.times(),
    });
  }

  /** A message is not shown twice at the same time: the next one like it would not be seen. */
  async tidyUp(rig: SessionRig, clock: WalkClock): Promise<void> {
    if (part(rig).refresh !== "idle" || part(rig).leaving !== "staying") return;
    const messages = this.#page.getByRole("button", { name: "Close", includeHidden: true });
    for (const message of await messages.all()) await message.dispatchEvent("click");
    while ((await messages.count()) > 0) {
      await setTimeout(20);
      await this.#pass(50, clock);
    }
  }

  /**
   * Time stands still but for what a page needs to go on: a loading screen comes after a while, and stays for a while. A machine that is
   * slow has more time than the page, whose timers must not run off meanwhile.
   */
  async wait(tries: number, clock: WalkClock): Promise<void> {
    if (tries >= 36) await setTimeout(50);
    await this.#pass(tries < 12 || tries >= 36 ? 1 : tries < 25 ? 12 : 50, clock);
  }

  async #pass(ms: number, clock: WalkClock): Promise<void> {
    await this.#page.clock.runFor(ms);
    clock.increment(ms);
  }
}

interface Stored {
  /** By the name that the machine knows it by. */
  token: unknown;
  /** Whose profile it is. */
  user: unknown;
}

async function storageOf(page: Page): Promise<Stored> {
  const [token, state] = await page.evaluate(() => ["jwtToken", "persist:root"].map((key) => localStorage.getItem(key)));
  const claims = token?.split(".")[1];
  return {
    token: claims === undefined ? null : JSON.parse(Buffer.from(claims, "base64url").toString()).sid,
    user: state ? (JSON.parse(state).user?.id ?? null) : null,
  };
}

interface Seen {
  path: string;
  text: string;
  /** The last step's name; "" at the beginning. */
  step: string;
  /** A guard, for the profile. */
  waits: boolean;
}

/** What a person reads. */
function screenChecks(rig: SessionRig, { path, text, step, waits }: Seen): Record<string, boolean> {
  const shows = (wanted: string) => ({ [`“${wanted}” at ${path}: ${text.slice(0, 500)}`]: text.includes(wanted) });
  if (context(rig).token === null) {
    const reason = rig.memory.reasons.at(-1);
    // Where nobody is signed in, the event purges what is left, and says nothing.
    const isTold = reason !== undefined && (step !== "forceLogout.heard" || reason === "forced");
    const message = reason === "signedOut" ? texts.signedOut : texts.sessionExpired;
    return { "the sign-in page": path === "/signin", ...shows(texts.signIn), ...(isTold ? shows(message) : {}) };
  }
  if (step === "" && lifeLeft(context(rig)) === 0) return shows(texts.authenticating);
  if (waits) return shows(texts.loadingProfile);
  const isMissing = profileEndings.includes(step) ? shows(texts.profileFailed) : {};
  return { "the dashboard": path === "/dashboard", ...shows(texts.dashboard), ...isMissing };
}
