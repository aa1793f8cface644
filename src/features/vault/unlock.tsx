import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  selectFailure,
  selectIsAskedToErase,
  selectIsBusy,
  selectIsErasing,
  selectIsRecovering,
  selectItems,
  selectLockedBy,
  selectTotalSize,
} from "#machines/vault/selectors.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { OpenVault } from "./actor.ts";
import { problemKey } from "./problem.ts";
import styles from "./vault.module.css";

/** Focuses and selects the field for the next attempt, whatever was pressed. @returns the field's value */
function typedIn(event: FormEvent<HTMLFormElement>): string {
  event.preventDefault();
  const field = event.currentTarget.querySelector("input");
  field?.focus();
  field?.select();
  return field?.value ?? "";
}

/** Shown while the vault is locked: its size, and the ways to unlock it. */
export function Unlock({ vault }: { vault: OpenVault }) {
  const { t, i18n } = useTranslation("vault");
  const busy = useSelector(vault.actor, selectIsBusy);
  const recovering = useSelector(vault.actor, selectIsRecovering);
  const failure = useSelector(vault.actor, selectFailure);
  const lockedBy = useSelector(vault.actor, selectLockedBy);
  const items = useSelector(vault.actor, selectItems);
  const size = useSelector(vault.actor, selectTotalSize);
  const problem = failure === null || failure === "wrongRecoveryKey" ? undefined : t(problemKey(failure));
  return (
    <section className={`card pad-wide stack compact gap-4 ${styles.panel}`} aria-labelledby="unlock-heading">
      <h2 id="unlock-heading" ref={claimFocus} tabIndex={-1}>
        {t("unlock.title")}
      </h2>
      {lockedBy === "idle" ? <Notice>{t("unlock.wasIdle", { count: 15 })}</Notice> : null}
      <p>
        {items.length === 0 ? t("unlock.empty") : t("unlock.holds", { count: items.length, size: bytes(size, i18n.language) })}
      </p>
      <form
        className={`stack compact gap-4 ${styles.form}`}
        onSubmit={(event) => {
          const passphrase = typedIn(event);
          if (!busy && passphrase !== "") vault.unlock(passphrase);
        }}
      >
        <TextField type="password" label={t("passphrase.label")} error={problem} autoComplete="current-password" required />
        <p role="alert" className="visuallyHidden">
          {problem}
        </p>
        <Button type="submit" look="primary" busy={busy && !recovering}>
          {t("unlock.submit")}
        </Button>
        <p className="roomless fine digits" role="status">
          {busy ? t("unlock.working") : ""}
        </p>
      </form>
      <Forgotten vault={vault} />
    </section>
  );
}

function Forgotten({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  const failure = useSelector(vault.actor, selectFailure);
  const busy = useSelector(vault.actor, selectIsBusy);
  const recovering = useSelector(vault.actor, selectIsRecovering);
  const erasing = useSelector(vault.actor, selectIsErasing);
  const asking = useSelector(vault.actor, selectIsAskedToErase);
  const problem = failure === "wrongRecoveryKey" ? t(problemKey(failure)) : undefined;
  return (
    <details className={styles.more} open={problem !== undefined || undefined}>
      <summary>{t("unlock.forgotten")}</summary>
      <form
        className={`stack compact gap-4 ${styles.form}`}
        onSubmit={(event) => {
          const key = typedIn(event);
          if (!busy && key !== "") vault.recover(key);
        }}
      >
        <TextField
          label={t("unlock.recoveryKey")}
          hint={t("unlock.recoveryHint")}
          error={problem}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Button type="submit" busy={recovering}>
          {t("unlock.recover")}
        </Button>
      </form>
      <p>{t("unlock.lost")}</p>
      <Button icon="trash" busy={erasing} onClick={() => vault.actor.send({ type: "erase.requested" })}>
        {t("unlock.erase")}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t("unlock.eraseTitle")}
          text={t("unlock.eraseText")}
          confirmLabel={t("unlock.erase")}
          cancelLabel={t("keep")}
          onConfirm={() => vault.actor.send({ type: "erase.confirmed" })}
          onCancel={() => vault.actor.send({ type: "erase.cancelled" })}
        />
      ) : null}
    </details>
  );
}
