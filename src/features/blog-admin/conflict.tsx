import { useSelector } from "@xstate/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { AdminBlogPost } from "#contract/index.ts";
import { valuesOf } from "#machines/blog-admin/post-editor/rules.ts";
import { selectIsConflict, selectTheirs, selectValues } from "#machines/blog-admin/post-editor/selectors.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { focusHeading } from "#src/ui/focus.ts";
import { Version } from "./offers.tsx";
import type { OpenEditor } from "./post-editor-actor.ts";
import styles from "./versions.module.css";

/** Shown when the post was changed or deleted by somebody else: both versions side by side, to choose one. */
export function Conflict({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const { actor } = editor;
  const isConflict = useSelector(actor, selectIsConflict);
  const theirs = useSelector(actor, selectTheirs);
  if (!isConflict) return null;
  const choose = (event: { type: "mine.chosen" } | { type: "copy.chosen" } | { type: "theirs.chosen" }) => {
    focusHeading();
    actor.send(event);
  };
  return (
    <section className={styles.conflict} aria-labelledby="conflict-title" role="alert">
      <h2 id="conflict-title" ref={claimFocus} tabIndex={-1}>
        {t(theirs === null ? "conflict.goneTitle" : "conflict.title")}
      </h2>
      {theirs === null ? <p>{t("conflict.goneText")}</p> : <Beside editor={editor} theirs={theirs} />}
      <div className={styles.actions}>
        {theirs === null ? null : (
          <>
            <Button look="primary" onClick={() => choose({ type: "mine.chosen" })}>
              {t("conflict.keepMine")}
            </Button>
            <Button onClick={() => choose({ type: "theirs.chosen" })}>{t("conflict.takeTheirs")}</Button>
          </>
        )}
        <Button onClick={() => choose({ type: "copy.chosen" })}>{t("conflict.copy")}</Button>
      </div>
    </section>
  );
}

function Beside({ editor: { actor }, theirs }: { editor: OpenEditor; theirs: AdminBlogPost }) {
  const { t, i18n } = useTranslation("blog-admin");
  const mine = useSelector(actor, selectValues);
  const other = useMemo(() => valuesOf(theirs), [theirs]);
  const { updatedAt } = theirs;
  return (
    <>
      <p>
        {updatedAt === null ? t("conflict.text") : t("conflict.textAt", { time: dateTime(updatedAt, i18n.language) })}{" "}
        {t("conflict.choice")}
      </p>
      <div className={styles.beside}>
        <div>
          <h3>{t("conflict.mine")}</h3>
          <Version values={mine} other={other} />
        </div>
        <div>
          <h3>{t("conflict.theirs")}</h3>
          <Version values={other} other={mine} />
        </div>
      </div>
    </>
  );
}
