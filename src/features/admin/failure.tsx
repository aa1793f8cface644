import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";

interface FailureProps {
  /** The contract's code. */
  error: string;
  /** What did not work ("Failed to fetch users"). */
  text: string;
  onRetry(): void;
}

/** Why a part of the panel has nothing to show; what the server does not offer need not be tried again. */
export function Failure({ error, text, onRetry }: FailureProps) {
  const { t } = useTranslation("admin");
  if (error === "notOffered") return <Notice>{t("app:notOffered.adminText")}</Notice>;
  return (
    <Notice
      tone="danger"
      actions={
        <Button icon="retry" onClick={onRetry}>
          {t("retry")}
        </Button>
      }
    >
      <strong>{text}</strong>
      <p>{t(`errors.${error}`)}</p>
    </Notice>
  );
}
