import { useSelector } from "@xstate/react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Transcription } from "#contract/index.ts";
import {
  selectIsReplacementAsked,
  selectTranslatedInto,
  selectTranslationPhase,
  selectWhyNoTranslation,
} from "#machines/vault/translation.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { ChoiceField } from "#src/ui/field.tsx";
import { DeviceTask } from "./device-task.tsx";
import { translatedExtent } from "./translated-text.ts";
import type { VaultTranslation } from "./translation-actor.ts";
import type { Translators } from "./translators.ts";

interface TranslateTextProps {
  translators: Translators;
  translation: VaultTranslation;
  text: Transcription;
}

/**
 * Translates a text on this device into a chosen language, and shows the progress. Renders nothing if no model is
 * available.
 */
export function TranslateText({ translators, translation: { actor, fraction }, text }: TranslateTextProps) {
  const { t, i18n } = useTranslation(["vault", "app"]);
  useSyncExternalStore(translators.engines.subscribe, translators.engines.get);
  const phase = useSelector(actor, selectTranslationPhase);
  const into = useSelector(actor, selectTranslatedInto);
  const failure = useSelector(actor, selectWhyNoTranslation);
  const [chosen, setChosen] = useState<string | null>(null);
  const present = text.targetLanguage;
  const source = translators.languageOf(text);
  const targets = translators.targetsOf(source);
  const wished = [into, chosen, present, baseLanguage(i18n.language)];
  const target = wished.find((code) => code !== null && targets.includes(code)) ?? targets[0];
  if (target === undefined) return null;
  const extent = translatedExtent(text, source);
  // Existing translations into this language stay, unless the text is completely translated already.
  const replaces = extent !== "none" && (extent === "all" || target !== present);
  const model = phase === "model" ? translators.find(source, target) : undefined;
  return (
    <div className="stack gap-3">
      <div className="row">
        <ChoiceField
          chip
          label={t("app:transcript.translate")}
          name="targetLanguage"
          value={target}
          values={targets}
          disabled={phase !== null}
          textOf={(code) => languageName(code, i18n.language)}
          onChoose={setChosen}
        />
        <Button
          icon="translate"
          busy={phase !== null}
          onClick={() => actor.send({ type: "translation.requested", order: { source, target, replaces } })}
        >
          {t(extent === "none" ? "translation.translate" : "translation.again")}
        </Button>
      </div>
      <DeviceTask
        said={phase && t(`translation.phase.${phase}`)}
        fraction={phase === "translating" ? fraction : undefined}
        label={t("translation.progress")}
        failure={failure}
        onCancel={() => actor.send({ type: "cancel.requested" })}
      >
        {model === undefined ? null : <DeviceModelOffer model={model} />}
      </DeviceTask>
      <Question actor={actor} />
    </div>
  );
}

/** Asks whether to replace existing translations. */
function Question({ actor }: Pick<VaultTranslation, "actor">) {
  const { t } = useTranslation("vault");
  if (!useSelector(actor, selectIsReplacementAsked)) return null;
  return (
    <ConfirmDialog
      title={t("translation.againTitle")}
      text={t("translation.againText")}
      icon={null}
      confirmLabel={t("translation.again")}
      cancelLabel={t("translation.againKeep")}
      onConfirm={() => actor.send({ type: "replacement.confirmed" })}
      onCancel={() => actor.send({ type: "replacement.cancelled" })}
    />
  );
}
