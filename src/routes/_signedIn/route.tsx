import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { redirectTarget } from "../../app/redirect-target.ts";
import { signOut } from "../../app/session.ts";
import { SidebarFrame } from "../../components/shell/sidebar.tsx";
import { i18n } from "../../i18n/index.ts";
import { LoadingScreen } from "../../ui/page.tsx";

/** The guard of everything that needs sign-in (SPEC.md section 2, "Route guard"). */
export const Route = createFileRoute("/_signedIn")({
  beforeLoad: async ({ cause, location, abortController }) => {
    const { isSignedIn } = await import("../../app/guard.ts");
    if (!(await isSignedIn(abortController.signal))) {
      // A link that is only pointed at is not where somebody wanted to go.
      if (cause !== "preload") redirectTarget.remember(location.href);
      throw redirect({ to: "/signin", replace: true });
    }
    await i18n.loadNamespaces("app");
  },
  pendingComponent: Authenticating,
  component: SignedInFrame,
});

function Authenticating() {
  const { t } = useTranslation();
  return <LoadingScreen message={t("checking.authenticating")} />;
}

function SignedInFrame() {
  return (
    <SidebarFrame onSignOut={signOut}>
      <Outlet />
    </SidebarFrame>
  );
}
