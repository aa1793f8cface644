import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Insight } from "#contract/index.ts";
import { selectAsked } from "#machines/insights/selectors.ts";
import { dateTime } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import type { OpenInsights } from "./actor.ts";

/** A result's model, date and notes, and the button that deletes it. */
export function About({ actor, insight }: { actor: OpenInsights["actor"]; insight: Insight }) {
  const { t, i18n } = useTranslation("insights");
  const { id, kind, model, createdAt, omitted, outdated } = insight;
  const asking = useSelector(actor, selectAsked) === id;
  return (
    <div className="line apart gap-3">
      <p className="fine">
        {t("writtenBy", { model, date: dateTime(createdAt, i18n.language) })}
        {omitted === 0 ? null : <> {t("omitted", { count: omitted })}</>}
        {outdated ? <> {t("outdated")}</> : null}
      </p>
      <IconButton
        icon="trash"
        label={t(`deletion.${kind}`)}
        onClick={() => actor.send({ type: "deletion.requested", insight: id })}
      />
      {asking ? (
        <ConfirmDialog
          title={t(`deletion.${kind}`)}
          text={t("deletion.text")}
          confirmLabel={t("deletion.confirm")}
          cancelLabel={t("deletion.cancel")}
          onCancel={() => actor.send({ type: "deletion.cancelled" })}
          onConfirm={() => actor.send({ type: "deletion.confirmed" })}
        />
      ) : null}
    </div>
  );
}
