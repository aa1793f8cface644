import { useTranslation } from "react-i18next";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";

interface FailureProps {
  /** The error code of the contract. */
  error: string;
  /** What did not work ("Failed to fetch users"). */
  text: string;
  onRetry(): void;
}

/** Explains why a part of the panel has no data. A call that the server does not offer can't be retried. */
export function Failure({ error, text, onRetry }: FailureProps) {
  const { t } = useTranslation("admin");
  if (error === "notOffered") return <Notice>{t("app:notOffered.adminText")}</Notice>;
  return (
    <RetryNotice label={t("retry")} onRetry={onRetry}>
      <strong>{text}</strong>
      <p>{t(`errors.${error}`)}</p>
    </RetryNotice>
  );
}
