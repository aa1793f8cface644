import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { RecorderSource } from "#machines/dictation/events.ts";
import { selectCanStart, selectChosenSource } from "#machines/dictation/selectors.ts";
import { canCaptureDisplay } from "#src/audio/display-sound.ts";
import { SelectField } from "#src/ui/field.tsx";
import { Menu } from "#src/ui/menu.tsx";
import { MicrophoneChoice, useIsMicrophoneGone } from "./microphone-choice.tsx";
import type { Recorder } from "./recorder-actor.ts";
import styles from "./stage.module.css";

const sources: readonly RecorderSource[] = ["microphone", "display", "both"];

/**
 * The menu for the next recording's source and microphone. If the browser can't share sound, or recognizes the language
 * itself, the menu offers only the microphone and says why.
 */
export function SourceMenu({ recorder: { actor }, isByBrowser }: { recorder: Recorder; isByBrowser: boolean }) {
  const { t } = useTranslation("dictation");
  const chosen = useSelector(actor, selectChosenSource);
  const isGone = useIsMicrophoneGone();
  const shown = isByBrowser ? "microphone" : chosen;
  return (
    <>
      <Menu label={t("source.label")} value={t(`source.${shown}`)}>
        <div className={`stack ${styles.sources}`}>
          <SourceChoice actor={actor} shown={shown} isByBrowser={isByBrowser} />
          {isGone ? null : <MicrophoneChoice />}
        </div>
      </Menu>
      {/* Shown outside of the menu, where the user would not notice that the microphone is gone. */}
      {isGone ? <MicrophoneChoice /> : null}
    </>
  );
}

interface SourceChoiceProps extends Pick<Recorder, "actor"> {
  shown: RecorderSource;
  isByBrowser: boolean;
}

function SourceChoice({ actor, shown, isByBrowser }: SourceChoiceProps) {
  const { t } = useTranslation("dictation");
  const canStart = useSelector(actor, selectCanStart);
  const isPossible = canCaptureDisplay();
  const hint = !isPossible ? "unsupported" : isByBrowser ? "byBrowser" : shown === "microphone" ? undefined : `hint.${shown}`;
  return (
    <SelectField
      chip
      label={t("source.label")}
      name="source"
      value={shown}
      disabled={!canStart}
      hint={hint === undefined ? undefined : t(`source.${hint}`)}
      onChange={({ target: { value } }) => {
        const source = sources.find((one) => one === value);
        if (source !== undefined) actor.send({ type: "source.chosen", source });
      }}
    >
      {sources.map((source) => (
        <option key={source} value={source} disabled={source !== "microphone" && (!isPossible || isByBrowser)}>
          {t(`source.${source}`)}
        </option>
      ))}
    </SelectField>
  );
}
