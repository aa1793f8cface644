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

// Connects features of the signed-in pages that do not know each other. Loaded with the first of these pages. main.tsx
// connects the parts that every page needs.

sidebar.set(SignedInSidebar);
openSession().on("state.reset", () => void dropAllShareTargetFiles());

const startOffline = async () => (await import("./features/offline/start.ts")).openOffline();
// After the first paint: from the next visit on, signed-in users can open the page without a network.
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
  // The recorder finishes recordings that were made without a network.
  if (waitingRecordings().length > 0) {
    void import("./features/dictation/actor.ts").then(({ openRecorder }) => openRecorder()).catch(() => {});
  }
  if (!visit.preload) usage.checkUsageOn(path);
}

/** The only page that works without the server. */
const withoutServer = "/speech-to-text";

/**
 * The server can't be asked, so this admits the user who has signed in on this browser to its local data. The guard
 * runs when the server is back.
 * @throws the error that shows the AwayScreen in place of a page that needs the server
 */
async function admitWithoutServer(path: string): Promise<void> {
  await startOffline();
  if (path === withoutServer) return;
  await loadPersisted();
  throw notFound();
}
