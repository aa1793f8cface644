import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Side } from "#machines/translator/events.ts";
import { selectCanType, selectSide } from "#machines/translator/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import type { Translator } from "./actor.ts";
import { useLanguageName } from "./language-names.ts";
import styles from "./translator.module.css";
import { useStatus } from "./use-status.ts";

/** Characters, about four minutes of speech. */
const longest = 4_000;

interface TypedTurnProps {
  id: string;
  translator: Translator;
  side: Side;
  /** Whether the field should take the focus. */
  focus: boolean;
}

/** A field for typing a turn. The draft stays until it is sent, even over a reload. */
export function TypedTurn({ id, translator, side, focus }: TypedTurnProps) {
  const { actor, drafts, choices, speaker } = translator;
  const { t } = useTranslation("translator");
  const nameOf = useLanguageName(translator);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(side));
  const canType = useSelector(actor, selectCanType);
  const isMine = useSelector(actor, selectSide) === side;
  const isBusy = useStatus(translator) === "translating" && isMine;
  return (
    <form
      id={id}
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "" || !canType) return;
        speaker.unlock();
        actor.send({ type: "text.submitted", side, text: text.trim() });
      }}
    >
      <textarea
        aria-label={t("typeLabel", { language: nameOf(sides[side]) })}
        placeholder={t("typeLabel", { language: nameOf(sides[side]) })}
        lang={sides[side]}
        rows={2}
        maxLength={longest}
        value={text}
        ref={(area) => {
          if (area && focus && text === "" && document.activeElement?.getAttribute("aria-controls") === id) area.focus();
        }}
        onChange={(event) => drafts.set(side, event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <Button type="submit" look="primary" icon="translate" busy={isBusy} disabled={text.trim() === "" || !(canType || isBusy)}>
        <span>{t("translate")}</span>
      </Button>
    </form>
  );
}
