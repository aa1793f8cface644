import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { unsaved } from "./unsaved.ts";

/** Dictations that are only in this browser so far. */
export function Unsaved({ onRetry }: { onRetry(): void }) {
  const { t } = useTranslation("app");
  const waiting = useSyncExternalStore(unsaved.subscribe, unsaved.list);
  if (waiting.length === 0) return null;
  return (
    <RetryNotice label={t("speech.unsavedRetry")} onRetry={onRetry}>
      {t("speech.unsaved", { count: waiting.length })}
    </RetryNotice>
  );
}
