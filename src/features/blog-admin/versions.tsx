import { useSelector } from "@xstate/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { AdminBlogPost } from "#contract/index.ts";
import { differences, type PersistedDraft, type PostValues, valuesOf } from "#machines/blog-admin/post-editor/rules.ts";
import { selectIsConflict, selectOffers, selectServerVersion, selectValues } from "#machines/blog-admin/post-editor/selectors.ts";
import { dateTime, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { focusHeading } from "#src/ui/focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import type { OpenEditor } from "./post-editor-actor.ts";
import styles from "./versions.module.css";

/** Offers unsaved drafts of earlier visits, to restore, discard, or preview. */
export function Offers({ editor }: { editor: OpenEditor }) {
  const offers = useSelector(editor.actor, selectOffers);
  return offers.map((offer) => <Offer key={offer.at} editor={editor} offer={offer} />);
}

function Offer({ editor: { actor }, offer }: { editor: OpenEditor; offer: PersistedDraft }) {
  const { t, i18n } = useTranslation("blog-admin");
  const shown = useSelector(actor, selectValues);
  const { at, values } = offer;
  // The notice disappears with the pressed button.
  const take = () => {
    focusHeading();
    actor.send({ type: "offer.taken", at });
  };
  const discard = () => {
    focusHeading();
    actor.send({ type: "offer.discarded", at });
  };
  return (
    <Notice
      actions={
        <>
          <Button look="primary" onClick={take}>
            {t("offer.take")}
          </Button>
          <Button onClick={discard}>{t("offer.discard")}</Button>
        </>
      }
    >
      <p>{t("offer.text", { time: dateTime(new Date(at).toISOString(), i18n.language) })}</p>
      <details className={styles.look}>
        <summary>{t("offer.look")}</summary>
        <Version values={values} other={shown} />
      </details>
    </Notice>
  );
}

/** `tabIndex`: the keyboard can scroll a long text. */
const scroller = { className: styles.versionText, tabIndex: 0 };

/** Marks the differences of two versions. */
function Version({ values, other }: { values: PostValues; other: PostValues }) {
  const { t, i18n } = useTranslation("blog-admin");
  const changed = differences(values, other);
  const said = (field: (typeof changed)[number]): string => {
    if (field === "topics") return values.topics.join(", ");
    if (field === "language") return languageName(values.language, i18n.language);
    if (field === "cover") return values.cover?.url ?? "";
    return values[field];
  };
  if (changed.length === 0) return <p>{t("offer.same")}</p>;
  return (
    <dl className={`stack gap-2 ${styles.version}`}>
      {changed.map((field) => (
        <div key={field}>
          <dt className="label">{t(`fields.${field}`)}</dt>
          <dd lang={values.language} {...(field === "content" && scroller)}>
            {said(field) || t("nothing")}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shown when another user has changed or deleted the post. Shows both versions side by side, to choose one. */
export function Conflict({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const { actor } = editor;
  const isConflict = useSelector(actor, selectIsConflict);
  const theirs = useSelector(actor, selectServerVersion);
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
      <div className="row">
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
