import { useSelector } from "@xstate/react";
import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { isPersonalPassword, passwordFlaw } from "#contract/index.ts";
import type { AccountForm } from "./forms.ts";
import styles from "./password-strength.module.css";
import { scorer } from "./password-strength.ts";

const steps = [1, 2, 3, 4] as const;

/**
 * Shows the strength of a new password while the user types. Only a hint: the form and the server decide what is
 * rejected.
 */
export default function PasswordStrength({ form, name, email = "" }: { form: AccountForm; name: string; email?: string }) {
  const { t } = useTranslation();
  const password = useSelector(form, ({ context }) => context.values[name] ?? "");
  const typedEmail = useSelector(form, ({ context }) => context.values.email ?? email);
  const score = useSyncExternalStore(scorer.subscribe, scorer.get);
  const strength = useMemo(() => {
    if (password === "" || score === null) return null;
    const refused = passwordFlaw(password) !== undefined || isPersonalPassword(password, typedEmail);
    return refused ? 0 : score(password, [typedEmail, ...typedEmail.split("@"), "parlance"]);
  }, [password, typedEmail, score]);
  return (
    <div className={styles.strength} data-strength={strength ?? undefined}>
      <div className={styles.bar} aria-hidden="true">
        {steps.map((step) => (
          <span key={step} className={strength !== null && strength >= step ? styles.reached : undefined} />
        ))}
      </div>
      <p role="status">{strength === null ? "" : t(`account.strength.${strength}`)}</p>
    </div>
  );
}
