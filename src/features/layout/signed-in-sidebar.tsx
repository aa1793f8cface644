import { CatchBoundary, useRouterState } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsSuperuser, selectLiveToken, selectUser } from "#machines/session/selectors.ts";
import { minutesLeft, selectIsVaultClosed, selectUsage, usageLevel } from "#machines/subscription/usage.ts";
import { openSession, signOut } from "#src/features/session/actor.ts";
import { avatarAddress } from "#src/features/settings/avatar.ts";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import { Sidebar } from "#src/features/shell/sidebar.tsx";
import type { FreeMinutes } from "#src/features/shell/sidebar-links.tsx";
import { openUsage } from "#src/features/subscription/usage.ts";
import { minutes } from "#src/i18n/format.ts";
import { ShortcutDialogs } from "./shortcut-dialogs.tsx";

/** The sidebar of whoever is signed in. It stands above the router's own error boundary. */
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
  // While the guard asks, a visitor sees none. Whoever has just signed out keeps it until the page is left: nothing of it moves.
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
