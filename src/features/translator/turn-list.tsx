import { useSelector } from "@xstate/react";
import { useId, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { textOf } from "#contract/correcting/text.ts";
import { selectAskedTurn, selectIsLoading } from "#machines/translator/conversation.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import type { Translator } from "./actor.ts";
import { ConversationActions } from "./conversation-actions.tsx";
import { TurnRow } from "./turn-row.tsx";

/** All turns of this conversation, the newest last. */
export function TurnList({ translator }: { translator: Translator }) {
  const { actor, turns: shown } = translator.conversation;
  const { t } = useTranslation("translator");
  const heading = useId();
  const turns = useSyncExternalStore(shown.subscribe, shown.get);
  const isLoading = useSelector(actor, selectIsLoading);
  const askedId = useSelector(actor, selectAskedTurn);
  const asked = turns.find(({ id }) => id === askedId);
  if (turns.length === 0) return isLoading ? <p role="status">{t("loading")}</p> : null;
  return (
    <section aria-labelledby={heading} className="stack gap-4">
      <div className="row apart">
        <h2 className="size-4" id={heading}>
          {t("turns")}
        </h2>
        <ConversationActions translator={translator} />
      </div>
      <ol className="stack gap-4">
        {turns.map((turn) => (
          <TurnRow key={turn.id} translator={translator} turn={turn} />
        ))}
      </ol>
      {asked ? (
        <ConfirmDialog
          title={t("delete.title")}
          text={t("delete.text", { text: textOf(asked.segments) })}
          confirmLabel={t("delete.confirm")}
          cancelLabel={t("delete.cancel")}
          onCancel={() => actor.send({ type: "deletion.cancelled" })}
          onConfirm={() => {
            // The focused element disappears with its turn.
            focusHeading();
            actor.send({ type: "deletion.confirmed" });
          }}
        />
      ) : null}
    </section>
  );
}
