import { useTranslation } from "react-i18next";
import { minPasswordLength, type SharedLink } from "#contract/index.ts";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { dayOf } from "./form-values.ts";

// What links to transcripts and links to recordings show alike.

const passphraseFlaws = ["shortPassphrase", "longPassphrase", "blankPassphrase", "passwordCommon"];

/** Failures that stand beside their field. */
export const fieldFailures = ["pastEnd", ...passphraseFlaws];

interface FieldProps {
  /** Why the link could not be made or changed: a code; null unless it could not. */
  failure: string | null;
}

/** The day at whose end a link ends. @param expiresAt ISO 8601: as it is now */
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

/** The passphrase that whoever opens a link is asked for. */
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

/** Until when a link works, or when it ended; nothing for one that works until it is revoked. */
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

/** Ends a link, after a question. */
export function Revoke({ link: { createdAt }, look = "secondary", busy, onRevoke }: RevokeProps) {
  const { t, i18n } = useTranslation("sharing");
  const label = t("revokeWhich", { date: dateTime(createdAt, i18n.language) });
  return (
    <Button look={look} aria-label={label} busy={busy} onClick={onRevoke}>
      {t("revoke")}
    </Button>
  );
}
