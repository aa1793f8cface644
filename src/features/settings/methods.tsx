import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectData } from "#machines/query.ts";
import { selectUser } from "#machines/session/selectors.ts";
import type { AccountField } from "#src/features/account/account-form.tsx";
import { openSession } from "#src/features/session/actor.ts";
import { dateTime, timeOfDay } from "#src/i18n/format.ts";
import type { Settings } from "./actor.ts";
import { Card, ChangeForm, LoadFailure, Outcome, PartButton } from "./part.tsx";
import styles from "./settings.module.css";

const password: AccountField = {
  name: "password",
  label: "settings:password.present",
  type: "password",
  autoComplete: "current-password",
  required: true,
};

const useMethods = ({ methods }: Settings) => useSelector(methods.list, selectData);

/** The linked provider accounts; nothing where no provider is configured or linked. */
export function Methods({ settings }: { settings: Settings }) {
  const { t, i18n } = useTranslation("settings");
  const { methods } = settings;
  const known = useMethods(settings);
  const user = useSelector(openSession(), selectUser);
  const hasPassword = user?.hasPassword !== false;
  if (known !== null && known.provider === null && known.linked.length === 0) return null;
  const provider = known?.provider ?? known?.linked[0]?.issuer ?? "";
  return (
    <Card id="methods" title={t("methods.title")}>
      <LoadFailure query={methods.list} text={t("methods.failed")} />
      {known === null ? null : known.linked.length === 0 ? (
        <>
          <Outcome part={methods.unlink} />
          <p className={styles.soft}>{t("methods.none", { provider })}</p>
          <PartButton part={methods.link} label={t("methods.link", { provider })} />
        </>
      ) : (
        <>
          {known.linked.map(({ issuer, linkedAt }) => (
            <p key={`${issuer} ${linkedAt}`}>{t("methods.linked", { provider, date: dateTime(linkedAt, i18n.language) })}</p>
          ))}
          {hasPassword ? (
            <ChangeForm
              part={methods.unlink}
              label={t("methods.unlinkBegin", { provider })}
              headingId="methods"
              fields={[password]}
              username={user?.email}
              submitLabel={t("methods.unlink", { provider })}
            />
          ) : (
            <p className={styles.soft}>{t("methods.passwordFirst")}</p>
          )}
        </>
      )}
    </Card>
  );
}

/** Confirmation by a fresh sign-in at the provider, for accounts without a password. Nothing for others. */
export function Confirmation({ settings }: { settings: Settings }) {
  const { t, i18n } = useTranslation("settings");
  const known = useMethods(settings);
  const hasPassword = useSelector(openSession(), (snapshot) => selectUser(snapshot)?.hasPassword !== false);
  if (hasPassword || known === null) return null;
  if (known.provider === null) {
    return (
      <p className={styles.soft}>
        {t("methods.byMail")} <Link to="/forgot-password">{t("methods.byMailLink")}</Link>
      </p>
    );
  }
  const { provider, confirmedUntil } = known;
  return (
    <div className={styles.stack}>
      <p className={styles.soft} role="status">
        {confirmedUntil === null
          ? t("methods.confirmText", { provider })
          : t("methods.confirmed", { time: timeOfDay(Date.parse(confirmedUntil), i18n.language) })}
      </p>
      <PartButton part={settings.methods.confirm} label={t("methods.confirm", { provider })} />
    </div>
  );
}
