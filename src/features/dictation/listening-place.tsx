import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import type { SpeechLanguage } from "#contract/index.ts";
import { selectIsOnDevice, selectIsTooSlow, selectPhase } from "#machines/device-models/selectors.ts";
import { stored } from "#src/browser/stored.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import type { DeviceTranslation } from "#src/features/device-models/translations.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { english, isEnglish } from "./device-choice.ts";

const places = ["server", "device"] as const;
/** Where dictations are recognized. With "device", nothing is sent before the user saves the recording. */
export type ListeningPlace = (typeof places)[number];

/** The user's choice, stored in this browser. */
export const listeningPlace = stored("dictationListens", v.picklist(places));

interface ListeningPlaceChoiceProps {
  place: ListeningPlace;
  onChoose(place: ListeningPlace): void;
}

export function ListeningPlaceChoice({ place, onChoose }: ListeningPlaceChoiceProps) {
  const { t } = useTranslation("dictation");
  return (
    <ChoiceField
      chip
      label={t("place.label")}
      name="listens"
      value={place}
      values={places}
      textOf={(one) => t(`place.${one}`)}
      onChoose={onChoose}
    />
  );
}

/**
 * The text's key for what is missing before this device can recognize the language; null: nothing.
 * @param translation the model for the chosen target language
 */
export function useMissingOnDevice(language: SpeechLanguage, translation: DeviceTranslation | undefined): string | null {
  const { actor } = deviceModels().english;
  const mayTranslate = useSelector((translation ?? deviceModels().english).actor, selectIsOnDevice);
  const phase = useSelector(actor, selectPhase);
  const isOnDevice = useSelector(actor, selectIsOnDevice);
  if (!isEnglish(language)) return "dictation:place.englishOnly";
  if (isOnDevice) return mayTranslate ? null : "dictation:place.translationFirst";
  if (phase === "checking") return "device-models:phase.checking";
  return `dictation:place.${phase === "unsupported" ? "unsupported" : "modelFirst"}`;
}

interface OnThisDeviceProps extends Pick<ListeningPlaceChoiceProps, "onChoose"> {
  language: SpeechLanguage;
  /** The model for the chosen target language. */
  translation: DeviceTranslation | undefined;
  /** Called when the user switches to English. */
  onEnglish(language: SpeechLanguage): void;
}

/** Explains recognition on this device and its requirements: English, and the model. */
export function OnThisDevice({ language, translation, onChoose, onEnglish }: OnThisDeviceProps) {
  const { t } = useTranslation("dictation");
  const isTooSlow = useSelector(deviceModels().english.actor, selectIsTooSlow);
  if (!isEnglish(language)) {
    return (
      <Notice
        icon="warning"
        actions={
          <>
            <Button onClick={() => onEnglish(english)}>{t("place.toEnglish")}</Button>
            <Button onClick={() => onChoose("server")}>{t("place.toServer")}</Button>
          </>
        }
      >
        {t("place.englishOnly")}
      </Notice>
    );
  }
  return (
    <>
      <Notice announce={false}>
        <p>{t("place.stays")}</p>
        {isTooSlow ? <p>{t("device-models:failure.tooSlow")}</p> : null}
      </Notice>
      <DeviceModelOffer />
      {translation === undefined ? null : <DeviceModelOffer key={translation.target} model={translation} />}
    </>
  );
}
