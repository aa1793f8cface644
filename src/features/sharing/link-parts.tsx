import { useTranslation } from "react-i18next";
import { minPasswordLength, type SharedLink } from "#contract/index.ts";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { dayOf } from "./form-values.ts";

// Shared by links to transcripts and links to recordings.

const passphraseFlaws = ["shortPassphrase", "longPassphrase", "blankPassphrase", "passwordCommon"];

/** Failures that are shown at their field. */
export const fieldFailures = ["pastEnd", ...passphraseFlaws];

interface FieldProps {
  /** The code of the last failure to create or change the link; null: none. */
  failure: string | null;
}

/** The day at whose end the link expires. @param expiresAt the current value, ISO 8601 */
export function EndField({ failure, expiresAt = null }: FieldProps & Partial<Pick<SharedLink, "expiresAt">>) {
  const { t } = useTranslation("sharing");
  return (
    <TextField
      name="day"
      type="date"
      label={t("form.until")}
      hint={t("form.untilHint")}
      error={failure === "pastEnd" ? t("failure.pastEnd") : undefined}
      defaultValue={expiresAt === null ? "" : dayOf(expiresAt)}
    />
  );
}

/** The passphrase that the link's visitors must enter. */
export function PassphraseField({ failure, hint }: FieldProps & { hint: string }) {
  const { t } = useTranslation("sharing");
  const flaw = failure !== null && passphraseFlaws.includes(failure) ? failure : null;
  return (
    <TextField
      name="passphrase"
      type="password"
      label={t("form.passphrase")}
      hint={hint}
      error={flaw === null ? undefined : t(`failure.${flaw}`, { count: minPasswordLength })}
      autoComplete="new-password"
    />
  );
}

/** When the link expires or has ended. Renders nothing for a link without an end. */
export function End({ link: { expiresAt, ended } }: { link: Pick<SharedLink, "expiresAt" | "ended"> }) {
  const { t, i18n } = useTranslation("sharing");
  if (expiresAt === null) return null;
  return (
    <span className={ended ? "wrong" : undefined}>{t(ended ? "ended" : "until", { date: date(expiresAt, i18n.language) })}</span>
  );
}

interface RevokeProps {
  link: Pick<SharedLink, "createdAt">;
  look?: "secondary" | "quiet";
  busy: boolean;
  onRevoke(): void;
}

/** Revokes a link after a confirmation. */
export function Revoke({ link: { createdAt }, look = "secondary", busy, onRevoke }: RevokeProps) {
  const { t, i18n } = useTranslation("sharing");
  const label = t("revokeWhich", { date: dateTime(createdAt, i18n.language) });
  return (
    <Button look={look} aria-label={label} busy={busy} onClick={onRevoke}>
      {t("revoke")}
    </Button>
  );
}
