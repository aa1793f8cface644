import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { MicrophoneChoice } from "#src/features/dictation/microphone-choice.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import { Switch } from "#src/ui/switch.tsx";
import type { Translator } from "./actor.ts";
import { rates } from "./choices.ts";
import { useLanguageName } from "./language-names.ts";
import { readingLanguage } from "./side-languages.ts";
import styles from "./translator.module.css";

/** Settings of speech output, microphone, and layout. */
export function Settings({ translator }: { translator: Translator }) {
  const { choices } = translator;
  const { t, i18n } = useTranslation("translator");
  const { aloud, rate } = useSyncExternalStore(choices.subscribe, choices.get);
  const number = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 0 });
  return (
    <div className={styles.settings}>
      <Switch label={t("aloud")} isOn={aloud} onChange={(isOn) => choices.set({ aloud: isOn })} />
      <SelectField
        chip
        label={t("rate")}
        name="rate"
        value={String(rate)}
        disabled={!aloud}
        onChange={(event) => choices.set({ rate: Number(event.target.value) })}
      >
        <Options of={rates.map((each) => [each, t("rateValue", { rate: number.format(each) })])} />
      </SelectField>
      <MicrophoneChoice />
      {aloud ? <Voices translator={translator} /> : null}
    </div>
  );
}

/** Names the remote voice if one is used, because the user must know what leaves the device. */
function Voices({ translator }: { translator: Translator }) {
  const { choices, speaker, voices } = translator;
  const { t, i18n } = useTranslation("translator");
  const nameOf = useLanguageName(translator);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const kinds = useSyncExternalStore(voices.subscribe, () =>
    sides.map((code) => speaker.kindFor(readingLanguage(code, i18n.language)) ?? "none").join(" "),
  ).split(" ");
  const notes = sides.flatMap((code, side) => {
    const kind = kinds[side];
    return kind === undefined || kind === "device" ? [] : [{ code, text: t(`voice.${kind}`, { language: nameOf(code) }) }];
  });
  return notes.length === 0 ? null : (
    <ul className={`fine ${styles.voices}`}>
      {notes.map(({ code, text }) => (
        <li key={code}>{text}</li>
      ))}
    </ul>
  );
}
