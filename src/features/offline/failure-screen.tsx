import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isAway } from "#src/browser/network.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { WaitingRecordings } from "#src/features/dictation/waiting-recordings.tsx";
import { hasStoredToken } from "#src/features/session/token-hint.ts";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import { Button } from "#src/ui/button.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import styles from "./failure-screen.module.css";

/** What each browser says of a script that it can't load, and `src/browser/styled-import.ts` of a style sheet. */
const missedPart =
  /dynamically imported module|Importing a module script failed|error loading dynamically|could not be loaded|Unable to preload/i;

/** A part of the page that is neither here nor on the server: of a version that the server has no more. */
const isMissedPart = (error: unknown): boolean => error instanceof Error && missedPart.test(error.message);

/** A key of `offline:away`, by what would stand at this path. */
function textAt(path: string): "dashboard" | "transcript" | "translator" | "vault" | "signedOut" | "text" {
  if (/^\/(signin|signup|second-step)/.test(path)) return "signedOut";
  if (path.startsWith("/transcription/")) return "transcript";
  if (/^\/(dashboard|trash|search)/.test(path)) return "dashboard";
  if (path.startsWith("/voice-translator")) return "translator";
  return path.startsWith("/encrypted-audio") ? "vault" : "text";
}

/** A page that needs the server, which is away: what there is instead. */
function AwayScreen() {
  const { t } = useTranslation("offline");
  const dictate = () => void pageRouter().navigate({ to: "/speech-to-text" });
  return (
    <MessageScreen
      title={t("away.title")}
      text={t(`away.${textAt(pageRouter().latestLocation.pathname)}`)}
      action={
        hasStoredToken() ? (
          <div className={styles.ways}>
            <WaitingRecordings />
            <p>{t("away.dictate")}</p>
            <Button look="primary" icon="microphone" onClick={dictate}>
              {t("away.open")}
            </Button>
          </div>
        ) : undefined
      }
    />
  );
}

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
