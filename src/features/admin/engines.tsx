import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type AdminMetrics, type EngineHealth, isOwnError } from "#contract/index.ts";
import { dateTime, number } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { ListTable } from "./list-table.tsx";
import table from "./table.module.css";

/** Engines for transcription, translation, speech and text, with the errors of those that fail. */
export function Engines({ engines }: Pick<AdminMetrics, "engines">) {
  const { t } = useTranslation("admin");
  return (
    <section className="stack" aria-labelledby="engines">
      <h3 className="size-3" id="engines">
        {t("engines.title")}
      </h3>
      <p>
        <Link to="/admin/models">{t("engines.models")}</Link>
      </p>
      <ListTable
        rows={engines}
        keyOf={({ kind, name }) => `${kind} ${name}`}
        columns={[
          { name: t("engines.name"), look: "whole", cell: ({ name }) => name },
          { name: t("engines.kind"), cell: ({ kind }) => t(`engines.kinds.${kind}`) },
          { name: t("engines.state"), cell: (engine) => <State engine={engine} /> },
        ]}
      />
    </section>
  );
}

function State({ engine: { available, wanted, detail } }: { engine: EngineHealth }) {
  const { t } = useTranslation("admin");
  return (
    <>
      <Badge tone={available ? "good" : wanted ? "danger" : undefined}>
        {t(available ? "engines.works" : wanted ? "engines.broken" : "engines.missing")}
      </Badge>
      {detail === null ? null : (
        <p className={table.soft} lang="en">
          {detail}
        </p>
      )}
    </>
  );
}

/** Reasons for the failed transcriptions of the last seven days. */
export function Failures({ failures }: Pick<AdminMetrics, "failures">) {
  const { t, i18n } = useTranslation("admin");
  if (failures.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="failures">
      <h3 className="size-3" id="failures">
        {t("failures.title")}
      </h3>
      <ListTable
        rows={failures}
        keyOf={({ code }) => code}
        columns={[
          {
            name: t("failures.reason"),
            cell: ({ code }) => (
              <>
                {t(`errors.${code}`)}
                {isOwnError(code) ? <p className={table.soft}>{t("failures.own")}</p> : null}
              </>
            ),
          },
          { name: t("failures.count"), look: "number", cell: ({ count }) => number(count, i18n.language) },
          { name: t("failures.last"), cell: ({ lastAt }) => dateTime(lastAt, i18n.language) },
        ]}
      />
    </section>
  );
}
