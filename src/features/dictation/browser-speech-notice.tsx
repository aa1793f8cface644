import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { SpeechLanguage } from "#contract/index.ts";
import {
  type BrowserSpeechActor,
  selectBrowserLanguages,
  selectHasConsent,
  selectHasInstallFailed,
  selectInstalling,
} from "#machines/dictation/browser-speech/machine.ts";
import { selectCanStart } from "#machines/dictation/selectors.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Recorder } from "./recorder-actor.ts";

interface BrowserSpeechNoticeProps {
  speech: BrowserSpeechActor;
  recorder: Recorder;
  /** The chosen language, which the browser's recognizer transcribes. */
  code: SpeechLanguage;
}

/**
 * Says who recognizes the chosen language. Asks for consent once, before the browser's vendor may receive any speech.
 */
export function BrowserSpeechNotice({ speech, recorder, code }: BrowserSpeechNoticeProps) {
  const { t, i18n } = useTranslation("dictation");
  const language = useSelector(speech, selectBrowserLanguages).find((one) => one.code === code);
  const hasConsent = useSelector(speech, selectHasConsent);
  const isFree = useSelector(recorder.actor, selectCanStart);
  if (language === undefined) return null;
  const name = languageName(code, i18n.language);
  if (language.place === "device") return <Notice announce={false}>{t("browser.onDevice", { language: name })}</Notice>;
  return (
    <Notice
      icon={hasConsent ? undefined : "warning"}
      actions={
        <>
          {hasConsent ? (
            <Button disabled={!isFree} onClick={() => speech.send({ type: "consent.withdrawn" })}>
              {t("browser.withdraw")}
            </Button>
          ) : (
            <Button look="primary" onClick={() => speech.send({ type: "consent.given" })}>
              {t("browser.agree")}
            </Button>
          )}
          {language.isInstallable ? <InstallButton speech={speech} code={code} isFree={isFree} /> : null}
        </>
      }
    >
      <strong>{t(hasConsent ? "browser.agreed" : "browser.question", { language: name })}</strong>
      {hasConsent ? (
        <details>
          <summary>{t("browser.what")}</summary>
          <Meaning />
        </details>
      ) : (
        <Meaning />
      )}
      <InstallState speech={speech} />
    </Notice>
  );
}

function Meaning() {
  const { t } = useTranslation("dictation");
  return (
    <>
      <p>{t("browser.vendor")}</p>
      <p>{t("browser.limits")}</p>
    </>
  );
}

function InstallButton({ speech, code, isFree }: Pick<BrowserSpeechNoticeProps, "speech" | "code"> & { isFree: boolean }) {
  const { t } = useTranslation("dictation");
  const installing = useSelector(speech, selectInstalling);
  return (
    <Button
      icon="download"
      busy={installing !== null}
      disabled={!isFree}
      onClick={() => speech.send({ type: "install.requested", code })}
    >
      {t("browser.install")}
    </Button>
  );
}

function InstallState({ speech }: Pick<BrowserSpeechNoticeProps, "speech">) {
  const { t } = useTranslation("dictation");
  const isInstalling = useSelector(speech, selectInstalling) !== null;
  const hasFailed = useSelector(speech, selectHasInstallFailed);
  if (isInstalling) return <p>{t("browser.installing")}</p>;
  return hasFailed ? <p>{t("browser.installFailed")}</p> : null;
}
