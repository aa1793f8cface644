import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Insight, insightLimits, type Point, type Task, type TaskChange } from "#contract/index.ts";
import { downloadFile } from "#src/browser/download.ts";
import { clock, date } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import type { OpenInsights } from "./actor.ts";
import { formText } from "./form-text.ts";
import styles from "./insights.module.css";
import { type Playing, Times } from "./points.tsx";
import { hasDates, tasksAsCalendar, tasksAsMarkdown } from "./task-files.ts";

/** The tasks while they stream in. They can't be ticked off yet. */
export function NewTasks({ points, playing }: { points: readonly Point[]; playing: Playing }) {
  return (
    <ul>
      {points.map((point) => (
        <li key={point.text} className={`row gap-3 anywhere ${styles.task}`}>
          <span dir="auto">
            {point.text} <Facts task={point.task} /> <Times spans={point.spans} playing={playing} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface TasksProps {
  actor: OpenInsights["actor"];
  insight: Insight;
  playing: Playing;
}

/** The stored list. The user can tick off and correct each task. */
export function Tasks({ actor, insight, playing }: TasksProps) {
  const [edited, setEdited] = useState<number | null>(null);
  const change = (one: TaskChange) => actor.send({ type: "task.changed", insight: insight.id, change: one });
  return (
    <ul>
      {insight.points.map((point, index) => (
        // The index is a stable key, because the order never changes.
        <li key={`${insight.id} ${String(index)}`} className={`row gap-3 anywhere ${styles.task}`}>
          {edited === index && point.task !== undefined ? (
            <TaskForm
              point={point}
              task={point.task}
              onSave={(one) => {
                change({ index, ...one });
                setEdited(null);
              }}
              onCancel={() => setEdited(null)}
            />
          ) : (
            <TaskRow point={point} playing={playing} onTick={(done) => change({ index, done })} onEdit={() => setEdited(index)} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface TaskRowProps {
  point: Point;
  playing: Playing;
  onTick(done: boolean): void;
  onEdit(): void;
}

function TaskRow({ point: { text, task, spans }, playing, onTick, onEdit }: TaskRowProps) {
  const { t } = useTranslation("insights");
  return (
    <>
      <label className={`line top gap-3 ${styles.tick}`} data-done={task?.done || undefined}>
        <input type="checkbox" checked={task?.done ?? false} onChange={(event) => onTick(event.target.checked)} />
        <span dir="auto">{text}</span>
      </label>
      <Facts task={task} />
      <Times spans={spans} playing={playing} />
      <IconButton icon="edit" label={t("tasks.edit", { task: text })} onClick={onEdit} />
    </>
  );
}

/** The person in charge and the due date. */
function Facts({ task }: { task: Task | undefined }) {
  const { t, i18n } = useTranslation("insights");
  if (task === undefined) return null;
  const { owner, due } = task;
  return (
    <>
      {owner === null ? null : <span className="fine">{owner}</span>}
      {due === null ? null : (
        <span className="fine">
          <time dateTime={due}>{t("tasks.by", { date: date(`${due}T12:00:00`, i18n.language) })}</time>
        </span>
      )}
    </>
  );
}

interface TaskFormProps {
  point: Point;
  task: Task;
  onSave(change: Omit<TaskChange, "index" | "done">): void;
  onCancel(): void;
}

function TaskForm({ point, task, onSave, onCancel }: TaskFormProps) {
  const { t } = useTranslation("insights");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const text = formText(values, "text");
    if (text !== "") onSave({ text, owner: formText(values, "owner") || null, due: formText(values, "due") || null });
  };
  return (
    <form className="stack grow" onSubmit={submit}>
      <TextField
        label={t("tasks.text")}
        name="text"
        defaultValue={point.text}
        maxLength={insightLimits.task}
        required
        autoFocus
      />
      <TextField label={t("tasks.owner")} name="owner" defaultValue={task.owner ?? ""} maxLength={insightLimits.owner} />
      <TextField label={t("tasks.due")} name="due" type="date" defaultValue={task.due ?? ""} />
      <div className="row bottom gap-3">
        <Button type="submit" look="primary">
          {t("tasks.save")}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t("tasks.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** Downloads the list as files. @param title the transcript's title */
export function TaskFiles({ insight, title }: { insight: Insight; title: string }) {
  const { t } = useTranslation("insights");
  const heading = t("tasks.of", { title });
  const save = (content: string, type: string, extension: string) =>
    downloadFile(new Blob([content], { type }), `${fileName(heading)}.${extension}`);
  const { points } = insight;
  if (points.length === 0) return null;
  return (
    <>
      <Button
        icon="download"
        onClick={() => save(tasksAsMarkdown({ title: heading, points }, clock), "text/markdown;charset=utf-8", "md")}
      >
        {t("tasks.markdown")}
      </Button>
      {hasDates(points) ? (
        <Button
          icon="download"
          onClick={() => save(tasksAsCalendar({ ...insight, title: heading }), "text/calendar;charset=utf-8", "ics")}
        >
          {t("tasks.calendar")}
        </Button>
      ) : null}
    </>
  );
}

/** Removes characters that file systems don't allow. */
const fileName = (title: string): string =>
  title
    .replace(/[\p{Cc}/\\:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120);
