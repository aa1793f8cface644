import { useSelector } from "@xstate/react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOnDevice, selectIsTooSlow, selectPhase, selectWasReplaced } from "#machines/device-models/selectors.ts";
import { bytes } from "#src/i18n/format.ts";
import { type DeviceModel, deviceModels } from "./actor.ts";
import { ModelActions, ModelFailure, ModelProgress } from "./state.tsx";
import { useTranslationName } from "./texts.ts";

/** The speech recognition model: its size, its purpose, and its download and deletion. */
export function DeviceModelsCard() {
  const { t } = useTranslation("device-models");
  return (
    <ModelSection model={deviceModels().english} name={t("name")}>
      <p className="note">{t("languages")}</p>
    </ModelSection>
  );
}

/**
 * The translation models stored in this browser, each with its size, download and deletion. Renders nothing if there
 * are none.
 */
export function DeviceTranslations({ around }: { around(models: ReactNode): ReactNode }) {
  const { storedTranslations } = deviceModels();
  const kept = useSyncExternalStore(storedTranslations.subscribe, storedTranslations.get);
  const nameOf = useTranslationName();
  if (kept.length === 0) return null;
  return around(kept.map((model) => <ModelSection key={`${model.source} ${model.target}`} model={model} name={nameOf(model)} />));
}

function ModelSection({ model, name, children }: { model: DeviceModel; name: string; children?: ReactNode }) {
  const { t, i18n } = useTranslation("device-models");
  const phase = useSelector(model.actor, selectPhase);
  const isOnDevice = useSelector(model.actor, selectIsOnDevice);
  const isTooSlow = useSelector(model.actor, selectIsTooSlow);
  const wasReplaced = useSelector(model.actor, selectWasReplaced);
  return (
    <div className="stack starts fill">
      <div className="stack gap-1">
        <h3>{name}</h3>
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
      {children}
    </div>
  );
}
