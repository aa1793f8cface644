import { useSelector } from "@xstate/react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import { selectIsRunning, selectLiveCode, selectLiveStage } from "#machines/debug/realtime-transcription.ts";
import { failureKey } from "#src/audio/microphone-problem.ts";
import { FactList } from "#src/ui/fact-list.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { TestForm } from "./test-controls.tsx";
import type { LiveLog } from "./test-log.ts";
import styles from "./test-pages.module.css";
import type { LiveLab } from "./test-pages.ts";

/** /test/realtime-transcription: streams a recording to the engine, and shows every message and the latency. */
export function LivePage({ lab, engines }: { lab: LiveLab; engines: EnginesAnswer | undefined }) {
  const { t } = useTranslation("debug");
  const { t: words } = useTranslation("app");
  const isRunning = useSelector(lab.actor, selectIsRunning);
  const code = useSelector(lab.actor, selectLiveCode);
  const stage = useSelector(lab.actor, selectLiveStage);
  return (
    <Page title={t("titles.realtimeTest")} lead={t("live.lead")}>
      <TestForm
        bench={lab.bench}
        engines={engines}
        withMicrophone
        busy={isRunning}
        canStop={isRunning && stage !== "finishing"}
        onStart={(form, source) => {
          const pace = form.get("pace") === "fast" && source !== "microphone" ? "fast" : "real";
          lab.actor.send({ type: "run.requested", run: { source, pace, language: String(form.get("language")) } });
        }}
        onStop={() => lab.actor.send({ type: "stop.requested" })}
      >
        <SelectField label={t("live.pace")} name="pace" defaultValue="real">
          <option value="real">{t("live.real")}</option>
          <option value="fast">{t("live.fast")}</option>
        </SelectField>
      </TestForm>
      {code === null ? (
        <p role="status" data-testid="stage" data-stage={stage}>
          {t(`live.stage.${stage}`)}
        </p>
      ) : (
        <Notice tone="danger">{words(failureKey(code))}</Notice>
      )}
      <Figures log={lab.log} />
      <Words log={lab.log} />
      <Messages log={lab.log} />
    </Page>
  );
}

function Figures({ log }: { log: LiveLog }) {
  const { t } = useTranslation("debug");
  const timings = useSyncExternalStore(log.timings.subscribe, log.timings.get);
  const milliseconds = (ms: number | null) => (ms === null ? "–" : t("ms", { ms: Math.round(ms) }));
  return (
    <FactList
      className={`columns gap-3 ${styles.facts}`}
      facts={[
        { name: t("live.frames"), value: `${timings.confirmed} / ${timings.frames}` },
        { name: t("live.roundTrip"), value: milliseconds(timings.roundTrip) },
        { name: t("live.firstPartial"), value: milliseconds(timings.firstPartial) },
        { name: t("live.finalAfter"), value: milliseconds(timings.finalAfter) },
      ]}
    />
  );
}

function Words({ log }: { log: LiveLog }) {
  const partial = useSyncExternalStore(log.partial.subscribe, log.partial.get);
  const finals = useSyncExternalStore(log.finals.subscribe, log.finals.get);
  return (
    <p className={`size-2 reading anywhere ${styles.words}`} data-testid="words">
      {`${finals.join(" ")} `}
      <span className={styles.partial}>{partial}</span>
    </p>
  );
}

function Messages({ log }: { log: LiveLog }) {
  const { t } = useTranslation("debug");
  const [filter, setFilter] = useState("");
  const lines = useSyncExternalStore(log.lines.subscribe, log.lines.get);
  const wanted = filter.trim().toLowerCase();
  const shown = wanted === "" ? lines : lines.filter(({ kind, text }) => `${kind} ${text}`.toLowerCase().includes(wanted));
  return (
    <section aria-labelledby="messages">
      <div className={`row apart bottom gap-3 ${styles.logHead}`}>
        <h2 id="messages">{t("live.messages", { shown: shown.length })}</h2>
        <TextField label={t("live.filter")} type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
      </div>
      <ol className={styles.log} data-testid="log" aria-labelledby="messages">
        {shown.toReversed().map(({ id, at, way, kind, text }) => (
          <li key={id} data-way={way}>
            <span>{t("ms", { ms: Math.round(at) })}</span>
            <b>{`${way === "out" ? "→" : "←"} ${kind}`}</b>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
