import { CatchBoundary, useRouterState } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { selectIsSuperuser, selectLiveToken, selectUser } from "#machines/session/selectors.ts";
import { openSession, signOut } from "#src/features/session/actor.ts";
import { avatarAddress } from "#src/features/settings/avatar.ts";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import { Sidebar } from "#src/features/shell/sidebar.tsx";

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
  const picture = useSelector(session, (snapshot) => selectUser(snapshot)?.avatar_url ?? undefined);
  const isAdmitted = useRouterState({ select: ({ matches }) => matches[1]?.status === "success" });
  // While the guard asks, a visitor sees none. Whoever has just signed out keeps it until the page is left: nothing of it moves.
  if (!isSignedIn && !isAdmitted) return null;
  return <Sidebar isSuperuser={isSuperuser} picture={picture && avatarAddress(picture)} onSignOut={signOut} />;
}
