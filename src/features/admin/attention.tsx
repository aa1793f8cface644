import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type AdminMetrics, type EngineHealth, isOwnError } from "#contract/index.ts";
import { bytes, number, percent } from "#src/i18n/format.ts";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./overview.module.css";
import { adminSearch } from "./search.ts";

/** The disk counts as low below this fraction of its size, or below this many bytes. */
const littleFraction = 0.1;
const littleBytes = 2_000_000_000;

interface Concern {
  key: string;
  holds: boolean;
  text: ReactNode;
}

/** Whether no engine of this kind works, which affects all users. */
const missed = (engines: readonly EngineHealth[], kind: EngineHealth["kind"]): boolean =>
  !engines.some((engine) => engine.kind === kind && engine.available);

interface Step {
  key: "speech" | "language" | "mails";
  isDone: boolean;
  way: ReactNode;
}

/**
 * The features that this server lacks until an administrator sets them up, the speech model first. Only administrators
 * see this.
 */
export function SetUp({ metrics: { engines, mails } }: { metrics: AdminMetrics }) {
  const { t } = useTranslation("admin");
  const works = (wanted: EngineHealth["kind"]) => engines.filter(({ kind, available }) => kind === wanted && available).length;
  const steps: Step[] = [
    { key: "speech", isDone: works("speech") > 1, way: <Link to="/admin/models">{t("setUp.speech.link")}</Link> },
    { key: "language", isDone: works("chat") > 0, way: <Link to="/admin/blog/generator">{t("setUp.language.link")}</Link> },
    { key: "mails", isDone: mails.server, way: <code>SMTP_URL, MAIL_FROM</code> },
  ];
  const open = steps.filter(({ isDone }) => !isDone);
  if (open.length === 0) return null;
  return (
    <Notice announce={false}>
      <strong>{t("setUp.title")}</strong>
      <ol className={`bullets stack gap-2 ${styles.steps}`}>
        {open.map(({ key, way }) => (
          <li key={key}>
            {t(`setUp.${key}.text`)} {way}
          </li>
        ))}
      </ol>
    </Notice>
  );
}

/** Problems that need action, or a note that there are none. */
export function Attention({ metrics: { failures, engines, storage, mails } }: { metrics: AdminMetrics }) {
  const { t, i18n } = useTranslation("admin");
  const share = storage.free / storage.size;
  const disk = { free: bytes(storage.free, i18n.language), share: percent(share, i18n.language) };
  // Only the owner can fix a wrong file or used-up minutes. They appear among the reasons below, not here.
  const ours = failures.filter(({ code }) => !isOwnError(code)).reduce((sum, { count }) => sum + count, 0);
  const failed = t("attention.failed", { n: number(ours, i18n.language) });
  const items: Concern[] = [
    { key: "jobs", holds: ours > 0, text: <Jobs text={failed} /> },
    ...engines.map(({ kind, name, available, wanted, detail }) => ({
      key: `${kind} ${name}`,
      holds: wanted && !available,
      text: t("attention.engine", { name, detail: detail ?? "" }),
    })),
    { key: "speech", holds: missed(engines, "speech"), text: t("attention.noSpeech") },
    { key: "translation", holds: missed(engines, "translation"), text: t("attention.noTranslation") },
    { key: "disk", holds: storage.free < littleBytes || share < littleFraction, text: t("attention.disk", disk) },
    {
      key: "mails",
      holds: mails.server && mails.stuck > 0,
      text: t("attention.mails", { n: number(mails.stuck, i18n.language) }),
    },
  ].filter(({ holds }) => holds);
  if (items.length === 0) {
    return (
      <Notice tone="good" announce={false}>
        {t("attention.none")}
      </Notice>
    );
  }
  return (
    <Notice tone="danger" announce={false}>
      <strong>{t("attention.title")}</strong>
      <ul className={`bullets stack gap-1 ${styles.attention}`}>
        {items.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Jobs({ text }: { text: string }) {
  const { t } = useTranslation("admin");
  return (
    <>
      {text}{" "}
      <Link to="/admin" search={adminSearch("jobs")}>
        {t("attention.toJobs")}
      </Link>
    </>
  );
}
