import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import {
  type ChunkReport,
  selectChunkCount,
  selectChunkReports,
  selectChunksCode,
  selectIsCutting,
  selectIsDone,
  selectIsSending,
} from "#machines/debug/chunked-transcription.ts";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { TestForm } from "./test-controls.tsx";
import styles from "./test-pages.module.css";
import type { ChunkLab } from "./test-pages.ts";

/** /test/chunked-transcription: sends a recording in chunks, as separate files, and shows the result of each. */
export function ChunksPage({ lab, engines }: { lab: ChunkLab; engines: EnginesAnswer | undefined }) {
  const { t } = useTranslation("debug");
  const isCutting = useSelector(lab.actor, selectIsCutting);
  const isSending = useSelector(lab.actor, selectIsSending);
  return (
    <Page title={t("titles.chunkedTest")} lead={t("chunks.lead")}>
      <TestForm
        bench={lab.bench}
        engines={engines}
        busy={isCutting || isSending}
        canStop={isCutting || isSending}
        onStart={(form, source) => {
          const run = { source, seconds: Number(form.get("seconds")), language: String(form.get("language")) };
          lab.actor.send({ type: "run.requested", run });
        }}
        onStop={() => lab.actor.send({ type: "stop.requested" })}
      >
        <TextField
          label={t("chunks.length")}
          name="seconds"
          type="number"
          min={1}
          max={600}
          step="any"
          defaultValue={4}
          required
        />
      </TestForm>
      <Progress lab={lab} />
      <Reports lab={lab} />
    </Page>
  );
}

function Progress({ lab }: { lab: ChunkLab }) {
  const { t } = useTranslation("debug");
  const isCutting = useSelector(lab.actor, selectIsCutting);
  const isDone = useSelector(lab.actor, selectIsDone);
  const count = useSelector(lab.actor, selectChunkCount);
  const sent = useSelector(lab.actor, selectChunkReports).length;
  const code = useSelector(lab.actor, selectChunksCode);
  if (code !== null) return <Notice tone="danger">{t(`errors.${code}`)}</Notice>;
  const text = isCutting ? t("chunks.cutting") : count === 0 ? "" : t("chunks.progress", { sent, count });
  return (
    <p role="status" data-testid="progress" data-done={isDone || undefined}>
      {text}
    </p>
  );
}

function Reports({ lab }: { lab: ChunkLab }) {
  const reports = useSelector(lab.actor, selectChunkReports);
  return (
    <ol className={`stack ${styles.chunks}`}>
      {reports.map((report) => (
        <Chunk key={report.index} report={report} />
      ))}
    </ol>
  );
}

function Chunk({ report }: { report: ChunkReport }) {
  const { t, i18n } = useTranslation("debug");
  const { index, start, seconds, bytes, uploaded, finished, text, code, raw } = report;
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const facts = [
    t("chunks.from", { start: number.format(start), end: number.format(start + seconds) }),
    t("chunks.size", { kilobytes: number.format(bytes / 1000) }),
    ...(uploaded === null ? [] : [t("chunks.uploaded", { ms: Math.round(uploaded) })]),
    ...(finished === null ? [] : [t("chunks.finished", { ms: Math.round(finished) })]),
  ];
  return (
    <li className={styles.chunk} data-testid="chunk" data-state={finished === null ? "failed" : "finished"}>
      <h3>{t("chunks.chunk", { number: index + 1 })}</h3>
      <p className="fine digits">{facts.join(" · ")}</p>
      {text === "" ? null : <p>{text}</p>}
      {code === null ? null : <p>{t(`errors.${code}`)}</p>}
      <details>
        <summary>{t("chunks.raw")}</summary>
        <pre className="code">{raw}</pre>
      </details>
    </li>
  );
}
