import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isAway } from "#src/browser/network.ts";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import { Button } from "#src/ui/button.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import { AwayScreen } from "./away-screen.tsx";

/** The browsers' messages for a script or style sheet that fails to load. */
const missedPart =
  /dynamically imported module|Importing a module script failed|error loading dynamically|could not be loaded|Unable to preload/i;

/** Whether a part of the page is missing in the cache and on the server, because the server has a newer version. */
const isMissedPart = (error: unknown): boolean => error instanceof Error && missedPart.test(error.message);

function MissedScreen() {
  const { t } = useTranslation("offline");
  return (
    <MessageScreen
      title={t("missed.title")}
      text={t("missed.text")}
      action={
        <Button look="primary" icon="retry" onClick={() => location.reload()}>
          {t("missed.load")}
        </Button>
      }
    />
  );
}

/**
 * Replaces a page that failed to open. Shows the error's own screen if the network is not the cause. Opens the page
 * again when the server is back.
 */
export function FailureScreen({ error }: ErrorComponentProps) {
  if (isAway()) return <AwayScreen />;
  return isMissedPart(error) ? <MissedScreen /> : <ErrorScreen />;
}
