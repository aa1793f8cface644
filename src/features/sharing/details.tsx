import { useSelector } from "@xstate/react";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SharedLink } from "#contract/index.ts";
import { selectFailureOf, selectIsDoing, selectSaves } from "#machines/sharing/machine.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import entries from "#src/ui/entries.module.css";
import { TextField } from "#src/ui/field.tsx";
import type { Sharing } from "./actor.ts";
import { changeIn } from "./form-values.ts";
import { EndField, PassphraseField } from "./link-parts.tsx";
import styles from "./sharing.module.css";

/** Rarely needed options: a link's end, its passphrase, and the name on its page. Closes after saving. */
export function Details({ sharing, link, children }: { sharing: Sharing; link: SharedLink; children?: ReactNode }) {
  const { t } = useTranslation("sharing");
  const saves = useSelector(sharing, (snapshot) => selectSaves(snapshot, link.id));
  const saving = useSelector(sharing, (snapshot) => selectIsDoing(snapshot, "details", link.id));
  const failure = useSelector(sharing, (snapshot) => selectFailureOf(snapshot, link.id));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const change = changeIn(new FormData(event.currentTarget), link);
    if (!saving) sharing.send({ type: "details.submitted", id: link.id, change });
  };
  return (
    <details key={saves} className={styles.more}>
      <summary ref={saves === 0 ? undefined : claimFocus}>{t("more")}</summary>
      <form className={entries.form} noValidate aria-label={t("more")} onSubmit={submit}>
        <EndField failure={failure} expiresAt={link.expiresAt} />
        <PassphraseField failure={failure} hint={t(link.locked ? "form.passphraseKept" : "form.passphraseHint")} />
        {link.locked ? (
          <label className={entries.choice}>
            <input type="checkbox" name="unlocked" />
            <span>{t("form.unlocked")}</span>
          </label>
        ) : null}
        <TextField
          name="name"
          label={t("form.name")}
          hint={t("form.nameHint")}
          defaultValue={link.name}
          maxLength={80}
          autoComplete="off"
        />
        <div className="row">
          <Button type="submit" busy={saving}>
            {t("form.save")}
          </Button>
          {children}
        </div>
      </form>
    </details>
  );
}
