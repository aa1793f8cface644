import { useTranslation } from "react-i18next";
import type { AccessEvent } from "#machines/session/access.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./slow-notice.module.css";

/** The actions shown below the guard's screen when it takes long. Loaded with the guard. */
export function SlowNotice({ send }: { send(event: AccessEvent): void }) {
  const { t } = useTranslation();
  return (
    <div className={`stack middle gap-4 centre ${styles.slow}`} role="alert">
      <p>{t("checking.slow")}</p>
      <div className="row centred">
        <Button look="primary" icon="retry" onClick={() => send({ type: "retry.requested" })}>
          {t("checking.retry")}
        </Button>
        <Button onClick={() => send({ type: "leave.requested" })}>{t("checking.leave")}</Button>
      </div>
    </div>
  );
}
