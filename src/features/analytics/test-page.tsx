import { useSelector } from "@xstate/react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { idleLimit, scrollMarks } from "#machines/analytics/rules.ts";
import {
  selectConsent,
  selectIsDry,
  selectIsMeasuring,
  selectMarks,
  selectPath,
  selectPlaceState,
  selectSession,
  selectTag,
} from "#machines/analytics/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { openAnalytics } from "./actor.ts";
import { ConsentChoice } from "./consent-choice.tsx";
import type { Analytics } from "./create-analytics.ts";
import { SentEvents } from "./sent-events.tsx";
import styles from "./test-page.module.css";
import { depthOf } from "./watch.ts";

/** /analytics-test: shows the state of the analytics and every sent event, and has buttons that send some. */
export function TestPage() {
  const { t } = useTranslation("analytics");
  const analytics = openAnalytics();
  return (
    <Page title={t("titles.analyticsTest")} lead={t("test.lead")}>
      <DryRun analytics={analytics} />
      <div className={`columns top gap-5 ${styles.columns}`}>
        <div className="stack gap-5">
          <State analytics={analytics} />
          <Consent analytics={analytics} />
        </div>
        <div className="stack gap-5">
          <Sending analytics={analytics} />
          <Depth analytics={analytics} />
          <Console />
        </div>
      </div>
      <SentEvents analytics={analytics} />
    </Page>
  );
}

interface PartProps {
  analytics: Analytics;
}

/** Enables a dry run if no analytics are configured. */
function DryRun({ analytics: { actor } }: PartProps) {
  const { t } = useTranslation("analytics");
  const hint = useId();
  const isDry = useSelector(actor, selectIsDry);
  const isMeasuring = useSelector(actor, selectIsMeasuring);
  return (
    <div className="stack">
      <label className="check gap-3 fit strong">
        <input
          type="checkbox"
          checked={isDry}
          aria-describedby={hint}
          onChange={(event) => actor.send({ type: "dryRun.chosen", isOn: event.target.checked })}
        />
        {t("test.dry.label")}
      </label>
      <p id={hint} className="note">
        {t("test.dry.hint")}
      </p>
      {isDry ? <Notice tone="good">{t("test.dry.on")}</Notice> : null}
      {isMeasuring ? null : <Notice>{t("test.dry.needed")}</Notice>}
    </div>
  );
}

function Consent({ analytics: { actor } }: PartProps) {
  const { t } = useTranslation("analytics");
  const consent = useSelector(actor, selectConsent);
  if (consent === "notConfigured") return null;
  return (
    <section className="card pad-5 stack" aria-labelledby="test-consent">
      <h2 id="test-consent">{t("choice.title")}</h2>
      <ConsentChoice />
    </section>
  );
}

function Sending({ analytics: { actor } }: PartProps) {
  const { t } = useTranslation("analytics");
  const isMeasuring = useSelector(actor, selectIsMeasuring);
  const name = "test_event";
  return (
    <section className="card pad-5 stack" aria-labelledby="test-send">
      <h2 id="test-send">{t("test.send.title")}</h2>
      <div className="row">
        <Button
          disabled={!isMeasuring}
          onClick={() => actor.send({ type: "event.requested", name, params: { source: "analytics_test" } })}
        >
          {t("test.send.event")}
        </Button>
        <Button disabled={!isMeasuring} onClick={() => actor.send({ type: "pageView.requested" })}>
          {t("test.send.pageView")}
        </Button>
        <Button disabled={!isMeasuring} onClick={() => actor.send({ type: "heartbeat.requested" })}>
          {t("test.send.heartbeat")}
        </Button>
      </div>
    </section>
  );
}

const lines = Array.from({ length: 24 }, (_, index) => index + 1);

/** A scrollable box whose scroll depth counts as the page's, with the marks that it has reached. */
function Depth({ analytics: { actor } }: PartProps) {
  const { t, i18n } = useTranslation("analytics");
  const marks = useSelector(actor, selectMarks);
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" });
  return (
    <section className="card pad-5 stack" aria-labelledby="test-depth">
      <h2 id="test-depth">{t("test.depth.title")}</h2>
      <p className="note">{t("test.depth.text")}</p>
      <ul className={`row ${styles.marks}`}>
        {scrollMarks.map((mark) => (
          <li key={mark} data-reached={marks.includes(mark) || undefined}>
            {percent.format(mark / 100)} {t(marks.includes(mark) ? "test.depth.reached" : "test.depth.open")}
          </li>
        ))}
      </ul>
      <textarea
        className={styles.area}
        aria-label={t("test.depth.area")}
        readOnly
        value={lines.map((line) => t("test.depth.line", { line, all: lines.length })).join("\n\n")}
        onScroll={(event) => actor.send({ type: "page.scrolled", percent: depthOf(event.currentTarget) })}
      />
    </section>
  );
}

const examples = [
  'parlanceAnalytics.event("test_event", { works: true })',
  "parlanceAnalytics.pageView()",
  "parlanceAnalytics.heartbeat()",
  "parlanceAnalytics.status()",
] as const;

function Console() {
  const { t } = useTranslation("analytics");
  return (
    <section className="card pad-5 stack" aria-labelledby="test-console">
      <h2 id="test-console">{t("test.console.title")}</h2>
      <p className="note">{t("test.console.text")}</p>
      <ul className="code stack gap-1">
        {examples.map((example) => (
          <li key={example}>
            <code>{example}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The machine's current state. */
function State({ analytics: { actor, tagHost, lookupHost } }: { analytics: Analytics }) {
  const { t, i18n } = useTranslation("analytics");
  const consent = useSelector(actor, selectConsent);
  const tag = useSelector(actor, selectTag);
  const place = useSelector(actor, selectPlaceState);
  const path = useSelector(actor, selectPath);
  const session = useSelector(actor, selectSession);
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" });
  const none = t("test.state.none");
  return (
    <section className="card pad-5 stack" aria-labelledby="test-state">
      <h2 id="test-state">{t("test.state.title")}</h2>
      <dl className={`stack gap-2 size-1 ${styles.facts}`}>
        <Fact name="configured" value={tagHost ?? t("test.state.notConfigured")} />
        <Fact name="consent" value={t(`test.consents.${consent}`)} state={consent} />
        <Fact name="tag" value={t(`test.tags.${tag}`)} state={tag} />
        <Fact name="place" value={lookupHost ? t(`test.places.${place}`) : t("test.state.noLookup")} state={place} />
        <Fact name="session" value={session ? <code>{session.id}</code> : none} state={session ? "running" : "none"} />
        <Fact name="started" value={session ? time.format(session.startedAt) : none} />
        <Fact
          name="idle"
          value={
            session
              ? t("test.state.idleAt", { seen: time.format(session.seenAt), end: time.format(session.seenAt + idleLimit) })
              : t("test.state.idle")
          }
        />
        <Fact name="path" value={path ? <code>{path}</code> : none} />
      </dl>
    </section>
  );
}

type FactName = "configured" | "consent" | "tag" | "place" | "session" | "started" | "idle" | "path";

function Fact({ name, value, state }: { name: FactName; value: ReactNode; state?: string }) {
  const { t } = useTranslation("analytics");
  return (
    <div data-testid={`fact-${name}`} data-state={state}>
      <dt>{t(`test.facts.${name}`)}</dt>
      <dd>{value}</dd>
    </div>
  );
}
