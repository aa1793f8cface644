import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Reaction } from "#contract/index.ts";
import { selectDislikes, selectLikes, selectReaction, selectRefusal } from "#machines/blog/reactions.ts";
import { number } from "#src/i18n/format.ts";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { OpenPost } from "./post-actor.ts";
import styles from "./reactions.module.css";

/** The like and dislike buttons. Pressing the active one removes the reaction. */
export function Reactions({ open }: { open: OpenPost }) {
  const { t, i18n } = useTranslation("blog");
  const { reactions } = open;
  const likes = useSelector(reactions, selectLikes);
  const dislikes = useSelector(reactions, selectDislikes);
  const own = useSelector(reactions, selectReaction);
  const refusal = useSelector(reactions, selectRefusal);
  const button = (reaction: Reaction, count: number) => (
    <button
      type="button"
      className={`tall size-1 ${styles.button}`}
      aria-pressed={own === reaction}
      onClick={() => reactions.send({ type: "reaction.pressed", reaction })}
    >
      <Icon name={reaction} />
      {t(`reactions.${reaction}`)}
      <span className={`soft digits ${styles.count}`} aria-hidden="true">
        {number(count, i18n.language)}
      </span>
    </button>
  );
  return (
    <section className="needsScript stack" aria-labelledby="reactions">
      <h2 id="reactions">{t("reactions.question")}</h2>
      <div className="row">
        {button("like", likes)}
        {button("dislike", dislikes)}
      </div>
      <p className="visuallyHidden" role="status">
        {t("likes", { count: likes })}, {t("dislikes", { count: dislikes })}
      </p>
      {refusal === null ? null : (
        <Notice tone="danger">
          <strong>{t(`reactions.failed.${refusal}`)}</strong> {t("reactions.again")}
        </Notice>
      )}
    </section>
  );
}
