import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectTextPhase, selectWhyNoText } from "#machines/vault/text.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import { Button } from "#src/ui/button.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { Failure } from "./failure.tsx";
import type { VaultTexts } from "./texts-actor.ts";

interface TextProgressProps {
  texts: VaultTexts;
  /** The item's, and what it is called. */
  id: string;
  name: string;
}

/** How far the text of an item is, or why there is none. */
export function TextProgress({ texts, id, name }: TextProgressProps) {
  const { t } = useTranslation("vault");
  const phase = useSelector(texts.actor, (snapshot) => selectTextPhase(snapshot, id));
  const failure = useSelector(texts.actor, (snapshot) => selectWhyNoText(snapshot, id));
  return (
    <>
      {phase === "model" ? <DeviceModelOffer /> : null}
      <p className={phase === null ? "roomless" : "fine"} role="status">
        {phase === null ? "" : t(`words.phase.${phase}`)}
      </p>
      {phase === null ? null : (
        <div className="line gap-3">
          {phase === "fetching" || phase === "recognizing" ? (
            <Fraction texts={texts} label={t("words.progress", { name })} />
          ) : null}
          <Button look="quiet" onClick={() => texts.actor.send({ type: "cancel.requested", id })}>
            {t("cancel")}
          </Button>
        </div>
      )}
      <Failure code={failure} />
    </>
  );
}

function Fraction({ texts: { fraction }, label }: { texts: VaultTexts; label: string }) {
  return <Progress label={label} fraction={useSyncExternalStore(fraction.subscribe, fraction.get)} />;
}
