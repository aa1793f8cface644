// Must be the first style sheet: it sets the order of the layers.
import "#src/ui/tokens.css";
import "#src/ui/base.css";
import "#src/ui/classes.css";
import "#src/ui/server-rendered.css";
import { createRoot } from "react-dom/client";
import { toast } from "react-toastify/unstyled";
import { vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { UserProfile } from "#contract/index.ts";
import { inspectWith } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { createStorage, storageKeys } from "#src/browser/storage.ts";
import { clearEngines } from "#src/features/engines/actor.ts";
import { languageList } from "#src/features/engines/languages.ts";
import { pageTree } from "#src/features/layout/page-tree.tsx";
import { startPage } from "#src/start.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { ada, answersFor, type Rights, visitorAnswers } from "./harness-answers.ts";
import { answerOtherwise } from "./harness-network.ts";

let started: Promise<void> | undefined;

/** Starts the whole page once for all tests of a file, which follow each other like people who share a browser. */
async function start(): Promise<void> {
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  history.replaceState(null, "", "/robots.txt");
  const router = await startPage();
  // The development server inspects every page, which takes time; /debug/machines would even inspect itself.
  inspectWith({});
  // Removes the minimum time of a loading screen, so that no test waits for it.
  router.options.defaultPendingMinMs = 0;
  createRoot(root).render(pageTree(router));
}

export interface OpenOptions {
  /** Default: "free". */
  as?: Rights | "visitor";
  /** The differences from Ada's profile. */
  profile?: Partial<UserProfile>;
  /** Whether this browser has stored the profile. Default: true. */
  isRemembered?: boolean;
  /** Seconds until the token expires. Default: an hour. */
  endsIn?: number;
  /** Whether a link preloads its page when the pointer rests on it. Default: false. */
  preloads?: boolean;
}

const storage = createStorage(window);

/** Signs a user in and opens a page. The API gives the answers that `answer` has set. */
export async function openPage(path: string, options: OpenOptions = {}): Promise<void> {
  const { as = "free", profile = {}, isRemembered = true, endsIn = 3600, preloads = false } = options;
  // A pointer at the sidebar's place would open the sidebar over the test's buttons.
  await userEvent.unhover(document.body);
  started ??= start();
  await started;
  const router = pageRouter();
  await arrived(10_000);
  router.options.defaultPreload = preloads && "intent";
  if (as === "visitor") answerOtherwise(visitorAnswers);
  else {
    // Each kind of user has its own id, so that a late request of the last test changes no other user's profile.
    const id = as === "free" ? ada.id : as;
    const rights = { isSuperUser: as === "superuser", planType: as === "premium" ? "premium" : "free" } as const;
    const user = { ...ada, id, ...rights, ...profile };
    answerOtherwise(answersFor(as, user));
    signIn(user, endsIn, isRemembered);
  }
  await router.navigate({ href: path });
}

/**
 * Waits until the last navigation is complete and the previous page has ended. Tests are faster than people.
 * @param ms the longest wait in ms
 */
async function arrived(ms: number): Promise<void> {
  await vi.waitUntil(() => pageRouter().state.status === "idle", { timeout: timeLimit(ms) });
  // A route ends its page after it has imported `start.ts`; without this wait it would also end a page that opens
  // earlier.
  await import("#src/start.ts");
}

/**
 * Signs a user in as another tab does.
 * @param isRemembered whether this browser stores the profile; otherwise the page requests it
 */
function signIn(user: UserProfile, endsIn: number, isRemembered: boolean): void {
  const seconds = Math.floor(Date.now() / 1000);
  storage.write(storageKeys.persistRoot, JSON.stringify({ version: 1, user: isRemembered ? user : null }));
  storage.write(storageKeys.token, makeToken({ sub: user.id, iat: seconds, exp: seconds + endsIn }));
}

/** Leaves the page, signs out as another tab does, and clears all state for the next test. */
export async function leavePage(): Promise<void> {
  if (started === undefined) return;
  // The page's loader may wait for an answer that the test holds back.
  await arrived(1_000).catch(() => {});
  await pageRouter().navigate({ href: "/about" });
  await closeToasts();
  clearEngines();
  languageList.clear();
  // Work that waits for its owner's return ends when another user signs in.
  signIn({ ...ada, id: "next" }, 3600, true);
  storage.remove(storageKeys.token);
  localStorage.clear();
  sessionStorage.clear();
}

/** Closes all toasts. Closing takes a moment, and a queued toast may appear afterwards. */
async function closeToasts(): Promise<void> {
  for (let shown = allToasts(); shown.length > 0; shown = allToasts()) {
    toast.dismiss();
    for (const one of shown) one.dispatchEvent(new AnimationEvent("animationend", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
}

const allToasts = () => document.querySelectorAll(".Toastify__toast");
