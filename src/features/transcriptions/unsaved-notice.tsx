import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { unsaved } from "./unsaved.ts";

/** What was dictated and is only in this browser so far. */
export function Unsaved({ onRetry }: { onRetry(): void }) {
  const { t } = useTranslation("app");
  const waiting = useSyncExternalStore(unsaved.subscribe, unsaved.list);
  if (waiting.length === 0) return null;
  return (
    <Notice
      tone="danger"
      actions={
        <Button icon="retry" onClick={onRetry}>
          {t("speech.unsavedRetry")}
        </Button>
      }
    >
      {t("speech.unsaved", { count: waiting.length })}
    </Notice>
  );
}
