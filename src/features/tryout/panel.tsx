import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { Fragment, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { tryOutSeconds } from "#contract/index.ts";
import {
  selectFailure,
  selectIsBusy,
  selectIsDisconnected,
  selectIsFinishing,
  selectIsIdle,
  selectIsRecording,
  selectLanguages,
  selectPersistedTry,
  type TryLanguages,
} from "#machines/tryout/machine.ts";
import { failureKey, isLacking } from "#src/audio/microphone-problem.ts";
import { noteSaid } from "#src/browser/try-claim.ts";
import { InterimText } from "#src/features/dictation/interim-text.tsx";
import { LevelMeter } from "#src/features/dictation/level-meter.tsx";
import { clock, languageName } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { openTryOut, startTry, type TryOut } from "./actor.ts";
import { languagesFor, type TryOption, tryOptions } from "./languages.ts";
import styles from "./tryout.module.css";

/**
 * The panel's ref. Scrolls the panel into view on request. Stops the recording when it disappears, because nobody is
 * recorded unseen; the audio so far stays.
 */
const followPanel =
  ({ actor }: TryOut, focused: boolean) =>
  (panel: HTMLElement | null) => {
    if (panel === null) return;
    // On narrow screens the panel fills the width, so it is scrolled to the top to leave room for the words.
    if (focused) panel.scrollIntoView({ block: matchMedia("(width < 900px)").matches ? "start" : "nearest" });
    return () => actor.send({ type: "stop.requested" });
  };

// `@public`: knip does not see that landing.tsx imports this module dynamically.

/**
 * Starts a try in the reader's languages.
 * @public
 */
export function beginSpeaking(): void {
  void startTry(languagesFor(tryOptions(i18n.language)[0]));
}

/**
 * Thirty seconds of dictation for a visitor.
 * @param focused whether the visitor has just asked for it
 * @public
 */
export function TryOutPanel({ focused }: { focused: boolean }) {
  const { t } = useTranslation("tryout");
  const tryOut = openTryOut();
  const [follow] = useState(() => followPanel(tryOut, focused));
  return (
    <section ref={follow} className={`card pad-5 stack compact gap-4 ${styles.panel}`} aria-labelledby="try-out">
      <h2 className="size-4" id="try-out">
        {t("title")}
      </h2>
      <p className="note">
        {t("lead")} <Link to="/privacy">{t("titles.privacy")}</Link>
      </p>
      <Controls tryOut={tryOut} focused={focused} />
      <Words tryOut={tryOut} />
      <Failure tryOut={tryOut} />
      <Kept tryOut={tryOut} focused={focused} />
    </section>
  );
}

function Controls({ tryOut, focused }: { tryOut: TryOut; focused: boolean }) {
  const { t } = useTranslation("app");
  const { actor, level } = tryOut;
  const recording = useSelector(actor, selectIsRecording);
  const idle = useSelector(actor, selectIsIdle);
  const busy = useSelector(actor, selectIsBusy);
  const kept = useSelector(actor, selectPersistedTry) !== null;
  const options = tryOptions(i18n.language);
  const [chosen, setChosen] = useState(() => languagesFor(options[0]));
  const languages = useSelector(actor, selectLanguages) ?? chosen;
  const choose = (next: TryLanguages) => {
    setChosen(next);
    actor.send({ type: "languages.chosen", languages: next });
  };
  return (
    <>
      {kept ? null : (
        <div className="row gap-4">
          {recording ? (
            <Button look="primary" icon="stop" onClick={() => actor.send({ type: "stop.requested" })}>
              {t("speech.stop")}
            </Button>
          ) : (
            <Button
              look="primary"
              icon="microphone"
              autoFocus={focused}
              busy={busy || !idle}
              onClick={() => void startTry(languages)}
            >
              {t("landing.start", { ns: "translation" })}
            </Button>
          )}
          {recording ? <LevelMeter level={level} /> : null}
          <State tryOut={tryOut} />
        </div>
      )}
      <Languages options={options} languages={languages} over={busy || kept} disabled={busy} onChoose={choose} />
    </>
  );
}

interface LanguagesProps {
  options: readonly TryOption[];
  languages: TryLanguages;
  /** Whether the visitor can't speak at the moment. */
  over: boolean;
  disabled: boolean;
  onChoose(languages: TryLanguages): void;
}

/** The source and target language. */
function Languages({ options, languages, over, disabled, onChoose }: LanguagesProps) {
  const { t } = useTranslation("tryout");
  const { source, target } = languages;
  const name = (code: string) => languageName(code, i18n.language);
  const targets = options.find((option) => option.source === source)?.targets ?? [];
  return (
    <div className={`row note ${styles.languages}`}>
      {options.length > 1 ? (
        <SelectField
          chip
          label={t("app:languages.spoken")}
          value={source}
          disabled={disabled}
          onChange={(event) => onChoose(languagesFor(options.find((option) => option.source === event.target.value)))}
        >
          <Options of={options.map((option) => [option.source, name(option.source)])} />
        </SelectField>
      ) : (
        <span>{over ? name(source) : t("speak", { language: name(source) })}</span>
      )}
      {targets.length > 0 ? (
        <SelectField
          chip
          label={t("app:languages.translateTo")}
          value={target ?? ""}
          disabled={disabled}
          onChange={(event) => onChoose({ source, target: event.target.value || null })}
        >
          <Options of={targets.map((code) => [code, name(code)])} />
          <option value="">{t("app:languages.noTranslation")}</option>
        </SelectField>
      ) : null}
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
        <span className="digits">
          {t("tryout:time", { time: clock(Math.min(seconds, tryOutSeconds)), limit: clock(tryOutSeconds) })}
        </span>
      ) : null}
      <span className="note" role="status">
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
  const target = useSelector(actor, selectLanguages)?.target ?? undefined;
  if (idle) return null;
  return (
    <div className={`stack compact gap-2 size-3 reading ${styles.words}`} data-testid="try-out-words" aria-live="polite">
      {lines.length === 0 && partial === null ? <p className="note">{t("speech.placeholder")}</p> : null}
      {lines.map(({ start, text, translation }) => (
        <Fragment key={start}>
          <p>{text}</p>
          {translation ? (
            <p className="soft size-2" lang={target} dir="auto">
              {translation}
            </p>
          ) : null}
        </Fragment>
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

/** The ref of the next control. It takes the focus if the previously pressed button has disappeared. */
const takeFocus = (link: HTMLElement | null) => {
  if (document.activeElement === document.body) link?.focus();
};

function Kept({ tryOut: { actor, sound }, focused }: { tryOut: TryOut; focused: boolean }) {
  const { t } = useTranslation("tryout");
  const kept = useSelector(actor, selectPersistedTry);
  const address = useSyncExternalStore(sound.subscribe, sound.get);
  if (kept === null) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: they are on the page */}
      {address === null ? null : <audio className="fill" controls src={address} aria-label={t("sound")} />}
      <p className="note">
        {t("kept", { time: clock(kept.seconds) })} {kept.isRecognized ? "" : t("keptPart")}
      </p>
      <div className="row gap-4">
        <Link className={buttonClass("primary")} to="/signup" onClick={noteSaid} ref={focused ? takeFocus : null}>
          {t("signUp")}
        </Link>
        <Button icon="trash" onClick={() => actor.send({ type: "discard.requested" })}>
          {t("discard")}
        </Button>
      </div>
    </>
  );
}
