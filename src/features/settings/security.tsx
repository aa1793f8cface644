import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { SignIn } from "#contract/index.ts";
import { selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectData, selectIsLoading, selectIsOffered } from "#machines/query.ts";
import { selectUser } from "#machines/session/selectors.ts";
import type { AccountField } from "#src/features/account/account-form.tsx";
import { newPasswordField } from "#src/features/account/fields.ts";
import { PasskeysCard } from "#src/features/passkeys/passkeys-card.tsx";
import { SecondFactorCard } from "#src/features/second-factor/second-factor-card.tsx";
import { openSession } from "#src/features/session/actor.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { Button } from "#src/ui/button.tsx";
import entries from "#src/ui/entries.module.css";
import { allOthers } from "./active-sessions.ts";
import { useDeviceName } from "./device-name.ts";
import { Confirmation, OtherWays } from "./methods.tsx";
import { Card, ChangeForm, LoadFailure, Outcome, presentPassword, send, useIsBusy } from "./part.tsx";
import { RecentSignIns } from "./recent-sign-ins.tsx";
import { NotOffered, SectionView } from "./section-view.tsx";
import type { SecurityState } from "./states.ts";

const chosen: AccountField = { ...newPasswordField, name: "newPassword" };

/** The user's ways to sign in, and their sessions. */
export function Security(state: SecurityState) {
  const { t } = useTranslation("settings");
  const { secondFactor, passkeys, methods } = state;
  const offered = useSelector(state.activeSessions.list, selectIsOffered);
  const hasSecondFactor = !useSelector(secondFactor, selectIsUnavailable);
  const hasPasskeys = !useSelector(passkeys, selectIsUnavailable);
  const confirmation = <Confirmation methods={methods} />;
  if (!offered) {
    return (
      <SectionView name="security">
        <NotOffered what="account" />
      </SectionView>
    );
  }
  return (
    <SectionView name="security">
      <PasswordCard {...state} />
      {hasSecondFactor ? (
        <Card id="second-factor" title={t("second-factor:title")}>
          <SecondFactorCard factor={secondFactor} confirmation={confirmation} />
        </Card>
      ) : null}
      {hasPasskeys ? (
        <Card id="passkeys" title={t("passkeys:title")}>
          <PasskeysCard passkeys={passkeys} confirmation={confirmation} />
        </Card>
      ) : null}
      <OtherWays methods={methods} />
      <ActiveSessions {...state} />
      <RecentSignIns {...state} />
    </SectionView>
  );
}

function PasswordCard({ password, methods }: SecurityState) {
  const { t } = useTranslation("settings");
  const user = useSelector(openSession(), selectUser);
  const hasPassword = user?.hasPassword !== false;
  return (
    <Card id="password" title={t("password.title")} text={t(hasPassword ? "password.others" : "password.none")}>
      <ChangeForm
        part={password}
        label={t(hasPassword ? "change" : "choose")}
        headingId="password"
        before={<Confirmation methods={methods} />}
        fields={hasPassword ? [presentPassword("currentPassword"), chosen] : [chosen]}
        username={user?.email}
        submitLabel={t(hasPassword ? "password.submit" : "password.choose")}
      />
    </Card>
  );
}

function ActiveSessions({ activeSessions }: SecurityState) {
  const { t } = useTranslation("settings");
  const known = useSelector(activeSessions.list, selectData);
  const loading = useSelector(activeSessions.list, selectIsLoading);
  const ending = useIsBusy(activeSessions.end);
  return (
    <Card id="active-sessions" title={t("signIns.title")}>
      <LoadFailure query={activeSessions.list} text={t("signIns.failed")} />
      {known === null && loading ? <p role="status">{t("loading")}</p> : null}
      {known === null ? null : (
        <ul className="stack gap-0">
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
    <li className={entries.entry}>
      <div>
        <strong>{device}</strong> {signIn.current ? <Badge tone="good">{t("signIns.current")}</Badge> : null}
        <p className="note">
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
