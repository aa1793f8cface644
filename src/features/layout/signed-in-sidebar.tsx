import { CatchBoundary, useRouterState } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { selectIsSuperuser, selectLiveToken, selectUser } from "#machines/session/selectors.ts";
import { selectDialog, selectTyped } from "#machines/shortcuts/machine.ts";
import { minutesLeft, selectIsVaultClosed, selectUsage, usageLevel } from "#machines/subscription/usage.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { openSession, signOut } from "#src/features/session/actor.ts";
import { avatarAddress } from "#src/features/settings/avatar.ts";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import { Sidebar } from "#src/features/shell/sidebar.tsx";
import type { FreeMinutes } from "#src/features/shell/sidebar-links.tsx";
import { openShortcuts, provideDialog } from "#src/features/shortcuts/actor.ts";
import { openUsage } from "#src/features/subscription/usage.ts";
import { minutes } from "#src/i18n/format.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { offerEverywhere } from "./everywhere.ts";

/** The sidebar of signed-in users. It is outside of the router's error boundary. */
export function SignedInSidebar() {
  return (
    <CatchBoundary getResetKey={() => "sidebar"} errorComponent={ErrorScreen}>
      <SidebarOfPerson />
    </CatchBoundary>
  );
}

function SidebarOfPerson() {
  const session = openSession();
  const isSignedIn = useSelector(session, (snapshot) => selectLiveToken(snapshot) !== undefined);
  const isSuperuser = useSelector(session, selectIsSuperuser);
  const user = useSelector(session, selectUser);
  const picture = user?.avatar_url ?? undefined;
  const isAdmitted = useRouterState({ select: ({ matches }) => /success|notFound/.test(matches[1]?.status ?? "") });
  const freeMinutes = useFreeMinutes();
  const isVaultClosed = useSelector(openUsage(), selectIsVaultClosed);
  // Visitors see no sidebar while the guard runs. A user who signs out keeps it until the page changes, so that nothing
  // moves.
  if (!isSignedIn && !isAdmitted) return null;
  return (
    <>
      <Sidebar
        isSuperuser={isSuperuser}
        freeMinutes={freeMinutes}
        isVaultClosed={isVaultClosed}
        account={{ name: user?.name || (user?.email ?? ""), picture: picture && avatarAddress(picture) }}
        onSignOut={signOut}
      />
      <ShortcutDialogs />
    </>
  );
}

function useFreeMinutes(): FreeMinutes | null {
  const { i18n } = useTranslation();
  const usage = useSelector(openUsage(), selectUsage);
  if (usage === null || usage.limitMinutes === null) return null;
  const left = minutesLeft(usage) ?? 0;
  return {
    left: minutes(left, i18n.language),
    fraction: left / usage.limitMinutes,
    isLow: usageLevel(usage) !== "free",
  };
}

const loadSearch = async () => {
  const [{ Palette }] = await Promise.all([
    import("#src/features/search/palette.tsx"),
    loadTexts("search"),
    loadTexts("settings"),
    loadTexts("shortcuts"),
  ]);
  return { default: Palette };
};
const loadKeys = async () => {
  const [{ Keys }] = await Promise.all([import("./keys.tsx"), loadTexts("shortcuts")]);
  return { default: Keys };
};
provideDialog("search", loadSearch);
provideDialog("keys", loadKeys);

/** Rendered once they are loaded. */
const dialogs = { search: lazy(loadSearch), keys: lazy(loadKeys) };

/** Closes dialogs when the user leaves the page. */
const closeWithPage = () =>
  pageRouter().subscribe("onBeforeNavigate", ({ pathChanged }) => {
    if (pathChanged) openShortcuts().send({ type: "dialog.closed" });
  });

/** The search and the list of keys, available on every page of a signed-in user, and their keys. */
function ShortcutDialogs() {
  const shortcuts = openShortcuts();
  const open = useSelector(shortcuts, selectDialog);
  const typed = useSelector(shortcuts, selectTyped);
  useEffect(offerEverywhere, []);
  useEffect(closeWithPage, []);
  if (open === null) return null;
  const Dialog = dialogs[open];
  return (
    <Suspense fallback={null}>
      <Dialog typed={typed} onClose={() => shortcuts.send({ type: "dialog.closed" })} />
    </Suspense>
  );
}
