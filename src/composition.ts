import { sidebar } from "./features/frame/sidebar-store.ts";
import { SignedInSidebar } from "./features/frame/signed-in-sidebar.tsx";
import { createAccess, type Visit } from "./features/session/access.ts";
import { SlowNotice } from "./features/shell/slow-notice.tsx";
import { isPremium, openSubscription } from "./features/subscription/actor.ts";
import * as usage from "./features/subscription/usage.ts";
import { followTranscriptions, overhearTranscriptions } from "./features/transcriptions/event-stream.ts";

// What the signed-in pages put together of several features, which do not know each other. Loaded with the first of these pages: what
// every page needs is put together in main.tsx.

sidebar.set(SignedInSidebar);
usage.overhearUsage(overhearTranscriptions);

const access = createAccess({
  isPremium,
  hasStored: async (signal) => (await import("./features/vault/has-vault.ts")).hasVault(signal),
  refetchSubscription: () => openSubscription().send({ type: "subscription.changed" }),
  SlowNotice,
});

/** The guard of the signed-in pages (SPEC.md section 2, "Route guard"). @throws the router's redirect */
export async function requireAccess(visit: Visit): Promise<void> {
  await access.requireAccess(visit);
  const [path = ""] = visit.href.split(/[?#]/);
  if (!visit.preload) usage.checkUsageOn(path);
}

/** For the loader of a page on which minutes are spent (`watchUsage`): what becomes of transcriptions changes them, too. */
export const watchUsage = (): (() => void) => usage.watchUsage(followTranscriptions);
