import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { VaultItem } from "#contract/index.ts";
import { selectIsAskedAgain, selectTextPhase, selectWhyNoText } from "#machines/vault/text.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import type { OpenVault } from "./actor.ts";
import { useCanAdd } from "./closed.tsx";
import { TextProgress } from "./text-progress.tsx";

interface TranscribeItemProps {
  vault: OpenVault;
  item: VaultItem;
  /** The item's name, for screen readers. */
  name: string;
}

/** The button that transcribes an item on this device, for the first time or again, with its progress. */
export function TranscribeItem(props: TranscribeItemProps) {
  return (
    <>
      <div className="row">
        <TranscribeButton {...props} />
      </div>
      <TranscribeWork {...props} />
    </>
  );
}

interface TranscribeButtonProps extends Pick<TranscribeItemProps, "vault" | "item"> {
  look?: "secondary" | "quiet";
  disabled?: boolean;
}

export function TranscribeButton({ vault: { texts }, item, look = "secondary", disabled = false }: TranscribeButtonProps) {
  const { t } = useTranslation("vault");
  const { id, hasText } = item;
  const isBeingMade = useSelector(texts.actor, (snapshot) => selectTextPhase(snapshot, id) !== null);
  const canAdd = useCanAdd();
  return (
    <Button
      look={look}
      icon="sparkle"
      busy={isBeingMade}
      disabled={disabled || !canAdd}
      onClick={() => texts.actor.send({ type: hasText ? "again.requested" : "text.requested", id })}
    >
      {t(hasText ? "words.again" : "words.transcribe")}
    </Button>
  );
}

/** Asks before a text is replaced. Then shows the new one's progress, or why it failed. */
export function TranscribeWork({ vault: { texts }, item: { id }, name }: TranscribeItemProps) {
  const { t } = useTranslation("vault");
  const isAsked = useSelector(texts.actor, (snapshot) => selectIsAskedAgain(snapshot, id));
  const isShown = useSelector(
    texts.actor,
    (snapshot) => selectTextPhase(snapshot, id) !== null || selectWhyNoText(snapshot, id) !== null,
  );
  return (
    <>
      {isShown ? <TextProgress texts={texts} id={id} name={name} /> : null}
      {isAsked ? (
        <ConfirmDialog
          title={t("words.againTitle", { name })}
          text={t("words.againText")}
          icon={null}
          confirmLabel={t("words.againConfirm")}
          cancelLabel={t("words.againKeep")}
          onConfirm={() => texts.actor.send({ type: "again.confirmed" })}
          onCancel={() => texts.actor.send({ type: "again.cancelled" })}
        />
      ) : null}
    </>
  );
}
