import { useSelector } from "@xstate/react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { AdminModel, ModelsAnswer } from "#contract/index.ts";
import { type Need, needsOf, stillToInstall, translatable } from "#machines/models/needs.ts";
import { isToInstall } from "#machines/models/rules.ts";
import { selectCommands, selectTarget } from "#machines/models/selectors.ts";
import { byName, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ChoiceField } from "#src/ui/field.tsx";
import { Actions } from "./actions.tsx";
import type { Models } from "./actor.ts";
import { Group } from "./group.tsx";
import { InstallationView } from "./installation.tsx";
import { CommandFailed, Warnings } from "./model-item.tsx";
import styles from "./models.module.css";
import { modelName, reasonFor, sizeText, wordsOf } from "./words.ts";

interface NeedsProps {
  models: Models;
  answer: ModelsAnswer;
}

/** One choice and one button for each need. Links for an unsupported language lead to "#other-languages". */
export function NeedsGroup({ models, answer }: NeedsProps) {
  const { t } = wordsOf(useTranslation("models"));
  const target = useSelector(models, selectTarget);
  return (
    <Group id="needs" title={t("needs.title")} lead={t("needs.lead")}>
      <ul className={styles.needs}>
        {needsOf(answer.models, target).map((need) => (
          <li key={need.id}>
            <NeedView models={models} answer={answer} need={need} target={target} />
          </li>
        ))}
      </ul>
    </Group>
  );
}

const anchors = {
  english: "english",
  otherLanguages: "other-languages",
  speakers: "speakers",
  translation: "translation",
  voices: "voices",
} as const satisfies Record<Need["id"], string>;

/** Moves the focus to the need's title, because the button disappears. */
const focusTitle = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest("section")?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });

function NeedView({ models, answer, need, target }: NeedsProps & { need: Need; target: string }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const id = anchors[need.id];
  const title = t(`needs.${need.id}.title`, { language: languageName(target, language) });
  const isAsked = location.hash === `#${id}`;
  return (
    <section className={`row apart top ${styles.need}`} aria-labelledby={id} data-asked={isAsked || undefined}>
      <div className={`stack gap-2 ${styles.needText}`}>
        <h3 id={id} tabIndex={-1} ref={isAsked ? claimFocus : undefined}>
          {title}
        </h3>
        <p>{need.models.length === 0 ? t("needs.none") : reasonFor(need, builtInOf(answer), words)}</p>
        {need.id === "translation" ? <TargetField models={models} answer={answer} target={target} /> : null}
        {(need.isMet ? [] : need.models).map((model) => (
          <NeedModel key={model.id} models={models} answer={answer} model={model} />
        ))}
      </div>
      {need.isMet ? (
        <p className={`size-1 strong ${styles.met}`}>{t("model.installed")}</p>
      ) : (
        <Install models={models} need={need} title={title} />
      )}
    </section>
  );
}

/** Installs all models that a need lacks. While this runs, its progress replaces the button. */
function Install({ models, need, title }: Pick<NeedsProps, "models"> & { need: Need; title: string }) {
  const { t } = wordsOf(useTranslation("models"));
  const commands = useSelector(models, selectCommands);
  const wanted = stillToInstall(need);
  if (wanted.length === 0) return null;
  return (
    <Button
      icon="download"
      look="primary"
      busy={commands.some((command) => wanted.some((model) => model.id === command.id))}
      aria-label={`${t("action.install")}: ${title}`}
      onClick={(event) => {
        focusTitle(event);
        for (const { id } of wanted) models.send({ type: "command.requested", command: { action: "install", id } });
      }}
    >
      {t("action.install")}
    </Button>
  );
}

const builtInOf = ({ models }: ModelsAnswer) => models.find(({ installed }) => installed?.source === "builtIn");

function TargetField({ models, answer, target }: NeedsProps & { target: string }) {
  const words = wordsOf(useTranslation("models"));
  return (
    <div className={styles.target}>
      <ChoiceField
        label={words.t("needs.target")}
        name="target"
        value={target}
        values={byName([target, ...translatable(answer.models)], words.language)}
        textOf={(code) => languageName(code, words.language)}
        onChoose={(code) => models.send({ type: "target.chosen", language: code })}
      />
    </div>
  );
}

/** A model chosen for a need, with the progress of its installation. */
function NeedModel({ models, answer, model }: NeedsProps & { model: AdminModel }) {
  const words = wordsOf(useTranslation("models"));
  const isThere = model.installed !== null && model.installed.fault === null;
  return (
    <article className="stack gap-2" aria-label={modelName(model, words)}>
      <ul className={styles.inline}>
        {[modelName(model, words), sizeText(model, words), ...(model.caveat === null ? [model.licence] : [])].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {isThere ? null : <Warnings model={model} machine={answer.machine} />}
      <InstallationView model={model} />
      <CommandFailed models={models} model={model} />
      {isThere || isToInstall(model) ? null : <Actions models={models} model={model} place="need" />}
    </article>
  );
}
