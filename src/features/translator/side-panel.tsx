import { useSelector } from "@xstate/react";
import { useId, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Side } from "#machines/translator/events.ts";
import {
  selectCanSpeak,
  selectIsRecorded,
  selectIsUnderWay,
  selectSide,
  selectTypedText,
} from "#machines/translator/selectors.ts";
import { InterimText } from "#src/features/dictation/interim-text.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Combobox } from "#src/ui/combobox/combobox.tsx";
import { useFollow } from "#src/ui/follow.ts";
import { Icon } from "#src/ui/icon.tsx";
import type { Translator } from "./actor.ts";
import { nativeName, useLanguageName, useLanguageOptions } from "./language-names.ts";
import { beginToSpeak } from "./push-to-talk.ts";
import { canDetect, detected, readingLanguage, speechCode, translationTarget } from "./side-languages.ts";
import { sideText } from "./side-text.ts";
import speak from "./speak.module.css";
import styles from "./translator.module.css";
import { TypedTurn } from "./typed-turn.tsx";
import { Untranslated } from "./untranslated.tsx";
import { stoppable, useStatus } from "./use-status.ts";

interface SideProps {
  translator: Translator;
  side: Side;
}

/** One person's half: language, text, and record button. */
export function SidePanel({ translator, side }: SideProps) {
  const { choices, engines, actor } = translator;
  const { t } = useTranslation("translator");
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const options = useLanguageOptions(translator, side === 0 && canDetect(engines));
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  return (
    <section
      className={`card stack gap-4 ${styles.panel}`}
      data-side={side}
      aria-label={t(side === 0 ? "side.own" : "side.other")}
    >
      <Combobox
        label={t(side === 0 ? "side.own" : "side.other")}
        options={options}
        value={sides[side]}
        emptyText={t("language.notFound")}
        disabled={isUnderWay}
        onChange={(code) => choices.choose(side, code)}
      />
      <Words translator={translator} side={side} />
      <Controls translator={translator} side={side} />
    </section>
  );
}

/** Large text, scrolled to its newest part. */
function Words({ translator, side }: SideProps) {
  const { actor, recorder, conversation, choices } = translator;
  const { t, i18n } = useTranslation("translator");
  const { isBehind, box, catchUp } = useFollow();
  const captions = useSyncExternalStore(recorder.captions.subscribe, recorder.captions.get);
  const turns = useSyncExternalStore(conversation.turns.subscribe, conversation.turns.get);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const shown = sideText({
    side,
    captions,
    last: turns.at(-1),
    speaker: useSelector(actor, selectSide),
    isUnderWay: useSelector(actor, selectIsUnderWay),
    typed: useSelector(actor, selectTypedText),
  });
  const isEmpty = shown.pieces.length === 0 && shown.interim.text === "" && !shown.isPending && !shown.hasFailed;
  const language = readingLanguage(sides[side], i18n.language);
  return (
    <div className={styles.text}>
      <section
        className={styles.words}
        lang={isEmpty ? undefined : language}
        data-testid={`words-${side}`}
        aria-label={t("words", { language: useLanguageName(translator)(sides[side]) })}
        // `tabIndex`: the keyboard can scroll it in every browser.
        tabIndex={isEmpty ? undefined : 0}
        {...box}
      >
        {isEmpty ? <p className={styles.placeholder}>{t(side === 0 ? "placeholder.own" : "placeholder.other")}</p> : null}
        {/* Interim text is outside of the live region, so it is not announced. */}
        <span aria-live="polite">
          {shown.pieces.map(({ key, text }) => (
            <span key={key}>{text} </span>
          ))}
        </span>
        <InterimText {...shown.interim} />
        {shown.isPending ? " …" : ""}
        {shown.hasFailed ? <Untranslated recorder={recorder} t={t} language={i18n.language} /> : null}
      </section>
      {isBehind ? (
        <IconButton look="secondary" className={styles.newest} icon="down" label={t("toNewest")} onClick={catchUp} />
      ) : null}
    </div>
  );
}

function Controls({ translator, side }: SideProps) {
  const { actor, choices, engines } = translator;
  const { t, i18n } = useTranslation("translator");
  const nameOf = useLanguageName(translator);
  const field = useId();
  const [wantsToType, setWantsToType] = useState(false);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const code = sides[side];
  const other = sides[side === 0 ? 1 : 0];
  const canBeRecognized = speechCode(engines, code) !== null;
  const isTranslated = translationTarget(engines, code, readingLanguage(other, i18n.language)) !== null;
  const types = !canBeRecognized || wantsToType;
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  const isRecorded = useSelector(actor, selectIsRecorded);
  return (
    <div className={`${styles.controls} ${isRecorded && !canBeRecognized ? styles.waits : ""}`}>
      {canBeRecognized ? <SpeakButton translator={translator} side={side} /> : null}
      {canBeRecognized ? null : <p className={`line top note ${styles.hint}`}>{t("noSpeech", { language: nameOf(code) })}</p>}
      {isTranslated ? null : (
        <p className={`line top note ${styles.hint}`}>
          <Icon name="warning" /> {t("noPair", { from: nameOf(code), to: nameOf(other) })}
        </p>
      )}
      {canBeRecognized && code !== detected && !isUnderWay ? (
        <Button
          className={styles.type}
          look="quiet"
          icon="keyboard"
          aria-expanded={types}
          aria-controls={field}
          onClick={() => setWantsToType(!wantsToType)}
        >
          <span>{t("type")}</span>
        </Button>
      ) : null}
      {types && code !== detected ? <TypedTurn id={field} translator={translator} side={side} focus={wantsToType} /> : null}
    </div>
  );
}

/**
 * The record button: one element in every state, so that it keeps the focus. Large, because people hand the phone over.
 */
function SpeakButton({ translator, side }: SideProps) {
  const { actor, choices } = translator;
  const { t } = useTranslation("translator");
  const status = useStatus(translator);
  const canSpeak = useSelector(actor, selectCanSpeak);
  const isMine = useSelector(actor, selectSide) === side;
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const name = useLanguageName(translator)(sides[side]);
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  const isOn = isMine && stoppable.includes(status);
  const isBusy = isMine && isUnderWay && !isOn;
  const label = nativeName(translator, sides[side]) ?? name;
  return (
    <>
      <button
        type="button"
        data-speak
        className={`${speak.speak} ${styles.speak} ${isOn ? speak.on : ""}`}
        aria-disabled={!isOn && !canSpeak ? true : undefined}
        onClick={() => (isOn ? actor.send({ type: "stop.requested" }) : beginToSpeak(translator, side))}
      >
        <Icon name={isOn ? "stop" : "microphone"} />
        <strong lang={sides[side] === detected ? undefined : sides[side]}>{label}</strong>
        <span>{t(isOn ? "pressToStop" : isBusy ? "busy" : "pressToSpeak")}</span>
      </button>
      {isOn && (status === "listening" || status === "paused") ? (
        <Button
          icon={status === "paused" ? "microphone" : "pause"}
          onClick={() => actor.send({ type: status === "paused" ? "resume.requested" : "pause.requested" })}
        >
          {t(status === "paused" ? "resume" : "pause")}
        </Button>
      ) : null}
    </>
  );
}
