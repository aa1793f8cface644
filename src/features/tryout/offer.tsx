import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectFailure, selectPersistedTry } from "#machines/tryout/machine.ts";
import { clock } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { openTryOut } from "./actor.ts";
import { adoptOffered } from "./adopt.ts";

/** Offers a signed-in user the recording that was made in this browser without an account. */
export function TryOutOffer() {
  const { t } = useTranslation("tryout");
  const { actor, captions } = openTryOut();
  const persisted = useSelector(actor, selectPersistedTry);
  const failure = useSelector(actor, selectFailure);
  const { lines } = useSyncExternalStore(captions.subscribe, captions.get);
  if (persisted === null) return null;
  return (
    <Notice
      actions={
        <>
          <Button look="primary" onClick={() => void adoptOffered()}>
            {t("adopt")}
          </Button>
          <Button icon="trash" onClick={() => actor.send({ type: "discard.requested" })}>
            {t("discard")}
          </Button>
        </>
      }
    >
      <strong>{t("offer", { time: clock(persisted.seconds) })}</strong>
      {lines.length > 0 ? <p className="size-2 reading clamp">{lines.map(({ text }) => text).join(" ")}</p> : null}
      {failure ? <p>{t(`errors.${failure}`)}</p> : null}
    </Notice>
  );
}
