import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { selectIsSuperuser, selectUser } from "#machines/session/selectors.ts";
import { openSession, signOut } from "#src/features/session/actor.ts";
import { avatarAddress } from "#src/features/settings/avatar.ts";
import { SidebarFrame } from "#src/features/shell/sidebar.tsx";

/** The frame of the signed-in pages, of whoever is signed in. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const isSuperuser = useSelector(openSession(), selectIsSuperuser);
  const picture = useSelector(openSession(), (snapshot) => selectUser(snapshot)?.avatar_url ?? undefined);
  return (
    <SidebarFrame isSuperuser={isSuperuser} picture={picture && avatarAddress(picture)} onSignOut={signOut}>
      {children}
    </SidebarFrame>
  );
}
