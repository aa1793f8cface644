import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOnDevice, selectPhase, selectWasReplaced } from "#machines/device-models/selectors.ts";
import { deviceModels } from "./actor.ts";
import { ModelActions, ModelFailure, ModelProgress } from "./state.tsx";

/**
 * Offers the model for recognition on this device, unless it is here: what it is for, how large it is, and its download. A page
 * that shows the offer loads the texts of `device-models`.
 */
export function DeviceModelOffer() {
  const { t } = useTranslation("device-models");
  const id = useId();
  const { english: model } = deviceModels();
  const phase = useSelector(model.actor, selectPhase);
  const isOnDevice = useSelector(model.actor, selectIsOnDevice);
  const wasReplaced = useSelector(model.actor, selectWasReplaced);
  const isOffered = !isOnDevice && phase !== "checking";
  const isSilent = ["absent", "failed", "unsupported", "checking"].includes(phase);
  return (
    <section className={isOffered ? "card pad-5 stack starts" : ""} aria-labelledby={isOffered ? id : undefined}>
      {isOffered ? (
        <>
          <h2 id={id}>{t("title")}</h2>
          <p>{t("text")}</p>
          <p className="note">{t("languages")}</p>
          {phase === "absent" && wasReplaced ? <p>{t("replaced")}</p> : null}
          <ModelFailure model={model} />
        </>
      ) : null}
      {/* It is there before it says something, and also when the model has come. */}
      <p className={isOnDevice ? "visuallyHidden" : "roomless"} role="status">
        {isSilent ? null : t(isOnDevice ? "phase.ready" : `phase.${phase}`)}
      </p>
      {isOffered ? (
        <>
          <ModelProgress model={model} />
          <ModelActions model={model} />
        </>
      ) : null}
    </section>
  );
}
