import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import { useTakenOver } from "#src/ui/taken-over.ts";

/** SPEC.md section 2, Navigation: the error boundary's heading, text and button. */
export function ErrorScreen() {
  const { t } = useTranslation();
  useTakenOver();
  return (
    <MessageScreen
      title={t("errorBoundary.title")}
      text={t("errorBoundary.text")}
      action={
        <Button look="primary" icon="retry" onClick={() => location.reload()}>
          {t("errorBoundary.refresh")}
        </Button>
      }
    />
  );
}
