import { useSelector } from "@xstate/react";
import { useCallback, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RetentionRule } from "#contract/index.ts";
import { selectData, selectIsLoading, selectIsOffered } from "#machines/query.ts";
import type { FolderRule, Rules } from "#src/features/retention/folder-rules.ts";
import { RetentionForm } from "#src/features/retention/form.tsx";
import { Button } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import entries from "#src/ui/entries.module.css";
import { Card, LoadFailure } from "./part.tsx";

/**
 * The retention of each folder's transcripts, and of those without a folder. Renders nothing if the server never
 * deletes transcripts by itself.
 */
export function RulesCard({ rules }: { rules: Rules }) {
  const { t } = useTranslation(["retention", "settings"]);
  const known = useSelector(rules.list, selectData);
  const loading = useSelector(rules.list, selectIsLoading);
  const offered = useSelector(rules.list, selectIsOffered);
  // Only one rule can be edited at a time, because there is one form.
  const [changed, setChanged] = useState<FolderRule | null>(null);
  const finish = useCallback(
    (saved?: RetentionRule) => {
      if (saved !== undefined) rules.keep(saved);
      setChanged(null);
    },
    [rules],
  );
  if (!offered) return null;
  return (
    <Card id="retention" title={t("card.title")} text={t("card.text")}>
      {known === null && loading ? <p role="status">{t("settings:loading")}</p> : null}
      <LoadFailure query={rules.list} text={t("card.failed")} />
      <ul className="stack gap-0">
        {known?.map((rule) => (
          <Row
            key={rule.folderId}
            rule={rule}
            isChanged={changed?.folderId === rule.folderId}
            onChange={changed === null ? () => setChanged(rule) : undefined}
            onDone={finish}
          />
        ))}
      </ul>
    </Card>
  );
}

interface RowProps {
  rule: FolderRule;
  isChanged: boolean;
  /** undefined while another rule is being edited. */
  onChange: (() => void) | undefined;
  onDone(saved?: RetentionRule): void;
}

function Row({ rule, isChanged, onChange, onDone }: RowProps) {
  const { t } = useTranslation(["retention", "settings", "filing"]);
  const { begin, opener } = useEditingInPlace();
  const id = useId();
  const name = rule.name ?? t("filing:noFolder");
  if (isChanged) {
    return (
      <li>
        <RetentionForm folderId={rule.folderId} name={name} onDone={onDone} />
      </li>
    );
  }
  const change = () => {
    begin();
    onChange?.();
  };
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">
          <bdi id={`${id}-name`}>{name}</bdi>
        </p>
        <Kept rule={rule} />
      </div>
      {onChange === undefined ? null : (
        <Button ref={opener} id={id} aria-labelledby={`${id} ${id}-name`} onClick={change}>
          {t("settings:change")}
        </Button>
      )}
    </li>
  );
}

function Kept({ rule }: Pick<RowProps, "rule">) {
  const { t, i18n } = useTranslation("retention");
  const inDays = new Intl.NumberFormat(i18n.language, { style: "unit", unit: "day", unitDisplay: "long" });
  const kinds = (["audioDays", "textDays"] as const).flatMap((kind) => {
    const days = rule[kind];
    return days === null ? [] : [{ kind, days: inDays.format(days) }];
  });
  return (
    <p className="facts measure size-1">
      {kinds.length === 0 ? t("keepsAll") : null}
      {kinds.map(({ kind, days }) => (
        <span key={kind}>
          {t(kind)}: {t("after", { days })}
        </span>
      ))}
    </p>
  );
}
