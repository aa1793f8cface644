import { useSelector } from "@xstate/react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type InsightKind, insightKinds } from "#contract/index.ts";
import { selectIsLoading, selectLoadError, selectModel } from "#machines/insights/selectors.ts";
import { languageName } from "#src/i18n/format.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";
import { SelectField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import segmented from "#src/ui/segmented.module.css";
import { type OpenInsights, openInsights } from "./actor.ts";
import styles from "./insights.module.css";
import type { PartProps } from "./part-props.ts";
import type { Playing } from "./points.tsx";
import { Questions } from "./questions.tsx";
import { ChapterList, Summary, TaskList } from "./results.tsx";

interface InsightsPanelProps {
  /** Of the transcript. */
  id: string;
  title: string;
  /** Of the transcript; null: it is in none. */
  folderId: string | null;
  playing: Playing;
  /** Calls it when the transcript's page is left. */
  onLeave(left: () => void): void;
  onClose(): void;
}

const parts: Readonly<Record<InsightKind, (props: PartProps) => ReactNode>> = {
  summary: Summary,
  tasks: TaskList,
  chapters: ChapterList,
  answer: Questions,
};

/** Summary, tasks, chapters and questions of a transcript, made by the operator's language model. */
export function InsightsPanel({ id, title, folderId, playing, onLeave, onClose }: InsightsPanelProps) {
  const { t } = useTranslation("insights");
  const open = openInsights(id, onLeave);
  const [kind, setKind] = useState<InsightKind>("summary");
  const [isSpoken, setIsSpoken] = useState(true);
  const { i18n } = useTranslation();
  const loading = useSelector(open.actor, selectIsLoading);
  const error = useSelector(open.actor, selectLoadError);
  const Part = parts[kind];
  return (
    <Panel className={`gap-4 ${styles.panel}`} title={t("title")} closeLabel={t("close")} onClose={onClose}>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {error === null ? null : (
        <RetryNotice label={t("retry")} onRetry={() => open.actor.send({ type: "reload.requested" })}>
          {t(`errors.${error}`)}
        </RetryNotice>
      )}
      {loading || error !== null ? null : (
        <>
          <Model actor={open.actor} />
          <fieldset className={segmented.segmented}>
            <legend className="visuallyHidden">{t("show")}</legend>
            {insightKinds.map((one) => (
              <label key={one}>
                <input type="radio" name="insight" value={one} checked={kind === one} onChange={() => setKind(one)} />
                <span>{t(`kinds.${one}`)}</span>
              </label>
            ))}
          </fieldset>
          <div className="stack gap-4">
            <h3 className="visuallyHidden">{t(`kinds.${kind}`)}</h3>
            <Part
              key={kind}
              {...open}
              title={title}
              folderId={folderId}
              playing={playing}
              language={isSpoken ? null : (interfaceLanguageOf(i18n.language) ?? null)}
              languageField={
                <SelectField
                  label={t("language.label")}
                  name="language"
                  value={isSpoken ? "spoken" : "interface"}
                  onChange={(event) => setIsSpoken(event.target.value === "spoken")}
                >
                  <option value="spoken">{t("language.spoken")}</option>
                  <option value="interface">{languageName(i18n.language, i18n.language)}</option>
                </SelectField>
              }
            />
          </div>
        </>
      )}
    </Panel>
  );
}

/** Where the text goes, before anything is sent; or what is missing. */
function Model({ actor }: Pick<OpenInsights, "actor">) {
  const { t } = useTranslation("insights");
  const model = useSelector(actor, selectModel);
  if (model === null) {
    return <Notice announce={false}>{t("noModel")}</Notice>;
  }
  const { name, host, offline } = model;
  return <p className="fine">{t(offline ? "staysHere" : "goesTo", { model: name, host })}</p>;
}
