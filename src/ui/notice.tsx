import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./notice.module.css";

interface NoticeProps {
  tone?: "plain" | "danger" | "warning" | "good";
  icon?: IconName;
  children: ReactNode;
  actions?: ReactNode;
  /** Whether it is announced when it appears: failures at once, others politely. */
  announce?: boolean;
}

/** An inline message with its actions. */
export function Notice({ tone = "plain", icon, children, actions, announce = true }: NoticeProps) {
  const picture = icon ?? (tone === "danger" || tone === "warning" ? "warning" : tone === "good" ? "check" : undefined);
  return (
    <div
      className={`${styles.notice} ${tone === "plain" ? "" : styles[tone]}`}
      role={announce ? (tone === "danger" ? "alert" : "status") : undefined}
    >
      <div className={`line top ${styles.text}`}>
        {picture ? <Icon name={picture} /> : null}
        <div>{children}</div>
      </div>
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  );
}
