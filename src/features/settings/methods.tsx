import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectData } from "#machines/query.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { dateTime, timeOfDay } from "#src/i18n/format.ts";
import { Card, ChangeForm, LoadFailure, Outcome, PartButton, presentPassword } from "./part.tsx";
import styles from "./settings.module.css";
import { type KnownProvider, knownProviders, type Methods } from "./sign-in-methods.ts";

/** The linked provider accounts. Renders nothing if no provider is configured or linked. */
export function OtherWays({ methods }: { methods: Methods }) {
  const { t } = useTranslation("settings");
  const known = useSelector(methods.list, selectData);
  const providers = known === null ? null : knownProviders(known);
  if (providers?.length === 0) return null;
  return (
    <Card id="methods" title={t("methods.title")}>
      <LoadFailure query={methods.list} text={t("methods.failed")} />
      {providers?.map((provider) => (
        <Provider key={provider.issuer} methods={methods} provider={provider} />
      ))}
    </Card>
  );
}

function Provider({ methods, provider }: { methods: Methods; provider: KnownProvider }) {
  const { t, i18n } = useTranslation("settings");
  const user = useSelector(openSession(), selectUser);
  const hasPassword = user?.hasPassword !== false;
  const { link, unlink } = methods.of(provider);
  const { name, linkedAt } = provider;
  if (linkedAt === null) {
    return (
      <>
        <Outcome part={unlink} />
        <p className="note">{t("methods.none", { provider: name })}</p>
        <PartButton part={link} label={t("methods.link", { provider: name })} />
      </>
    );
  }
  return (
    <>
      <p>{t("methods.linked", { provider: name, date: dateTime(linkedAt, i18n.language) })}</p>
      {hasPassword ? (
        <ChangeForm
          part={unlink}
          label={t("methods.unlinkBegin", { provider: name })}
          headingId="methods"
          fields={[presentPassword("password")]}
          username={user?.email}
          submitLabel={t("methods.unlink", { provider: name })}
        />
      ) : (
        <p className="note">{t("methods.passwordFirst")}</p>
      )}
    </>
  );
}

/** Confirmation by a fresh sign-in at a provider, for accounts without a password. Renders nothing for others. */
export function Confirmation({ methods }: { methods: Methods }) {
  const { t, i18n } = useTranslation("settings");
  const known = useSelector(methods.list, selectData);
  const hasPassword = useSelector(openSession(), (snapshot) => selectUser(snapshot)?.hasPassword !== false);
  if (hasPassword || known === null) return null;
  const usable = knownProviders(known).filter(({ id, linkedAt }) => id !== null && linkedAt !== null);
  if (usable.length === 0) {
    return (
      <p className="note">
        {t("methods.byMail")} <Link to="/forgot-password">{t("methods.byMailLink")}</Link>
      </p>
    );
  }
  const { confirmedUntil } = known;
  const names = new Intl.ListFormat(i18n.language, { type: "disjunction" }).format(usable.map(({ name }) => name));
  return (
    <div className={`stack starts ${styles.stack}`}>
      <p className="note" role="status">
        {confirmedUntil === null
          ? t("methods.confirmText", { provider: names })
          : t("methods.confirmed", { time: timeOfDay(Date.parse(confirmedUntil), i18n.language) })}
      </p>
      {usable.map((provider) => (
        <PartButton
          key={provider.issuer}
          part={methods.of(provider).confirm}
          label={t("methods.confirm", { provider: provider.name })}
        />
      ))}
    </div>
  );
}
