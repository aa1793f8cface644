import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { idleLimit } from "#machines/analytics/rules.ts";
import { selectConsent, selectPath, selectPlaceState, selectSession, selectTag } from "#machines/analytics/selectors.ts";
import type { Analytics } from "./create-analytics.ts";
import styles from "./test-page.module.css";

/** The machine's current state. */
export function State({ analytics: { actor, tagHost, lookupHost } }: { analytics: Analytics }) {
  const { t, i18n } = useTranslation("analytics");
  const consent = useSelector(actor, selectConsent);
  const tag = useSelector(actor, selectTag);
  const place = useSelector(actor, selectPlaceState);
  const path = useSelector(actor, selectPath);
  const session = useSelector(actor, selectSession);
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" });
  const none = t("test.state.none");
  return (
    <section className={styles.part} aria-labelledby="test-state">
      <h2 id="test-state">{t("test.state.title")}</h2>
      <dl className={styles.facts}>
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
