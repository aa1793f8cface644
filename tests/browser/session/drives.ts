import type { Page } from "playwright-core";
import { lifeLeft } from "#machines/session/rules.ts";
import { selectIsProfileMissing, selectUser } from "#machines/session/selectors.ts";
import { onCalls } from "#tests/browser/harness-calls.ts";
import { expect } from "#tests/browser/harness-expect.ts";
import { type Drives, HeldCalls, json, noAnswer, refusal } from "#tests/browser/harness-paths.ts";
import { ada } from "#tests/machines/session/rig.ts";
import type { SessionRig } from "#tests/paths/session/machine.ts";

// How the session's moves are made in a page.

export const context = ({ actor }: SessionRig) => actor.getSnapshot().context;
export const part = ({ actor }: SessionRig) => actor.getSnapshot().value;
/** Guards wait for it. */
export const lacksProfile = ({ actor }: SessionRig) => {
  const snapshot = actor.getSnapshot();
  return snapshot.context.token !== null && selectUser(snapshot) === null && !selectIsProfileMissing(snapshot);
};
/** Nothing hides the dashboard. */
const isAtWork = (rig: SessionRig) => lifeLeft(context(rig)) > 0 && !lacksProfile(rig);
const isStaying = (rig: SessionRig) => part(rig).leaving === "staying";
/** While one tab is signing out, none is given a token, and the other way round: the call would wait for the lock. */
const isLockFree = (rig: SessionRig) => isStaying(rig) && part(rig).refresh !== "refreshing";
/** A call that was refused still waits for the refresh. */
const hasRefusedCall = (rig: SessionRig) => part(rig).refresh !== "idle" && context(rig).refresh.afterUnauthorized;

/** What moves are made with. */
export interface Hands {
  page: Page;
  other: Page;
  script: Script;
  tokenOf(rig: SessionRig): string | null;
  /** Epoch ms on the page's clock. */
  timeOf(rig: SessionRig): number;
}

export const drivesOf = (hands: Hands): Drives<SessionRig> => ({
  ...{ ...formDrives(hands), ...serverDrives(hands), ...tabDrives(hands), ...timeDrives(hands) },
});

/** What somebody does in the page. */
function formDrives({ page, script, tokenOf }: Hands): Drives<SessionRig> {
  const press = (role: "button" | "link", name: string) =>
    page.getByRole(role, { name, exact: true }).filter({ visible: true }).first().press("Enter");
  // Not the one of the notice above it, which asks for a profile that could not be had.
  const listTryAgain = () =>
    page.getByRole("alert").filter({ hasText: "Failed to fetch transcriptions" }).getByRole("button", { name: "Try again" });
  return {
    "somebody signs in": {
      may: (rig) => context(rig).token === null && part(rig).refresh === "idle" && isStaying(rig),
      happen: async (rig) => {
        script.login = json({ accessToken: tokenOf(rig), user: ada });
        await page.getByLabel("E-mail").fill("ada@example.org");
        await page.getByLabel("Password").fill("correct horse");
        await page.getByLabel("Password").press("Enter");
      },
    },
    "signOut.requested": {
      may: (rig) => isAtWork(rig) && isLockFree(rig),
      happen: () => press("button", "Log out"),
    },
    "profile.requested": { may: isAtWork, happen: () => press("link", "Dashboard") },
    "the server does not take the token": {
      may: (rig) => isAtWork(rig) && isStaying(rig) && !hasRefusedCall(rig),
      happen: async () => {
        // The list's first call is under way until then, and would take the refusal.
        await expect(listTryAgain()).toBeVisible();
        const refused = Promise.withResolvers<void>();
        script.history = (call) => refusal(401)(call).then(refused.resolve);
        await listTryAgain().press("Enter");
        await refused.promise;
      },
    },
  };
}

