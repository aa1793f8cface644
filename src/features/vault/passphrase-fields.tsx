import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { shortestPassphrase, strengthOf } from "./passphrase.ts";
import styles from "./vault.module.css";

interface PassphraseFormProps {
  /** The button's label. */
  label: string;
  busy: boolean;
  /** The current one is asked for first. */
  asksPresent?: boolean;
  /** The error of the last attempt. */
  problem?: string | undefined;
  children?: ReactNode;
  onChoose(next: string, present: string): void;
}

/** A new passphrase, typed twice, with its strength. */
export function PassphraseForm({ label, busy, asksPresent = false, problem, children, onChoose }: PassphraseFormProps) {
  const { t } = useTranslation("vault");
  const [typed, setTyped] = useState({ present: "", next: "", again: "" });
  const [checked, setChecked] = useState(false);
  const strength = strengthOf(typed.next);
  const weak = strength === 0 ? t("passphrase.tooWeak", { count: shortestPassphrase }) : undefined;
  const different = typed.next === typed.again ? undefined : t("passphrase.different");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setChecked(true);
    const fields = event.currentTarget.querySelectorAll("input");
    const wrong = weak ? fields[asksPresent ? 1 : 0] : different ? fields[asksPresent ? 2 : 1] : fields[0];
    wrong?.focus();
    if (!weak && !different) onChoose(typed.next, typed.present);
  };
  const field = (name: keyof typeof typed) => ({
    type: "password",
    value: typed[name],
    maxLength: 1000,
    onChange: (event: { target: HTMLInputElement }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {asksPresent ? (
        <TextField {...field("present")} label={t("passphrase.present")} error={problem} autoComplete="off" required />
      ) : null}
      <TextField
        {...field("next")}
        label={t(asksPresent ? "passphrase.new" : "passphrase.label")}
        hint={t("passphrase.hint", { count: shortestPassphrase })}
        error={(checked && weak) || (asksPresent ? undefined : problem)}
        autoComplete="new-password"
        required
      />
      <Strength value={strength} />
      <TextField
        {...field("again")}
        label={t("passphrase.again")}
        error={checked ? different : undefined}
        autoComplete="new-password"
        required
      />
      {children}
      <Button type="submit" look="primary" busy={busy}>
        {label}
      </Button>
      <p className={styles.fine} role="status">
        {busy ? t("passphrase.working") : ""}
      </p>
    </form>
  );
}

function Strength({ value }: { value: 0 | 1 | 2 | 3 }) {
  const { t } = useTranslation("vault");
  return (
    <div className={styles.strength}>
      <meter className="visuallyHidden" min={0} max={3} value={value} aria-label={t("passphrase.strength")} />
      <span className={styles.bars} data-strength={value} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className={styles.fine}>{t(`passphrase.strengths.${value}`)}</span>
    </div>
  );
}
