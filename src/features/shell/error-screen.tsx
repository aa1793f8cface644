import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { useHydration } from "#src/ui/hydration.ts";
import { MessageScreen } from "#src/ui/screens.tsx";

/** The error boundary's heading, text and button (SPEC.md section 2, "Navigation"). */
export function ErrorScreen() {
  const { t } = useTranslation();
  useHydration();
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
