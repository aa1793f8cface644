import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type CreatedSharedLink, sharedAddress } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import type { Sharing } from "./actor.ts";
import { focusOnSight } from "./focus-on-sight.ts";
import styles from "./sharing.module.css";

/** The address of a new link, shown this once. */
export function NewAddress({ sharing, created }: { sharing: Sharing; created: CreatedSharedLink }) {
  const { t } = useTranslation("sharing");
  const [copied, setCopied] = useState<"yes" | "no" | null>(null);
  const address = `${location.origin}/shared#${sharedAddress(created)}`;
  const copy = async () => {
    try {
      // Without https there is no clipboard at all.
      await navigator.clipboard.writeText(address);
      setCopied("yes");
    } catch {
      setCopied("no");
    }
  };
  return (
    <section className={styles.secret} aria-labelledby="new-address">
      <h3 id="new-address" ref={focusOnSight} tabIndex={-1} className={styles.heading}>
        {t("created.title")}
      </h3>
      <p>{t(created.locked ? "created.textLocked" : "created.text")}</p>
      <code className={styles.value} data-testid="new-address">
        {address}
      </code>
      <div className={styles.actions}>
        <Button icon={copied === "yes" ? "check" : "copy"} look="primary" onClick={() => void copy()}>
          {t("created.copy")}
        </Button>
        <Button onClick={() => sharing.send({ type: "address.dismissed" })}>{t("created.done")}</Button>
        <span className={styles.fine} role="status">
          {copied === null ? "" : t(copied === "yes" ? "created.copied" : "created.notCopied")}
        </span>
      </div>
    </section>
  );
}
