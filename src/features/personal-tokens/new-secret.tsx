import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CreatedPersonalToken } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import type { PersonalTokens } from "./actor.ts";
import styles from "./personal-tokens.module.css";

/** It is where the form was, which was taller: the whole of it is to be seen. */
const show = (section: HTMLElement | null) => section?.scrollIntoView({ block: "center" });

/** The new token, shown this once. */
export function NewSecret({ tokens, created }: { tokens: PersonalTokens; created: CreatedPersonalToken }) {
  const { t } = useTranslation("personal-tokens");
  const [copied, setCopied] = useState<"yes" | "no" | null>(null);
  const copy = async () => {
    try {
      // Without https there is no clipboard at all.
      await navigator.clipboard.writeText(created.token);
      setCopied("yes");
    } catch {
      setCopied("no");
    }
  };
  return (
    <section ref={show} className={styles.secret} aria-labelledby="new-token">
      <h3 id="new-token" ref={claimFocus} tabIndex={-1} className={styles.heading}>
        {t("created.title", { name: created.name })}
      </h3>
      <p>{t("created.text")}</p>
      <code className={styles.value} data-testid="new-token">
        {created.token}
      </code>
      <div className={styles.actions}>
        <Button icon={copied === "yes" ? "check" : "copy"} look="primary" onClick={() => void copy()}>
          {t("created.copy")}
        </Button>
        <Button onClick={() => tokens.send({ type: "secret.dismissed" })}>{t("created.done")}</Button>
        <span className={styles.fine} role="status">
          {copied === null ? "" : t(copied === "yes" ? "created.copied" : "created.notCopied")}
        </span>
      </div>
    </section>
  );
}
