import { useSelector } from "@xstate/react";
import { type MouseEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelChoices, ModelOptions, ModelsAnswer, TranslationOptions } from "#contract/index.ts";
import { type ChoiceEdit, selectEdits, selectSaveError, selectSaveState, withEdits } from "#machines/models/choices.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { ChoiceField } from "#src/ui/field.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Choices, ModelManager } from "./actor.ts";
import { Group } from "./group.tsx";
import styles from "./models.module.css";
import { wordsOf } from "./words.ts";

interface ChoicesGroupProps {
  manager: ModelManager;
  answer: ModelsAnswer;
}

/**
 * The model for recognizing and speaking each language, and the translation engine. Only where there is more than one.
 */
export function ChoicesGroup({ manager, answer }: ChoicesGroupProps) {
  const { t } = wordsOf(useTranslation("models"));
  const edits = useSelector(manager.choices, selectEdits);
  const chosen = withEdits(answer.choices, edits);
  const change = (edit: ChoiceEdit) => manager.choices.send({ type: "choice.changed", edit });
  const speech = answer.speech.filter(({ candidates }) => candidates.length > 1);
  const pairs = (answer.translation ?? []).filter(({ engines }) => engines.length > 1);
  const voices = (answer.voices ?? []).filter(({ candidates }) => candidates.length > 1);
  if (speech.length + pairs.length + voices.length === 0) return null;
  return (
    <Group id="choices" title={t("choices.title")} lead={t("choices.lead")}>
      {speech.length === 0 ? null : <Speech speech={speech} chosen={chosen} onChange={change} />}
      {pairs.length === 0 ? null : <TranslationOrder pairs={pairs} chosen={chosen.translation} onChange={change} />}
      {voices.length === 0 ? null : (
        <section className={styles.choices} aria-labelledby="choices-voices">
          <h3 id="choices-voices">{t("choices.voices")}</h3>
          {voices.map(({ language, candidates }) => (
            <ChoiceSelect
              key={language}
              labels={{ language, of: null }}
              value={chosen.voices[language] ?? ""}
              candidates={candidates}
              inEffect={null}
              onChange={(value) => change({ of: "voices", key: language, value })}
            />
          ))}
        </section>
      )}
      <SaveState choices={manager.choices} />
    </Group>
  );
}

interface SpeechProps {
  speech: readonly ModelOptions[];
  chosen: ModelChoices;
  onChange(edit: ChoiceEdit): void;
}

/** English and the user's own language first; the others on request. */
function Speech({ speech, chosen, onChange }: SpeechProps) {
  const { t, language: own } = wordsOf(useTranslation("models"));
  const { needed = [], others = [] } = Object.groupBy(speech, ({ language }) =>
    ["en", baseLanguage(own)].includes(baseLanguage(language)) || speech.length <= 6 ? "needed" : "others",
  );
  const rows = (options: readonly ModelOptions[]) =>
    options.map((option) => <SpeechRow key={option.language} option={option} chosen={chosen} onChange={onChange} />);
  return (
    <section className={styles.choices} aria-labelledby="choices-speech">
      <h3 id="choices-speech">{t("choices.speech")}</h3>
      {rows(needed)}
      {others.length === 0 ? null : (
        <details className={`size-1 ${styles.details}`}>
          <summary>{t("choices.more", { count: others.length })}</summary>
          <div className={styles.choices}>{rows(others)}</div>
        </details>
      )}
    </section>
  );
}

function SpeechRow({ option, chosen, onChange }: Pick<SpeechProps, "chosen" | "onChange"> & { option: ModelOptions }) {
  const { language: code, candidates } = option;
  return (
    <div className={`columns gap-3 ${styles.choice}`}>
      {(["live", "files"] as const).map((of) => (
        <ChoiceSelect
          key={of}
          labels={{ language: code, of }}
          value={chosen[of][code] ?? ""}
          candidates={candidates}
          inEffect={chosen[of][code] === undefined ? option[of] : null}
          onChange={(value) => onChange({ of, key: code, value })}
        />
      ))}
    </div>
  );
}

interface ChoiceSelectProps {
  labels: { language: string; of: "live" | "files" | null };
  /** The id of a candidate; "": the server chooses. */
  value: string;
  candidates: readonly { id: string; name: string; keepsUp?: boolean | null }[];
  /** The server's own choice. */
  inEffect: string | null;
  onChange(value: string | null): void;
}

