import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { voiceLimits } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import {
  selectAsked,
  selectChanges,
  selectChanging,
  selectIsAvailable,
  selectIsEnabled,
  selectProfiles,
} from "#machines/voice-profiles/machine.ts";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { number } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { VoiceProfiles } from "./actor.ts";
import { ProfileRow } from "./profile-row.tsx";
import styles from "./voice-profiles.module.css";

interface VoiceProfilesProps {
  voices: VoiceProfiles;
}

/** Turns voice recognition on and off, explains it, and lists the known voices. */
export function VoiceProfilesCard({ voices }: VoiceProfilesProps) {
  const { t } = useTranslation("voice-profiles");
  const enabled = useSelector(voices, selectIsEnabled);
  return (
    <div className="stack">
      <LoadingNotices actor={voices} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {enabled === false ? <Off voices={voices} /> : null}
      {enabled === true ? <On voices={voices} /> : null}
      <Sure voices={voices} />
    </div>
  );
}

/** The current state as a heading. Takes the focus when a change has removed the focused element. */
function Heading({ voices, children }: VoiceProfilesProps & { children: ReactNode }) {
  const changes = useSelector(voices, selectChanges);
  return (
    <h3 key={changes} ref={changes === 0 ? undefined : claimFocus} tabIndex={-1}>
      {children}
    </h3>
  );
}

const facts = ["kept", "purpose", "place", "gone"] as const;

function About() {
  const { t } = useTranslation("voice-profiles");
  return (
    <ul className="bullets stack gap-2 measure">
      {facts.map((fact) => (
        <li key={fact}>{t(`about.${fact}`)}</li>
      ))}
    </ul>
  );
}

/** Explains what will be stored before the user turns it on. */
function Off({ voices }: VoiceProfilesProps) {
  const { t } = useTranslation("voice-profiles");
  const isAvailable = useSelector(voices, selectIsAvailable);
  const busy = useSelector(voices, selectChanging) !== null;
  return (
    <>
      <Heading voices={voices}>{t("isOff")}</Heading>
      <p>{t("ifOn")}</p>
      <About />
      <p className="measure strong">{t("consent")}</p>
      {isAvailable ? null : <Notice announce={false}>{t("notAvailable")}</Notice>}
      <Failure voices={voices} />
      <div className={`row ${styles.actions}`}>
        <Button
          busy={busy}
          aria-disabled={!isAvailable}
          onClick={() => {
            if (isAvailable) voices.send({ type: "change.requested", change: { kind: "switchOn" } });
          }}
        >
          {t("switchOn")}
        </Button>
      </div>
    </>
  );
}

function On({ voices }: VoiceProfilesProps) {
  const { t, i18n } = useTranslation("voice-profiles");
  const profiles = useSelector(voices, selectProfiles);
  const isAvailable = useSelector(voices, selectIsAvailable);
  const changing = useSelector(voices, selectChanging);
  return (
    <>
      {isAvailable ? null : <Notice announce={false}>{t("notAvailable")}</Notice>}
      <Heading voices={voices}>
        {profiles.length === 0 ? t("isOn") : t("count", { number: number(profiles.length, i18n.language) })}
      </Heading>
      {profiles.length === 0 ? <p>{t("none")}</p> : null}
      <ul className="divided stack gap-0">
        {profiles.map((profile) => (
          <ProfileRow key={profile.id} voices={voices} profile={profile} />
        ))}
      </ul>
      {profiles.length < voiceLimits.profiles ? null : (
        <Notice announce={false} icon="warning">
          {t("full", { max: number(voiceLimits.profiles, i18n.language) })}
        </Notice>
      )}
      <Failure voices={voices} />
      <div className={`row ${styles.actions}`}>
        <Button
          busy={changing?.kind === "switchOff"}
          onClick={() => voices.send({ type: "change.requested", change: { kind: "switchOff" } })}
        >
          {t("switchOff")}
        </Button>
        {profiles.length === 0 ? null : (
          <Button
            icon="trash"
            look="quiet"
            busy={changing?.kind === "removeAll"}
            onClick={() => voices.send({ type: "change.requested", change: { kind: "removeAll" } })}
          >
            {t("removeAll")}
          </Button>
        )}
      </div>
      <details className={styles.details}>
        <summary>{t("what")}</summary>
        <About />
      </details>
    </>
  );
}

function Failure({ voices }: VoiceProfilesProps) {
  const { t } = useTranslation("voice-profiles");
  const failure = useSelector(voices, selectFailure);
  if (failure === null) return null;
  return <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>;
}

/** Asks for confirmation before voice prints are deleted. */
function Sure({ voices }: VoiceProfilesProps) {
  const { t } = useTranslation("voice-profiles");
  const asked = useSelector(voices, selectAsked);
  const profiles = useSelector(voices, selectProfiles);
  if (asked === null) return null;
  const name = asked.kind === "remove" ? (profiles.find(({ id }) => id === asked.id)?.name ?? "") : "";
  return (
    <ConfirmDialog
      title={t(`sure.${asked.kind}.title`, { name })}
      text={t(`sure.${asked.kind}.text`)}
      confirmLabel={t(`sure.${asked.kind}.yes`)}
      cancelLabel={t("sure.keep")}
      onConfirm={() => voices.send({ type: "change.confirmed" })}
      onCancel={() => voices.send({ type: "change.dismissed" })}
    />
  );
}
