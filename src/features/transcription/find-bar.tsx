import { useSelector } from "@xstate/react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  selectCanReplace,
  selectCanReplaceAny,
  selectCurrent,
  selectHits,
  selectReplaced,
  selectReplacement,
  selectSearch,
} from "#machines/transcription/find/machine.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import type { OpenTranscription } from "./actor.ts";
import styles from "./transcript-bar.module.css";

interface FindBarProps {
  find: OpenTranscription["find"];
  /** Whether the text is editable. */
  editable: boolean;
  onClose(): void;
}

const select = (input: HTMLInputElement | null) => input?.select();

/**
 * Searches transcript and translation, and replaces in the transcript. Enter: next, Shift+Enter: previous, Escape:
 * close.
 */
export function FindBar({ find, editable, onClose }: FindBarProps) {
  const { t } = useTranslation("app");
  const search = useSelector(find, selectSearch);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <search className={`stack gap-2 ${styles.find}`} aria-label={t("transcript.find.label")} onKeyDown={onKeyDown}>
      <form
        className={styles.line}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          find.send({ type: event.shiftKey ? "previous.requested" : "next.requested" });
        }}
      >
        <label className={`line label ${styles.field}`}>
          <span className={styles.name}>{t("transcript.find.term")}</span>
          <input
            name="term"
            aria-label={t("transcript.find.term")}
            placeholder={t("transcript.find.term")}
            type="search"
            value={search.term}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            ref={select}
            onChange={(event) => find.send({ type: "search.changed", search: { term: event.target.value } })}
          />
        </label>
        <Count find={find} />
        <IconButton icon="up" label={t("transcript.find.previous")} onClick={() => find.send({ type: "previous.requested" })} />
        <IconButton icon="down" label={t("transcript.find.next")} onClick={() => find.send({ type: "next.requested" })} />
        {(["matchCase", "wholeWords"] as const).map((option) => (
          <label key={option} className={`check gap-1 size-0 ${styles.option}`}>
            <input
              type="checkbox"
              checked={search[option]}
              onChange={(event) => find.send({ type: "search.changed", search: { [option]: event.target.checked } })}
            />
            {t(`transcript.find.${option}`)}
          </label>
        ))}
        <IconButton className="push" icon="close" label={t("transcript.find.close")} onClick={onClose} />
      </form>
      {editable ? <Replacing find={find} /> : null}
    </search>
  );
}

/** "3 of 17", announced when it changes. */
function Count({ find }: Pick<FindBarProps, "find">) {
  const { t } = useTranslation("app");
  const term = useSelector(find, (snapshot) => selectSearch(snapshot).term);
  const number = useSelector(find, (snapshot) => selectHits(snapshot).length);
  const current = useSelector(find, selectCurrent);
  const replaced = useSelector(find, selectReplaced);
  const found = number === 0 ? t("transcript.find.none") : t("transcript.find.position", { current: current + 1, number });
  return (
    <span className={`fine digits ${styles.count}`} role="status">
      {replaced === null ? (term.trim() === "" ? "" : found) : t("transcript.find.replaced", { number: replaced })}
    </span>
  );
}

function Replacing({ find }: Pick<FindBarProps, "find">) {
  const { t } = useTranslation("app");
  const replacement = useSelector(find, selectReplacement);
  const canReplace = useSelector(find, selectCanReplace);
  const canReplaceAny = useSelector(find, selectCanReplaceAny);
  return (
    <form
      className={styles.line}
      onSubmit={(event) => {
        event.preventDefault();
        find.send({ type: "replace.requested" });
      }}
    >
      <label className={`line label ${styles.field}`}>
        <span className={styles.name}>{t("transcript.find.replacement")}</span>
        <input
          name="replacement"
          aria-label={t("transcript.find.replacement")}
          placeholder={t("transcript.find.replacement")}
          value={replacement}
          maxLength={1000}
          autoComplete="off"
          onChange={(event) => find.send({ type: "replacement.typed", replacement: event.target.value })}
        />
      </label>
      <Button type="submit" aria-disabled={!canReplace}>
        {t("transcript.find.replace")}
      </Button>
      <Button aria-disabled={!canReplaceAny} onClick={() => find.send({ type: "replaceAll.requested" })}>
        {t("transcript.find.replaceAll")}
      </Button>
      {canReplaceAny && !canReplace ? <span className="fine">{t("transcript.find.inTranslation")}</span> : null}
    </form>
  );
}
