import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { pageRouter } from "#src/browser/page-router.ts";
import { WaitingRecordings } from "#src/features/dictation/waiting-recordings.tsx";
import { hasStoredToken } from "#src/features/session/token-hint.ts";
import { type PersistedTranscription, persistedTranscriptions } from "#src/features/transcriptions/persisted.ts";
import { useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { Button } from "#src/ui/button.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import styles from "./away-screen.module.css";
import { PersistedTranscript } from "./persisted-transcript.tsx";

/** A key of `offline:away`, by the page at this path. */
function textAt(path: string): "dashboard" | "transcript" | "translator" | "vault" | "signedOut" | "text" {
  if (/^\/(signin|signup|second-step)/.test(path)) return "signedOut";
  if (path.startsWith("/transcription/")) return "transcript";
  if (/^\/(dashboard|trash|search)/.test(path)) return "dashboard";
  if (path.startsWith("/voice-translator")) return "translator";
  return path.startsWith("/encrypted-audio") ? "vault" : "text";
}

/**
 * Replaces a page that needs the server while the server is unreachable. Shows a transcript if this device stores it.
 */
export function AwayScreen() {
  const { t } = useTranslation("offline");
  const all = useSyncExternalStore(persistedTranscriptions.subscribe, persistedTranscriptions.get);
  const { pathname } = pageRouter().latestLocation;
  const kept = hasStoredToken() ? all : [];
  const shown = kept.find(({ transcription }) => pathname === `/transcription/${encodeURIComponent(transcription.id)}`);
  if (shown !== undefined) return <PersistedTranscript key={shown.transcription.id} kept={shown} />;
  const text = textAt(pathname);
  const dictate = () => void pageRouter().navigate({ to: "/speech-to-text" });
  return (
    <MessageScreen
      title={t("away.title")}
      text={t(`away.${text}`)}
      action={
        hasStoredToken() ? (
          <div className="stack middle gap-4 measure">
            {text === "dashboard" || text === "transcript" ? <PersistedList kept={kept} /> : null}
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

function PersistedList({ kept }: { kept: readonly PersistedTranscription[] }) {
  const { t } = useTranslation("offline");
  const titleOf = useShownTitle();
  if (kept.length === 0) return null;
  return (
    <section className={styles.kept} aria-labelledby="kept">
      <h2 id="kept">{t("kept.title")}</h2>
      <ul>
        {kept.map(({ transcription }) => (
          <li key={transcription.id}>
            <Link to="/transcription/$id" params={{ id: transcription.id }} preload={false}>
              {titleOf(transcription)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
