import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { SignIn } from "#contract/index.ts";
import { selectIsUnavailable as selectHasNoPasskeys } from "#machines/passkeys/machine.ts";
import { selectData, selectIsLoading } from "#machines/query.ts";
import { selectIsUnavailable } from "#machines/second-factor/machine.ts";
import { selectUser } from "#machines/session/selectors.ts";
import type { AccountField } from "#src/features/account/account-form.tsx";
import type { PasskeysActor } from "#src/features/passkeys/actor.ts";
import { PasskeysCard } from "#src/features/passkeys/passkeys-card.tsx";
import type { SecondFactorActor } from "#src/features/second-factor/actor.ts";
import { SecondFactorCard } from "#src/features/second-factor/second-factor-card.tsx";
import { openSession } from "#src/features/session/actor.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { allOthers } from "./active-sessions.ts";
import type { Settings } from "./actor.ts";
import { useDeviceName } from "./device-name.ts";
import { Confirmation, Methods } from "./methods.tsx";
import { Card, ChangeForm, LoadFailure, Outcome, PartButton, send, useIsBusy } from "./part.tsx";
import { RecentSignIns } from "./recent-sign-ins.tsx";
import styles from "./settings.module.css";

const email: AccountField = {
  name: "email",
  label: "settings:email.label",
  hint: "settings:email.hint",
  type: "email",
  autoComplete: "email",
  inputMode: "email",
  required: true,
};
const present = { label: "settings:password.present", type: "password", autoComplete: "current-password", required: true };
const chosen: AccountField = {
  name: "newPassword",
  label: "account.chosenPassword",
  hint: "account.passwordHint",
  type: "password",
  autoComplete: "new-password",
  required: true,
};

interface EntryProps {
  settings: Settings;
  secondFactor: SecondFactorActor;
  passkeys: PasskeysActor;
}

/** Sign-in methods and active sessions. */
export function Entry({ settings, secondFactor, passkeys }: EntryProps) {
  const { t } = useTranslation("settings");
  const user = useSelector(openSession(), selectUser);
  const hasPassword = user?.hasPassword !== false;
  const hasSecondFactor = !useSelector(secondFactor, selectIsUnavailable);
  const hasPasskeys = !useSelector(passkeys, selectHasNoPasskeys);
  const asked = (name: string): AccountField[] => (hasPassword ? [{ name, ...present }] : []);
  return (
    <>
      <Card id="email" title={t("email.title")}>
        <p>{t("email.now", { email: user?.email ?? "" })}</p>
        {user?.emailVerified === false ? (
          <div className={styles.form}>
            <Notice announce={false}>{t("email.unconfirmed")}</Notice>
            <PartButton part={settings.resend} replaces={settings.email} label={t("email.resend")} />
          </div>
        ) : null}
        <ChangeForm
          part={settings.email}
          replaces={settings.resend}
          label={t("change")}
          headingId="email"
          before={<Confirmation settings={settings} />}
          fields={[email, ...asked("password")]}
          username={user?.email}
          submitLabel={t("email.submit")}
        />
      </Card>
      <Card id="password" title={t("password.title")}>
        <p className={styles.soft}>{t(hasPassword ? "password.others" : "password.none")}</p>
        <ChangeForm
          part={settings.password}
          label={t(hasPassword ? "change" : "choose")}
          headingId="password"
          before={<Confirmation settings={settings} />}
          fields={[...asked("currentPassword"), chosen]}
          username={user?.email}
          submitLabel={t(hasPassword ? "password.submit" : "password.choose")}
        />
      </Card>
      {hasSecondFactor ? (
        <Card id="second-factor" title={t("second-factor:title")}>
          <SecondFactorCard factor={secondFactor} confirmation={<Confirmation settings={settings} />} />
        </Card>
      ) : null}
      {hasPasskeys ? (
        <Card id="passkeys" title={t("passkeys:title")}>
          <PasskeysCard passkeys={passkeys} confirmation={<Confirmation settings={settings} />} />
        </Card>
      ) : null}
      <Methods settings={settings} />
      <ActiveSessions settings={settings} />
      <RecentSignIns settings={settings} />
    </>
  );
}

function ActiveSessions({ settings: { activeSessions } }: { settings: Settings }) {
  const { t } = useTranslation("settings");
  const known = useSelector(activeSessions.list, selectData);
  const loading = useSelector(activeSessions.list, selectIsLoading);
  const ending = useIsBusy(activeSessions.end);
  return (
    <Card id="active-sessions" title={t("signIns.title")}>
      <LoadFailure query={activeSessions.list} text={t("signIns.failed")} />
      {known === null && loading ? <p role="status">{t("loading")}</p> : null}
      {known === null ? null : (
        <ul className={styles.sessions}>
          {known.map((one) => (
            <Row key={one.id} signIn={one} busy={ending} onEnd={() => send(activeSessions.end, { id: one.id })} />
          ))}
        </ul>
      )}
      <Outcome part={activeSessions.end} />
      {known?.some(({ current }) => !current) ? (
        <Button busy={ending} onClick={() => send(activeSessions.end, { id: allOthers })}>
          {t("signIns.endAll")}
        </Button>
      ) : null}
    </Card>
  );
}

function Row({ signIn, busy, onEnd }: { signIn: SignIn; busy: boolean; onEnd(): void }) {
  const { t, i18n } = useTranslation("settings");
  const device = useDeviceName(signIn.device);
  const used = signIn.seenAt ?? signIn.createdAt;
  return (
    <li>
      <div>
        <strong>{device}</strong> {signIn.current ? <span className={styles.mark}>{t("signIns.current")}</span> : null}
        <p className={styles.soft}>
          {t("signIns.used", { date: dateTime(used, i18n.language) })}
          <br />
          {t("signIns.since", { date: dateTime(signIn.createdAt, i18n.language) })}
        </p>
      </div>
      {signIn.current ? null : (
        <Button aria-label={t("signIns.endOne", { device })} aria-disabled={busy} onClick={busy ? undefined : onEnd}>
          {t("signIns.end")}
        </Button>
      )}
    </li>
  );
}
