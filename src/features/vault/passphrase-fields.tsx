import { useSelector } from "@xstate/react";
import { type FormEvent, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { selectIsDifferent, selectIsWeak, selectStrength } from "#machines/vault/passphrase.ts";
import { selectFailure, selectIsBusy } from "#machines/vault/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import type { OpenVault } from "./actor.ts";
import { shortestPassphrase, strengthOf } from "./passphrase.ts";
import { problemKey } from "./problem.ts";
import styles from "./vault.module.css";

interface PassphraseFormProps {
  vault: OpenVault;
  /** The button's label. */
  label: string;
  /** Whether the form asks for the current passphrase first. */
  asksPresent?: boolean;
  onChoose(next: string, present: string): void;
}

/** A form for a new passphrase, typed twice, with its strength. */
export function PassphraseForm({ vault, label, asksPresent = false, onChoose }: PassphraseFormProps) {
  const { t } = useTranslation("vault");
  const { actor, passphrase } = vault;
  const busy = useSelector(actor, selectIsBusy);
  const failure = useSelector(actor, selectFailure);
  const isWeak = useSelector(passphrase, selectIsWeak);
  const isDifferent = useSelector(passphrase, selectIsDifferent);
  const problem = failure === null ? undefined : t(problemKey(failure));
  // Must stay the same function, so that React calls it only when the form appears.
  const open = useCallback(
    (form: HTMLFormElement | null) => {
      if (form !== null) passphrase.send({ type: "form.opened" });
    },
    [passphrase],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    passphrase.send({ type: "submit.requested" });
    const [first, next, again] = fieldsOf(event.currentTarget);
    const now = passphrase.getSnapshot();
    const wrong = selectIsWeak(now) ? next : selectIsDifferent(now) ? again : undefined;
    (wrong ?? first)?.focus();
    if (wrong === undefined) onChoose(typedIn(next), asksPresent ? typedIn(first) : "");
  };
  return (
    <form
      ref={open}
      className={`stack compact gap-4 ${styles.form}`}
      noValidate
      onSubmit={submit}
      onChange={(event) => {
        const [, next, again] = fieldsOf(event.currentTarget).map(typedIn);
        passphrase.send({ type: "fields.changed", strength: strengthOf(next ?? ""), isSame: next === again });
      }}
    >
      {asksPresent ? <TextField {...secret} label={t("passphrase.present")} error={problem} autoComplete="off" required /> : null}
      <TextField
        {...secret}
        label={t(asksPresent ? "passphrase.new" : "passphrase.label")}
        hint={t("passphrase.hint", { count: shortestPassphrase })}
        error={isWeak ? t("passphrase.tooWeak", { count: shortestPassphrase }) : asksPresent ? undefined : problem}
        autoComplete="new-password"
        required
      />
      <Strength passphrase={passphrase} />
      <TextField
        {...secret}
        label={t("passphrase.again")}
        error={isDifferent ? t("passphrase.different") : undefined}
        autoComplete="new-password"
        required
      />
      <Button type="submit" look="primary" busy={busy}>
        {label}
      </Button>
      <p className="roomless fine digits" role="status">
        {busy ? t("passphrase.working") : ""}
      </p>
    </form>
  );
}

const secret = { type: "password", maxLength: 1000 };
const typedIn = (field: HTMLInputElement | undefined): string => field?.value ?? "";

/** The first field, the new passphrase, and its repetition. */
function fieldsOf(form: HTMLFormElement): (HTMLInputElement | undefined)[] {
  const fields = [...form.querySelectorAll("input")];
  return [fields[0], ...fields.slice(-2)];
}

function Strength({ passphrase }: Pick<OpenVault, "passphrase">) {
  const { t } = useTranslation("vault");
  const value = useSelector(passphrase, selectStrength);
  return (
    <div className="line gap-3">
      <meter className="visuallyHidden" min={0} max={3} value={value} aria-label={t("passphrase.strength")} />
      <span className={styles.bars} data-strength={value} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="fine digits">{t(`passphrase.strengths.${value}`)}</span>
    </div>
  );
}
