import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectTextPhase, selectWhyNoText } from "#machines/vault/text.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import { DeviceTask } from "./device-task.tsx";
import type { VaultTexts } from "./texts-actor.ts";

interface TextProgressProps {
  texts: VaultTexts;
  /** The item's id and name. */
  id: string;
  name: string;
}

/** The progress of an item's transcription, or why it failed. */
export function TextProgress({ texts: { actor, fraction }, id, name }: TextProgressProps) {
  const { t } = useTranslation("vault");
  const phase = useSelector(actor, (snapshot) => selectTextPhase(snapshot, id));
  const failure = useSelector(actor, (snapshot) => selectWhyNoText(snapshot, id));
  return (
    <DeviceTask
      said={phase && t(`words.phase.${phase}`)}
      fraction={phase === "fetching" || phase === "recognizing" ? fraction : undefined}
      label={t("words.progress", { name })}
      failure={failure}
      onCancel={() => actor.send({ type: "cancel.requested", id })}
    >
      {phase === "model" ? <DeviceModelOffer /> : null}
    </DeviceTask>
  );
}
