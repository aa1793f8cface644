import { useSelector } from "@xstate/react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import type { Segment } from "#contract/index.ts";
import { selectCanReplay, selectPlayedTurn } from "#machines/translator/selectors.ts";
import { toast } from "#src/browser/toasts.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import type { Translator } from "./actor.ts";
import { useLanguageName } from "./language-names.ts";
import { TurnEditor } from "./turn-editor.tsx";
import styles from "./turns.module.css";
import type { Turn } from "./turns.ts";
import { useStatus } from "./use-status.ts";

interface TurnProps {
  translator: Translator;
  turn: Turn;
}

const sayNoRoom = () => toast({ kind: "error", key: "errors.storageFull" });

/** One turn: transcript, translation, and actions. */
export const TurnRow = memo(function TurnRow({ translator, turn }: TurnProps) {
  const { t } = useTranslation("translator");
  const { editing, begin, end, opener } = useEditingInPlace();
  const nameOf = useLanguageName(translator);
  return (
    <li
      className={`card stack gap-2 ${styles.turn} ${turn.side === 0 ? styles.own : styles.other}`}
      data-turn={turn.id}
      data-side={turn.side}
    >
      <p className="facts strong">
        {nameOf(turn.sourceLanguage)}
        {turn.isWaiting ? <span className={styles.waiting}>{t("turn.waiting")}</span> : null}
      </p>
      {editing ? (
        <TurnEditor
          turn={turn}
          onCancel={end}
          onSave={(corrections) => {
            end();
            for (const { index, text } of corrections) if (!translator.conversation.correct(turn.id, index, text)) sayNoRoom();
          }}
        />
      ) : (
        <ol className="stack">
          {turn.segments.map((segment, index) => (
            <Said
              key={`${segment.start}-${segment.end}-${segment.text}`}
              translator={translator}
              turn={turn}
              segment={segment}
              index={index}
            />
          ))}
        </ol>
      )}
      {editing ? null : <Tools translator={translator} turn={turn} edit={begin} opener={opener} />}
    </li>
  );
});

function Said({ translator, turn, segment, index }: TurnProps & { segment: Segment; index: number }) {
  const { t } = useTranslation("translator");
  const { text, translation } = segment;
  return (
    <li>
      <p className="soft size-2 anywhere" lang={turn.sourceLanguage}>
        {text}
      </p>
      {translation === undefined && text.trim() !== "" ? (
        <p className="row gap-3 soft">
          {t(turn.isWaiting ? "turn.translationWaits" : "turn.untranslated")}
          {turn.isWaiting ? null : (
            <Button icon="retry" onClick={() => void (translator.conversation.correct(turn.id, index, text) || sayNoRoom())}>
              {t("turn.translateAgain")}
            </Button>
          )}
        </p>
      ) : (
        <p className={`size-3 reading anywhere ${styles.translation}`} lang={turn.targetLanguage ?? undefined}>
          {translation}
        </p>
      )}
    </li>
  );
}

interface ToolsProps extends TurnProps {
  edit(): void;
  opener(button: HTMLElement | null): void;
}

function Tools({ translator, turn, edit, opener }: ToolsProps) {
  const { actor, conversation, speaker, output } = translator;
  const { t } = useTranslation("translator");
  const canReplay = useSelector(actor, selectCanReplay);
  const status = useStatus(translator);
  const isThis = useSelector(actor, selectPlayedTurn) === turn.id;
  const [replays, speaks] = [isThis && status === "replaying", isThis && status === "speaking"];
  const [text, translation] = [textOf(turn.segments), translatedTextOf(turn.segments)];
  const stop = () => actor.send({ type: "stop.requested" });
  return (
    <div className={`row gap-1 ${styles.tools}`}>
      {turn.stretch === null ? null : (
        <IconButton
          icon={replays ? "stop" : "play"}
          label={t(replays ? "turn.stop" : "turn.replay")}
          disabled={!canReplay}
          onClick={() => (replays ? stop() : actor.send({ type: "replay.requested", turnId: turn.id }))}
        />
      )}
      {translation === "" ? null : (
        <IconButton
          icon={speaks ? "stop" : "volume"}
          label={t(speaks ? "turn.stop" : "turn.speak")}
          disabled={!canReplay}
          onClick={() => {
            if (speaks) return stop();
            speaker.unlock();
            actor.send({ type: "translation.playRequested", turnId: turn.id });
          }}
        />
      )}
      <IconButton ref={opener} icon="edit" label={t("turn.edit")} onClick={edit} />
      <IconButton
        icon="copy"
        label={t("turn.copy")}
        onClick={() => output.send({ type: "copy.requested", text: [text, translation].filter(Boolean).join("\n") })}
      />
      <IconButton
        icon="trash"
        label={t("turn.delete")}
        onClick={() => conversation.actor.send({ type: "deletion.requested", turnId: turn.id })}
      />
    </div>
  );
}