function ChoiceSelect({ labels: { language: code, of }, value, candidates, inEffect, onChange }: ChoiceSelectProps) {
  const { t, language } = wordsOf(useTranslation("models"));
  const name = languageName(code, language);
  const automatic = candidates.find(({ id }) => id === inEffect)?.name;
  const textOf = (id: string) => {
    const candidate = candidates.find((one) => one.id === id);
    if (candidate === undefined)
      return automatic === undefined ? t("choices.automatic") : t("choices.automaticAs", { name: automatic });
    return of === "live" && candidate.keepsUp === false ? t("choices.tooSlow", { name: candidate.name }) : candidate.name;
  };
  return (
    <ChoiceField
      label={of === null ? name : t(of === "live" ? "choices.liveOf" : "choices.filesOf", { language: name })}
      name={`${of ?? "voice"} ${code}`}
      value={value}
      values={["", ...candidates.map(({ id }) => id)]}
      textOf={textOf}
      onChoose={(id) => onChange(id === "" ? null : id)}
    />
  );
}

function SaveState({ choices }: { choices: Choices }) {
  const { t } = wordsOf(useTranslation("models"));
  const state = useSelector(choices, selectSaveState);
  const error = useSelector(choices, selectSaveError);
  return (
    <>
      {error === null ? null : (
        <RetryNotice
          label={t("retry")}
          onRetry={() => choices.send({ type: "retry.requested" })}
          more={<Button onClick={() => choices.send({ type: "choice.discarded" })}>{t("choices.discard")}</Button>}
        >
          <strong>{t("choices.notSaved")}</strong>
          <p>{error === "badRequest" ? t("choices.notPossible") : t(`errors.${error}`)}</p>
        </RetryNotice>
      )}
      <p className={`note ${styles.saveState}`} role="status">
        {state === "saving" ? t("choices.saving") : state === "saved" ? t("choices.saved") : ""}
      </p>
    </>
  );
}

interface TranslationOrderProps {
  pairs: readonly TranslationOptions[];
  chosen: Readonly<Record<string, readonly string[]>>;
  onChange(edit: ChoiceEdit): void;
}

const keyOf = ({ source, target }: TranslationOptions): string => `${source}>${target}`;

/** The engines of a pair in the order in which they are tried: the chosen ones first, then the others. */
function ordered({ engines }: TranslationOptions, chosen: readonly string[] | undefined): TranslationOptions["engines"] {
  if (chosen === undefined) return engines;
  const rank = (id: string) => (chosen.includes(id) ? chosen.indexOf(id) : chosen.length);
  return engines.toSorted((a, b) => rank(a.id) - rank(b.id));
}

function TranslationOrder({ pairs, chosen, onChange }: TranslationOrderProps) {
  const { t, language } = wordsOf(useTranslation("models"));
  const [wanted, setWanted] = useState("");
  const pair = pairs.find((one) => keyOf(one) === wanted) ?? pairs[0];
  if (pair === undefined) return null;
  const key = keyOf(pair);
  const engines = ordered(pair, chosen[key]);
  const swap = (index: number, { currentTarget }: MouseEvent) => {
    const ids = engines.map(({ id }) => id);
    const moved = ids.slice(index, index + 2).toReversed();
    onChange({ of: "translation", key, value: [...ids.slice(0, index), ...moved, ...ids.slice(index + 2)] });
    // At either end the pressed button becomes disabled, so the list's heading takes the focus.
    currentTarget.closest("section")?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
  };
  const nameOf = (pairKey: string) => {
    const [source, target] = pairKey.split(">").map((code) => languageName(code, language));
    return t("pair", { source, target });
  };
  return (
    <section className={styles.choices} aria-labelledby="choices-translation">
      <h3 id="choices-translation" tabIndex={-1}>
        {t("choices.translation")}
      </h3>
      <ChoiceField
        label={t("choices.pair")}
        name="pair"
        value={key}
        values={pairs.map(keyOf)}
        textOf={nameOf}
        onChoose={setWanted}
      />
      <p className="note">{t("choices.order")}</p>
      <ol className={`stack gap-1 ${styles.order}`}>
        {engines.map(({ id, name }, index) => (
          <li key={id}>
            <span>{name}</span>
            <IconButton
              icon="up"
              label={t("choices.up", { name })}
              disabled={index === 0}
              onClick={(event) => swap(index - 1, event)}
            />
            <IconButton
              icon="down"
              label={t("choices.down", { name })}
              disabled={index === engines.length - 1}
              onClick={(event) => swap(index, event)}
            />
          </li>
        ))}
      </ol>
      {chosen[key] === undefined ? null : (
        <Button icon="undo" onClick={() => onChange({ of: "translation", key, value: null })}>
          {t("choices.reset")}
        </Button>
      )}
    </section>
  );
}
