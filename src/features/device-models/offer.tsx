import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOnDevice, selectPhase, selectWasReplaced } from "#machines/device-models/selectors.ts";
import { deviceModels } from "./actor.ts";
import { ModelActions, ModelFailure, ModelProgress } from "./state.tsx";
import { useTranslationName } from "./texts.ts";
import type { DeviceTranslation } from "./translations.ts";

/**
 * Offers a model that is not on this device yet: its purpose, its size, and its download. A page that shows the offer
 * must load the texts of `device-models`.
 * @param model default: the one that recognizes English
 */
export function DeviceModelOffer({ model: translation }: { model?: DeviceTranslation }) {
  const { t } = useTranslation("device-models");
  const nameOf = useTranslationName();
  const id = useId();
  const model = translation ?? deviceModels().english;
  const phase = useSelector(model.actor, selectPhase);
  const isOnDevice = useSelector(model.actor, selectIsOnDevice);
  const wasReplaced = useSelector(model.actor, selectWasReplaced);
  const isOffered = !isOnDevice && phase !== "checking";
  const isSilent = ["absent", "failed", "unsupported", "checking"].includes(phase);
  return (
    <section className={isOffered ? "card pad-5 stack starts" : "visuallyHidden"} aria-labelledby={isOffered ? id : undefined}>
      {isOffered ? (
        <>
          <h2 id={id}>{translation === undefined ? t("title") : nameOf(translation)}</h2>
          <p>{t(translation === undefined ? "text" : "translation.text")}</p>
          {translation === undefined ? <p className="note">{t("languages")}</p> : null}
          {phase === "absent" && wasReplaced ? <p>{t("replaced")}</p> : null}
          <ModelFailure model={model} />
        </>
      ) : null}
      {/* Rendered before it has text, and after the model has come, because a live region must exist before its text
           changes. */}
      <p className="roomless" role="status">
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
