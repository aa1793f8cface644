import { createFileRoute, Outlet } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsProfileMissing, selectIsSuperuser, selectUser } from "../../../machines/session.ts";
import { avatarAddress } from "../../app/avatar.ts";
import { session, signOut } from "../../app/session.ts";
import { Checking, CheckingOver } from "../../components/shell/checking.tsx";
import { SidebarFrame } from "../../components/shell/sidebar.tsx";
import { loadTexts } from "../../i18n/index.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

let guard: typeof import("../../app/access.ts") | undefined;

/**
 * The guard of everything that needs sign-in (SPEC.md section 2, "Route guard"). What a page needs beyond that is said by the folder that
 * it stands in (`need` of _paid and _admin); the deepest word holds.
 */
export const Route = createFileRoute("/_signedIn")({
  beforeLoad: async ({ preload, location, matches, abortController }) => {
    // Kept: an import costs a turn of the event loop each time, in which the page is drawn once in vain.
    guard ??= await import("../../app/access.ts");
    const need = matches.findLast(({ staticData }) => staticData.need)?.staticData.need ?? "signedIn";
    await guard.requireAccess({ need, href: location.href, preload, signal: abortController.signal });
    await loadTexts("app");
  },
  pendingComponent: Checking,
  component: SignedInFrame,
});

/** Who it is could not be found out, and nothing that depends on it works. */
function ProfileFailure() {
  const { t } = useTranslation("app");
  const isMissing = useSelector(session, selectIsProfileMissing);
  if (!isMissing) return null;
  const retry = () => session.send({ type: "profile.requested" });
  return (
    <Notice tone="danger" actions={<Button onClick={retry}>{t("history.retry")}</Button>}>
      {t("toast.profileFetchFailed")}
    </Notice>
  );
}

function SignedInFrame() {
  const isSuperuser = useSelector(session, selectIsSuperuser);
  const picture = useSelector(session, (snapshot) => selectUser(snapshot)?.avatar_url ?? undefined);
  return (
    <SidebarFrame isSuperuser={isSuperuser} picture={picture && avatarAddress(picture)} onSignOut={signOut}>
      <ProfileFailure />
      <Outlet />
      <CheckingOver />
    </SidebarFrame>
  );
}
