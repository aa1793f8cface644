import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { selectUser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { TextField } from "#src/ui/field.tsx";

/**
 * The form field `password` for the current password.
 * @param confirmation shown to users without a password: a fresh sign-in at a provider
 */
export function PresentPassword({ confirmation }: { confirmation: ReactNode }) {
  const { t } = useTranslation("settings");
  const user = useSelector(openSession(), selectUser);
  if (user?.hasPassword === false) return confirmation;
  return (
    <>
      <input hidden type="email" autoComplete="username" value={user?.email ?? ""} readOnly />
      <TextField name="password" type="password" label={t("password.present")} autoComplete="current-password" required />
    </>
  );
}
