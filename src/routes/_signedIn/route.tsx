import { createFileRoute, Outlet } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsProfileMissing } from "#machines/session/selectors.ts";
import { AwayScreen } from "#src/features/offline/away-screen.tsx";
import { openSession } from "#src/features/session/actor.ts";
import { Checking, CheckingOver } from "#src/features/shell/checking.tsx";
import { loadTexts } from "#src/i18n/index.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";

let guard: typeof import("#src/composition.ts") | undefined;

/**
 * The guard of all signed-in pages (SPEC.md section 2, "Route guard"). A page's folder sets further requirements
 * (`need` of _paid and _admin); the deepest value wins.
 */
export const Route = createFileRoute("/_signedIn")({
  beforeLoad: async ({ preload, location, matches, abortController }) => {
    // Cached, because each import costs a task of the event loop, with a needless render.
    guard ??= await import("#src/composition.ts");
    const need = matches.findLast(({ staticData }) => staticData.need)?.staticData.need ?? "signedIn";
    await guard.requireAccess({ need, href: location.href, preload, signal: abortController.signal });
    await loadTexts("app");
  },
  pendingComponent: Checking,
  // Without the server, the guard throws `notFound`.
  notFoundComponent: AwayScreen,
  component: SignedInPages,
});

/** Shown when the user's identity could not be determined, so that nothing that depends on it works. */
function ProfileFailure() {
  const { t } = useTranslation("app");
  const isMissing = useSelector(openSession(), selectIsProfileMissing);
  if (!isMissing) return null;
  const retry = () => openSession().send({ type: "profile.requested" });
  return (
    <Notice tone="danger" actions={<Button onClick={retry}>{t("history.retry")}</Button>}>
      {t("toast.profileFetchFailed")}
    </Notice>
  );
}

function SignedInPages() {
  return (
    <>
      <ProfileFailure />
      <Outlet />
      <CheckingOver />
    </>
  );
}
