import { notFound } from "@tanstack/react-router";
import { isAway } from "./browser/network.ts";
import { hydrated } from "./browser/server-rendered.ts";
import { waitingRecordings } from "./features/dictation/waiting.ts";
import { sidebar } from "./features/layout/sidebar-store.ts";
import { SignedInSidebar } from "./features/layout/signed-in-sidebar.tsx";
import { createAccess, type Visit } from "./features/session/access.ts";
import { openSession } from "./features/session/actor.ts";
import { hasStoredToken } from "./features/session/token-hint.ts";
import { SlowNotice } from "./features/shell/slow-notice.tsx";
import { isPremium, openSubscription } from "./features/subscription/actor.ts";
import * as usage from "./features/subscription/usage.ts";
import { followTranscriptions, observeTranscriptions } from "./features/transcriptions/event-stream.ts";
import { loadPersisted } from "./features/transcriptions/persisted.ts";
import { dropAllShareTargetFiles } from "./features/uploads/share-target-files.ts";

// What the signed-in pages put together of several features, which do not know each other. Loaded with the first of these pages: what
// every page needs is put together in main.tsx.

sidebar.set(SignedInSidebar);
openSession().on("state.reset", () => void dropAllShareTargetFiles());

const startOffline = async () => (await import("./features/offline/start.ts")).openOffline();
// After the first paint: whoever is signed in can open the page without a network from the next time on.
void hydrated.then(startOffline).catch(() => {});
usage.connectUsage({ follow: followTranscriptions, observe: observeTranscriptions });

const access = createAccess({
  isPremium,
  hasStored: async (signal) => (await import("./features/vault/has-vault.ts")).hasVault(signal),
  refetchSubscription: () => openSubscription().send({ type: "subscription.changed" }),
  SlowNotice,
});

/** The guard of the signed-in pages (SPEC.md section 2, "Route guard"). @throws the router's redirect */
export async function requireAccess(visit: Visit): Promise<void> {
  const [path = ""] = visit.href.split(/[?#]/);
  if (isAway() && hasStoredToken()) return admitWithoutServer(path);
  await access.requireAccess(visit);
  // Their recorder finishes by itself what was spoken without a network.
  if (waitingRecordings().length > 0) {
    void import("./features/dictation/actor.ts").then(({ openRecorder }) => openRecorder()).catch(() => {});
  }
  if (!visit.preload) usage.checkUsageOn(path);
}

/** The one page that can do without it. */
const withoutServer = "/speech-to-text";

/**
 * Nobody can be asked: what this browser keeps is shown to whoever has signed in on it, and what the server has is asked for when it is back,
 * with the guard's questions. @throws what shows the AwayScreen in place of a page that needs the server
 */
async function admitWithoutServer(path: string): Promise<void> {
  await startOffline();
  if (path === withoutServer) return;
  await loadPersisted();
  throw notFound();
}
