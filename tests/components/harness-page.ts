// Before all other style sheets: they decide the order of the layers.
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

/** The whole page, once for all tests of a file: they follow each other as people do who share a browser. */
async function start(): Promise<void> {
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  history.replaceState(null, "", "/robots.txt");
  const router = await startPage();
  // The development server has every page inspected, which takes time; /debug/machines would even watch itself.
  inspectWith({});
  // A loading screen that has been seen stays for so long; a test need not wait for that.
  router.options.defaultPendingMinMs = 0;
  createRoot(root).render(pageTree(router));
}

export interface OpenOptions {
  /** Default: "free". */
  as?: Rights | "visitor";
  /** Of the profile, where it differs from Ada's. */
  profile?: Partial<UserProfile>;
  /** Whether this browser remembers the profile. Default: true. */
  isRemembered?: boolean;
  /** Seconds until the token ends. Default: an hour. */
  endsIn?: number;
  /** Whether a link is preloaded when the pointer comes to rest on it, or it comes to lie under the pointer. Default: false. */
  preloads?: boolean;
}

const storage = createStorage(window);

/** Signs a person in and opens a page of the product, whose calls the API answers as `answer` has said. */
export async function openPage(path: string, options: OpenOptions = {}): Promise<void> {
  const { as = "free", profile = {}, isRemembered = true, endsIn = 3600, preloads = false } = options;
  // A pointer that rests where the page has its sidebar would open it over what the test presses.
  await userEvent.unhover(document.body);
  started ??= start();
  await started;
  const router = pageRouter();
  await arrived(10_000);
  router.options.defaultPreload = preloads && "intent";
  if (as === "visitor") answerOtherwise(visitorAnswers);
  else {
    // Each is another person: a profile that the test before still asks for is then nobody's.
    const id = as === "free" ? ada.id : as;
    const rights = { isSuperUser: as === "superuser", planType: as === "premium" ? "premium" : "free" } as const;
    const user = { ...ada, id, ...rights, ...profile };
    answerOtherwise(answersFor(as, user));
    signIn(user, endsIn, isRemembered);
  }
  await router.navigate({ href: path });
}

/**
 * Waits until the page that the last click led to is there, and the one before has ended: tests are faster than people.
 * @param ms at most
 */
async function arrived(ms: number): Promise<void> {
  await vi.waitUntil(() => pageRouter().state.status === "idle", { timeout: timeLimit(ms) });
  // A route ends what it shows once it has imported it: a page that is opened before that would be ended with it.
  await import("#src/start.ts");
}

/** As another tab does. @param isRemembered whether this browser remembers the profile; else it is asked for */
function signIn(user: UserProfile, endsIn: number, isRemembered: boolean): void {
  const seconds = Math.floor(Date.now() / 1000);
  storage.write(storageKeys.persistRoot, JSON.stringify({ version: 1, user: isRemembered ? user : null }));
  storage.write(storageKeys.token, makeToken({ sub: user.id, iat: seconds, exp: seconds + endsIn }));
}

/** Leaves the page, signs out as another tab does, and leaves nothing for the next test. */
export async function leavePage(): Promise<void> {
  if (started === undefined) return;
  // Its loader may wait for an answer that the test holds.
  await arrived(1_000).catch(() => {});
  await pageRouter().navigate({ href: "/about" });
  await closeToasts();
  clearEngines();
  languageList.clear();
  // What waits for its owner to come back ends when another person signs in.
  signIn({ ...ada, id: "next" }, 3600, true);
  storage.remove(storageKeys.token);
  localStorage.clear();
  sessionStorage.clear();
}

/** A toast takes a moment to go, and is not shown twice meanwhile; one that waited for its place may come afterwards. */
async function closeToasts(): Promise<void> {
  for (let shown = allToasts(); shown.length > 0; shown = allToasts()) {
    toast.dismiss();
    for (const one of shown) one.dispatchEvent(new AnimationEvent("animationend", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
}

const allToasts = () => document.querySelectorAll(".Toastify__toast");
