import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { SpeechLanguage, tryOutSeconds } from "#contract/index.ts";
import {
  selectFailure,
  selectIsBusy,
  selectIsDisconnected,
  selectIsFinishing,
  selectIsIdle,
  selectIsRecording,
  selectKept,
} from "#machines/tryout/machine.ts";
import { failureKey, isLacking } from "#src/audio/microphone-problem.ts";
import { InterimText } from "#src/features/dictation/interim-text.tsx";
import { LevelMeter } from "#src/features/dictation/level-meter.tsx";
import { serverLanguages } from "#src/features/engines/server-languages.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { clock, languageName } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { SelectField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { openTryOut, type TryOut } from "./actor.ts";
import styles from "./tryout.module.css";

/** For the panel: it comes into sight when it was asked for, and nobody is recorded unseen (what was said until then is kept). */
const followPanel =
  ({ actor }: TryOut, focused: boolean) =>
  (panel: HTMLElement | null) => {
    if (panel === null) return;
    if (focused) panel.scrollIntoView({ block: "nearest" });
    return () => actor.send({ type: "stop.requested" });
  };

/** Thirty seconds of dictation for a visitor. @param focused it has been asked for just now */
export function TryOutPanel({ focused }: { focused: boolean }) {
  const { t } = useTranslation("tryout");
  const tryOut = openTryOut();
  const [follow] = useState(() => followPanel(tryOut, focused));
  return (
    <section ref={follow} className={styles.panel} aria-labelledby="try-out">
      <h2 id="try-out">{t("title")}</h2>
      <p className={styles.fine}>
        {t("lead")} <Link to="/privacy">{t("titles.privacy")}</Link>
      </p>
      <Controls tryOut={tryOut} focused={focused} />
      <Words tryOut={tryOut} />
      <Failure tryOut={tryOut} />
      <Kept tryOut={tryOut} />
    </section>
  );
}

/** The languages that can be tried; the interface's own first, if it is one of them. */
function languagesToTry(own: string): SpeechLanguage[] {
  const codes = serverLanguages("tries").flatMap((code) => {
    const parsed = v.safeParse(SpeechLanguage, code);
    return parsed.success ? [parsed.output] : [];
  });
  return codes.toSorted((a, b) => Number(baseLanguage(b) === own) - Number(baseLanguage(a) === own));
}

function Controls({ tryOut, focused }: { tryOut: TryOut; focused: boolean }) {
  const { t, i18n } = useTranslation("tryout");
  const { actor, level } = tryOut;
  const recording = useSelector(actor, selectIsRecording);
  const idle = useSelector(actor, selectIsIdle);
  const busy = useSelector(actor, selectIsBusy);
  const kept = useSelector(actor, selectKept) !== null;
  const languages = languagesToTry(baseLanguage(i18n.language));
  const [language, setLanguage] = useState(languages[0] ?? "en");
  if (kept) return null;
  return (
    <div className={styles.controls}>
      {recording ? (
        <Button look="primary" icon="stop" onClick={() => actor.send({ type: "stop.requested" })}>
          {t("app:speech.stop")}
        </Button>
      ) : (
        <Button
          look="primary"
          icon="microphone"
          autoFocus={focused}
          busy={busy || !idle}
          onClick={() => actor.send({ type: "start.requested", language })}
        >
          {t("app:speech.start")}
        </Button>
      )}
      {idle && languages.length > 1 ? (
        <SelectField
          label={t("app:languages.spoken")}
          labelHidden
          name="tryOutLanguage"
          value={language}
          onChange={({ target }) => setLanguage(languages.find((code) => code === target.value) ?? language)}
        >
          {languages.map((code) => (
            <option key={code} value={code}>
              {languageName(code, i18n.language)}
            </option>
          ))}
        </SelectField>
      ) : null}
      {idle && languages.length === 1 ? <span>{t("speak", { language: languageName(language, i18n.language) })}</span> : null}
      {recording ? <LevelMeter level={level} /> : null}
      <State tryOut={tryOut} />
    </div>
  );
}

function State({ tryOut: { actor, elapsed } }: { tryOut: TryOut }) {
  const { t } = useTranslation("app");
  const recording = useSelector(actor, selectIsRecording);
  const finishing = useSelector(actor, selectIsFinishing);
  const lost = useSelector(actor, selectIsDisconnected);
  const seconds = useSyncExternalStore(elapsed.subscribe, () => Math.floor(elapsed.get()));
  return (
    <>
      {recording ? (
        <span className={styles.time}>
          {t("tryout:time", { time: clock(Math.min(seconds, tryOutSeconds)), limit: clock(tryOutSeconds) })}
        </span>
      ) : null}
      <span className={styles.fine} role="status">
        {lost
          ? t(recording ? "speech.state.reconnecting" : "speech.state.finishingOffline")
          : finishing
            ? t("speech.state.stopping")
            : ""}
      </span>
    </>
  );
}

function Words({ tryOut: { actor, captions } }: { tryOut: TryOut }) {
  const { t } = useTranslation("app");
  const { lines, partial } = useSyncExternalStore(captions.subscribe, captions.get);
  const idle = useSelector(actor, selectIsIdle);
  if (idle) return null;
  return (
    <div className={styles.words} data-testid="try-out-words" aria-live="polite">
      {lines.length === 0 && partial === null ? <p className={styles.fine}>{t("speech.placeholder")}</p> : null}
      {lines.map(({ start, text }) => (
        <p key={start}>{text}</p>
      ))}
      {partial ? (
        <p>
          <InterimText {...partial} />
        </p>
      ) : null}
    </div>
  );
}

function Failure({ tryOut: { actor } }: { tryOut: TryOut }) {
  const { t } = useTranslation("tryout");
  const failure = useSelector(actor, selectFailure);
  if (failure === null) return null;
  const uploadInstead = (
    <Link className={buttonClass("secondary")} to="/signup">
      {t("signUpToUpload")}
    </Link>
  );
  return (
    <Notice tone="danger" actions={isLacking(failure) ? uploadInstead : null}>
      {t(failureKey(failure))}
    </Notice>
  );
}

function Kept({ tryOut: { actor } }: { tryOut: TryOut }) {
  const { t } = useTranslation("tryout");
  const kept = useSelector(actor, selectKept);
  if (kept === null) return null;
  return (
    <>
      <p>
        {t("kept", { time: clock(kept.seconds) })} {kept.isHeard ? "" : t("keptPart")}
      </p>
      <div className={styles.controls}>
        <Link className={buttonClass("primary")} to="/signup">
          {t("signUp")}
        </Link>
        <Button icon="trash" onClick={() => actor.send({ type: "discard.requested" })}>
          {t("discard")}
        </Button>
      </div>
    </>
  );
}
