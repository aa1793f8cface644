import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Insight, InsightKind, Point } from "#contract/index.ts";
import { selectInsights, selectPhase, selectPoints } from "#machines/insights/selectors.ts";
import { About } from "./about.tsx";
import type { OpenInsights } from "./actor.ts";
import styles from "./insights.module.css";
import { Maker } from "./maker.tsx";
import type { PartProps } from "./part-props.ts";
import { Chapters, Sentences } from "./points.tsx";
import { NewTasks, TaskFiles, Tasks } from "./tasks.tsx";
import { FolderDefault, OwnTemplates, TemplateField, useTemplate } from "./template-field.tsx";

const ofKind = (insights: readonly Insight[], kind: InsightKind) => insights.find((insight) => insight.kind === kind);

/** The result that is being generated or was not completed, and the stored one unless it is being replaced. */
function useResult(actor: OpenInsights["actor"], kind: InsightKind) {
  const insight = useSelector(actor, (snapshot) => ofKind(selectInsights(snapshot), kind));
  const phase = useSelector(actor, (snapshot) => selectPhase(snapshot, kind));
  const points = useSelector(actor, selectPoints);
  const partial: readonly Point[] = phase === null ? [] : points;
  return { insight, partial, shown: phase === "making" && partial.length > 0 ? undefined : insight };
}

/** The stored result and its metadata. `isApart` separates it from an incomplete result above it. */
function Stored({ actor, insight, isApart, children }: StoredProps) {
  return (
    <div className={isApart ? styles.answer : "stack gap-4"}>
      {children}
      <About actor={actor} insight={insight} />
    </div>
  );
}

interface StoredProps extends Pick<OpenInsights, "actor"> {
  insight: Insight;
  isApart: boolean;
  children: ReactNode;
}

/** The summary of the recording, in the form of a template. */
export function Summary({ actor, templates, folderId, language, playing, languageField }: PartProps) {
  const { t } = useTranslation("insights");
  const { insight, partial, shown } = useResult(actor, "summary");
  const { template, choose } = useTemplate(templates, { last: insight?.template ?? null, folderId });
  return (
    <>
      <Maker
        actor={actor}
        kind="summary"
        label={t(insight === undefined ? "summary.make" : "summary.remake")}
        request={{ kind: "summary", template, language }}
      >
        <TemplateField templates={templates} template={template} onChoose={choose} />
        {languageField}
      </Maker>
      <FolderDefault actor={actor} templates={templates} folderId={folderId} template={template} onChoose={choose} />
      <OwnTemplates actor={actor} templates={templates} />
      <Sentences points={partial} playing={playing} />
      {shown === undefined ? null : (
        <Stored actor={actor} insight={shown} isApart={partial.length > 0}>
          {shown.points.length === 0 ? <p>{t("answer.none")}</p> : <Sentences points={shown.points} playing={playing} />}
        </Stored>
      )}
    </>
  );
}

/** The tasks that somebody in the recording has to do. */
export function TaskList({ actor, title, language, playing, languageField }: PartProps) {
  const { t } = useTranslation("insights");
  const { insight, partial, shown } = useResult(actor, "tasks");
  return (
    <>
      <Maker
        actor={actor}
        kind="tasks"
        label={t(insight === undefined ? "tasks.make" : "tasks.remake")}
        request={{ kind: "tasks", language }}
      >
        {languageField}
      </Maker>
      {partial.length > 0 ? <NewTasks points={partial} playing={playing} /> : null}
      {shown === undefined ? null : (
        <Stored actor={actor} insight={shown} isApart={partial.length > 0}>
          {shown.points.length === 0 ? (
            <p>{t("tasks.none")}</p>
          ) : (
            <Tasks key={shown.id} actor={actor} insight={shown} playing={playing} />
          )}
          <div className="row bottom gap-3">
            <TaskFiles insight={shown} title={title} />
          </div>
        </Stored>
      )}
    </>
  );
}

/** The chapters of the recording. */
export function ChapterList({ actor, language, playing, languageField }: PartProps) {
  const { t } = useTranslation("insights");
  const { insight, partial, shown } = useResult(actor, "chapters");
  return (
    <>
      <Maker
        actor={actor}
        kind="chapters"
        label={t(insight === undefined ? "chapters.make" : "chapters.remake")}
        request={{ kind: "chapters", language }}
      >
        {languageField}
      </Maker>
      {/* While they stream in, a chapter's end is not known, so the list has only sentences. */}
      <Sentences points={partial} playing={playing} />
      {shown === undefined ? null : (
        <Stored actor={actor} insight={shown} isApart={partial.length > 0}>
          <Chapters points={shown.points} playing={playing} />
        </Stored>
      )}
    </>
  );
}
