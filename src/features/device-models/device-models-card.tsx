import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsOnDevice, selectIsTooSlow, selectPhase, selectWasReplaced } from "#machines/device-models/selectors.ts";
import { bytes } from "#src/i18n/format.ts";
import { deviceModels } from "./actor.ts";
import { ModelActions, ModelFailure, ModelProgress } from "./state.tsx";

/** The models that this browser keeps: how large they are, what they are for, and their download and deletion. */
export function DeviceModelsCard() {
  const { t, i18n } = useTranslation("device-models");
  const { english: model } = deviceModels();
  const phase = useSelector(model.actor, selectPhase);
  const isOnDevice = useSelector(model.actor, selectIsOnDevice);
  const isTooSlow = useSelector(model.actor, selectIsTooSlow);
  const wasReplaced = useSelector(model.actor, selectWasReplaced);
  return (
    <div className="stack starts fill">
      <div className="stack gap-1">
        <h3>{t("name")}</h3>
        <p className="facts">
          {isOnDevice ? <span>{bytes(model.bytes, i18n.language)}</span> : null}
          <span role="status">{phase === "failed" || phase === "unsupported" ? null : t(`phase.${phase}`)}</span>
        </p>
      </div>
      {phase === "absent" && wasReplaced ? <p>{t("replaced")}</p> : null}
      {isTooSlow ? <p>{t("failure.tooSlow")}</p> : null}
      <ModelFailure model={model} />
      <ModelProgress model={model} />
      <ModelActions model={model} />
      <p className="note">{t("languages")}</p>
    </div>
  );
}
