import { useSelector } from "@xstate/react";
import { useCallback, useId, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsLoading } from "#machines/translator/conversation.ts";
import { toast } from "#src/browser/toasts.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import type { Translator } from "./actor.ts";
import { ConversationActions } from "./conversation-actions.tsx";
import { TurnRow } from "./turn-row.tsx";
import styles from "./turns.module.css";
import { type Turn, textOfTurn } from "./turns.ts";

/** All turns of this conversation, the newest last. */
export function TurnList({ translator }: { translator: Translator }) {
  const { conversation } = translator;
  const { t } = useTranslation("translator");
  const heading = useId();
  const turns = useSyncExternalStore(conversation.turns.subscribe, conversation.turns.get);
  const isLoading = useSelector(conversation.actor, selectIsLoading);
  const [asked, setAsked] = useState<Turn | null>(null);
  const ask = useCallback((turn: Turn) => setAsked(turn), []);
  if (turns.length === 0) return isLoading ? <p role="status">{t("loading")}</p> : null;
  return (
    <section aria-labelledby={heading} className={styles.list}>
      <div className={styles.head}>
        <h2 id={heading}>{t("turns")}</h2>
        <ConversationActions translator={translator} />
      </div>
      <ol className={styles.turns}>
        {turns.map((turn) => (
          <TurnRow key={turn.id} translator={translator} turn={turn} onDelete={ask} />
        ))}
      </ol>
      {asked ? (
        <ConfirmDialog
          title={t("delete.title")}
          text={t("delete.text", { text: textOfTurn(asked) })}
          confirmLabel={t("delete.confirm")}
          cancelLabel={t("delete.cancel")}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            // The focused element was removed with its turn.
            focusHeading();
            if (!conversation.remove(asked.id)) toast({ kind: "error", key: "errors.storageFull" });
          }}
        />
      ) : null}
    </section>
  );
}