/** What the server answers. */
function serverDrives({ page, script, tokenOf }: Hands): Drives<SessionRig> {
  const { refresh, logout, profile } = script;
  const tooLate = json({ accessToken: "too late" });
  return {
    "the token is renewed": { happen: (rig) => refresh.answer(json({ accessToken: tokenOf(rig) })) },
    // The storage's own event comes a moment later to this tab.
    "another tab was faster": {
      happen: async (rig) => {
        await write(page, tokenOf(rig), ada);
        await refresh.answer(tooLate);
      },
    },
    "another tab has signed out": {
      happen: async () => {
        await write(page, null);
        await refresh.answer(tooLate);
      },
    },
    "the refresh is refused": { happen: () => refresh.answer(refusal(401)) },
    "nobody answers the refresh": { happen: () => refresh.answer(noAnswer) },
    "the refresh fails": { happen: () => refresh.answer(refusal(500)) },
    "the server knows of the leaving": { happen: () => logout.answer((call) => call.fulfill({ status: 204 })) },
    "the server does not know of it": { happen: () => logout.answer(noAnswer) },
    "the profile comes": { happen: (rig) => profile.answer(json({ ...ada, id: context(rig).token?.userId })) },
    "somebody else's profile comes": { happen: () => profile.answer(json({ ...ada, id: "somebody else" })) },
    "the profile can't be had": { happen: () => profile.answer(noAnswer) },
  };
}

/** What other tabs do, and the messages that the page receives. */
function tabDrives({ page, other, tokenOf }: Hands): Drives<SessionRig> {
  return {
    "another tab renews the token": { happen: (rig) => write(other, tokenOf(rig), ada) },
    // Their profile is stored a moment later.
    "another tab signs in as eve": { happen: (rig) => write(other, tokenOf(rig)) },
    "another tab signs out": { happen: () => write(other, null) },
    "page.resumed": { happen: () => raise(page, "online") },
    "forceLogout.heard": {
      may: (rig) => context(rig).token !== null || rig.memory.reasons.at(-1) !== "forced",
      happen: () => raise(page, "auth:force-logout"),
    },
  };
}

function timeDrives({ page, timeOf }: Hands): Drives<SessionRig> {
  const passes = { happen: (_: SessionRig, passed: number) => page.clock.runFor(passed) };
  return {
    // No timer runs meanwhile.
    "the computer sleeps for two hours": {
      may: isStaying,
      happen: async (rig) => {
        await page.clock.setSystemTime(timeOf(rig));
        await raise(page, "online");
      },
    },
    "until five minutes before the token's end": { ...passes, may: isStaying },
    "until the token's end": { ...passes, may: isStaying },
    "30 s": { ...passes, may: isStaying },
    "the next timer": { ...passes, may: (rig) => part(rig).leaving !== "notifyingServer" },
  };
}

const raise = (page: Page, event: string) => page.evaluate((type) => void dispatchEvent(new Event(type)), event);

/** What sign-ins, renewals and sign-outs leave in the storage; without a user the one that is there stays. */
export function write(page: Page, token: string | null, user?: object): Promise<void> {
  const state = user === undefined ? null : JSON.stringify({ version: 1, user });
  return page.evaluate(
    (to) => {
      if (to.token === null) return localStorage.clear();
      if (to.state !== null) localStorage.setItem("persist:root", to.state);
      localStorage.setItem("jwtToken", to.token);
    },
    { token, state },
  );
}

/** The API, as the path wants it. */
export type Script = Awaited<ReturnType<typeof createScript>>;

export async function createScript(page: Page, api: string) {
  const script = {
    ...{ refresh: new HeldCalls(), logout: new HeldCalls(), profile: new HeldCalls() },
    ...{ login: refusal(500), history: refusal(500) },
    reset: () => {
      for (const calls of [script.refresh, script.logout, script.profile]) calls.reset();
      script.history = refusal(500);
    },
  };
  await onCalls(page, `${api}/*`, (call) => {
    const path = new URL(call.request().url()).pathname;
    const held = { "/auth/refresh": script.refresh, "/auth/logout": script.logout, "/users/me": script.profile }[path];
    if (held !== undefined) return held.hold(call);
    if (path === "/auth/login") return script.login(call);
    if (path === "/auth/providers") return json({ federated: null })(call);
    if (!path.endsWith("/transcription-history")) return refusal(404)(call);
    const { history } = script;
    script.history = refusal(500);
    return history(call);
  });
  return script;
}
