import { useSelector } from "@xstate/react";
import type { TFunction } from "i18next";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Side } from "#machines/translator/events.ts";
import {
  selectCanRetry,
  selectCanSpeak,
  selectIsUnderWay,
  selectSide,
  selectTurnFailure,
  selectTypedText,
} from "#machines/translator/selectors.ts";
import { failureKey } from "#src/audio/microphone-problem.ts";
import { InterimText } from "#src/features/dictation/interim-text.tsx";
import { LevelMeter } from "#src/features/dictation/level-meter.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import { useFollow } from "#src/ui/follow.ts";
import { Icon } from "#src/ui/icon.tsx";
import type { Translator } from "./actor.ts";
import styles from "./face-to-face.module.css";
import { languageNames, nativeName } from "./language-names.ts";
import { beginToSpeak } from "./push-to-talk.ts";
import { detected, readingLanguage, speechCode, translationTarget } from "./side-languages.ts";
import { earlierTexts, sideText } from "./side-text.ts";
import speak from "./speak.module.css";
import { Untranslated } from "./untranslated.tsx";
import { stoppable, useStatus } from "./use-status.ts";

/** The page's texts in one language. */
interface Texts {
  t: TFunction<"translator">;
  language: string;
}

interface HalfProps {
  translator: Translator;
  side: Side;
  texts: Texts;
}

/**
 * One person's half: the text in their language, a hint and a button. @param texts null until the language's are loaded
 */
export function FaceToFaceHalf({ translator, side, texts }: Omit<HalfProps, "texts"> & { texts: Texts | null }) {
  const { t, i18n } = useTranslation("translator");
  const shown = { translator, side, texts: texts ?? { t, language: i18n.language } };
  return (
    <section
      className={styles.half}
      data-side={side}
      data-testid={`half-${side}`}
      data-texts={texts?.language}
      lang={shown.texts.language}
      aria-label={shown.texts.t("side.own")}
    >
      <Words {...shown} />
      <Hint {...shown} />
      <SpeakButton {...shown} />
    </section>
  );
}

/** The whole conversation, scrolled to the newest text. */
function Words({ translator, side, texts: { t, language } }: HalfProps) {
  const { actor, recorder, conversation, choices, engines, languages } = translator;
  const { i18n } = useTranslation();
  const { isBehind, box, catchUp } = useFollow();
  const captions = useSyncExternalStore(recorder.captions.subscribe, recorder.captions.get);
  const turns = useSyncExternalStore(conversation.turns.subscribe, conversation.turns.get);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const speaker = useSelector(actor, selectSide);
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  const typed = useSelector(actor, selectTypedText);
  const { pieces, interim, isPending, hasFailed } = sideText({ side, speaker, isUnderWay, typed, captions, last: turns.at(-1) });
  const earlier = earlierTexts(turns, side, isUnderWay);
  const canBeRecognized = speechCode(engines, sides[side]) !== null;
  const isEmpty = pieces.length + earlier.length === 0 && interim.text === "" && !isPending && !hasFailed;
  return (
    <div className={styles.text}>
      <section
        className={styles.words}
        lang={isEmpty ? undefined : readingLanguage(sides[side], i18n.language)}
        aria-label={t("words", { language: languageNames(languages, t, language)(sides[side]) })}
        // `tabIndex`: the keyboard can scroll it in every browser.
        tabIndex={isEmpty ? undefined : 0}
        {...box}
      >
        {earlier.map(({ key, text }) => (
          <p key={key} className={styles.earlier}>
            {text}
          </p>
        ))}
        {isEmpty ? (
          <p className={styles.placeholder}>{t(canBeRecognized ? "placeholder.own" : "placeholder.other")}</p>
        ) : (
          <p>
            {/* Interim text is outside of the live region, so it is not announced. */}
            <span aria-live="polite">
              {pieces.map(({ key, text }) => (
                <span key={key}>{text} </span>
              ))}
            </span>
            <InterimText {...interim} />
            {isPending ? " …" : ""}
          </p>
        )}
        {hasFailed ? <Untranslated recorder={recorder} t={t} language={language} /> : null}
      </section>
      {isBehind ? (
        <IconButton look="secondary" className={styles.newest} icon="down" label={t("toNewest")} onClick={catchUp} />
      ) : null}
    </div>
  );
}

/** The state, or a hint what to do. Only the owner's half gives a failure's reason, because the owner can act on it. */
function Hint({ translator, side, texts: { t, language } }: HalfProps) {
  const { actor, recorder, choices, engines, languages } = translator;
  const page = useTranslation("translator");
  const status = useStatus(translator);
  const speaker = useSelector(actor, selectSide);
  const failure = useSelector(actor, selectTurnFailure);
  const canRetry = useSelector(actor, selectCanRetry);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const nameOf = languageNames(languages, t, language);
  const [own, other] = [sides[side], sides[side === 0 ? 1 : 0]];
  const text = () => {
    if (failure !== null && side === 0) return page.t(failureKey(failure));
    if (status !== "idle") return t(`status.${status}`, { language: nameOf(sides[speaker]) });
    if (speechCode(engines, own) === null) return t("face.notHeard", { language: nameOf(own) });
    if (translationTarget(engines, own, readingLanguage(other, language)) === null)
      return t("noPair", { from: nameOf(own), to: nameOf(other) });
    return "";
  };
  return (
    <div className={`line apart gap-3 size-1 ${styles.hint}`}>
      <p role="status">{text()}</p>
      {status === "listening" && speaker === side ? (
        <span aria-hidden="true">
          <LevelMeter level={recorder.level} />
        </span>
      ) : null}
      {canRetry && speaker === side ? (
        <Button icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
          {t("retry")}
        </Button>
      ) : null}
    </div>
  );
}

function SpeakButton({ translator, side, texts: { t, language } }: HalfProps) {
  const { actor, choices, engines, languages } = translator;
  const status = useStatus(translator);
  const canSpeak = useSelector(actor, selectCanSpeak);
  const isMine = useSelector(actor, selectSide) === side;
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const code = sides[side];
  if (speechCode(engines, code) === null) return null;
  const isOn = isMine && stoppable.includes(status);
  const action = isOn ? "pressToStop" : isMine && isUnderWay ? "busy" : "pressToSpeak";
  return (
    <button
      type="button"
      data-speak
      className={`${speak.speak} ${isOn ? speak.on : ""}`}
      aria-disabled={!isOn && !canSpeak ? true : undefined}
      onClick={() => (isOn ? actor.send({ type: "stop.requested" }) : beginToSpeak(translator, side))}
    >
      <Icon name={isOn ? "stop" : "microphone"} />
      <strong lang={code === detected ? undefined : code}>
        {nativeName(translator, code) ?? languageNames(languages, t, language)(code)}
      </strong>
      <span>{t(action)}</span>
    </button>
  );
}
