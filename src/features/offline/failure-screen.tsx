import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isAway } from "#src/browser/network.ts";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import { Button } from "#src/ui/button.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import { AwayScreen } from "./away-screen.tsx";

/** What each browser says of a script that it can't load, and of a style sheet. */
const missedPart =
  /dynamically imported module|Importing a module script failed|error loading dynamically|could not be loaded|Unable to preload/i;

/** A part of the page that is neither here nor on the server: of a version that the server has no more. */
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

/** Instead of a page that could not be opened: the error's own screen where the network is not why. Each opens anew when the server is back. */
export function FailureScreen({ error }: ErrorComponentProps) {
  if (isAway()) return <AwayScreen />;
  return isMissedPart(error) ? <MissedScreen /> : <ErrorScreen />;
}
