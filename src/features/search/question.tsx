import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import {
  selectAnswer,
  selectAskableAt,
  selectAskingFailure,
  selectIsAsking,
  selectIsStopped,
  selectPoints,
  selectQuestion,
} from "#machines/search/asking.ts";
import { selectIsFound, selectModel, selectWanted } from "#machines/search/selectors.ts";
import { timeOfDay } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { SearchActors } from "./actor.ts";
import { PassageLink } from "./hits.tsx";
import styles from "./search.module.css";

/**
 * Sends the typed text as a question to the operator's language model, if there is one. It answers from the best
 * passages.
 */
export function Question(open: SearchActors) {
  const { t } = useTranslation("search");
  const { search, asking } = open;
  const { ask } = useAsking(open);
  const model = useSelector(search, selectModel);
  const found = useSelector(search, selectIsFound);
  const busy = useSelector(asking, selectIsAsking);
  const asked = useSelector(asking, selectQuestion);
  const { query } = useSelector(search, selectWanted);
  if ((!found && asked === null) || model === null) return null;
  return (
    <section className="stack starts gap-2" aria-label={t("ask.title")}>
      {busy ? (
        <Button icon="stop" onClick={() => asking.send({ type: "stop.requested" })}>
          {t("ask.stop")}
        </Button>
      ) : (
        <Button icon="sparkle" disabled={!found} onClick={() => ask(query.trim())}>
          {t("ask.ask")}
        </Button>
      )}
      <p className="fine">{t(model.offline ? "ask.staysHere" : "ask.goesTo", { model: model.name, host: model.host })}</p>
      <Answer {...open} />
    </section>
  );
}

/** Asks a question, with the search's filters. */
function useAsking({ search, asking }: SearchActors) {
  const { language, from, to } = useSelector(search, selectWanted);
  const ask = (question: string) =>
    asking.send({ type: "question.asked", question: { question, filters: { language, from, to } } });
  return { ask };
}

function Answer(open: SearchActors) {
  const { t, i18n } = useTranslation("search");
  const { asking } = open;
  const { ask } = useAsking(open);
  const question = useSelector(asking, selectQuestion);
  const points = useSelector(asking, selectPoints);
  const failure = useSelector(asking, selectAskingFailure);
  const until = useSelector(asking, selectAskableAt);
  const busy = useSelector(asking, selectIsAsking);
  if (question === null) return null;
  return (
    <article className={`card stack starts measure ${styles.answer}`}>
      <h2 dir="auto">{question}</h2>
      <ul className="stack gap-2 size-2 reading">
        {points.map(({ text, passages }) => (
          <li key={text}>
            <span dir="auto">{text}</span>
            <ul className={styles.sources}>
              {passages.map((hit) => (
                <li key={`${hit.id} ${hit.start} ${hit.text}`}>
                  <PassageLink hit={hit} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <AnswerState asking={asking} />
      {failure === null ? null : (
        <RetryNotice label={t("retry")} onRetry={failure !== "notOffered" && (() => ask(question))}>
          {failure === "tooManyRequests" && until !== null
            ? t("askedTooOften", { time: timeOfDay(until, i18n.language) })
            : t(`errors.${failure}`)}
        </RetryNotice>
      )}
      {busy ? null : (
        <IconButton
          icon="close"
          label={t("ask.close")}
          onClick={() => {
            focusHeading();
            asking.send({ type: "answer.closed" });
          }}
        />
      )}
    </article>
  );
}

/** The state of the answer, while it is written and afterwards. */
function AnswerState({ asking }: Pick<SearchActors, "asking">) {
  const { t } = useTranslation("search");
  const busy = useSelector(asking, selectIsAsking);
  const stopped = useSelector(asking, selectIsStopped);
  const answer = useSelector(asking, selectAnswer);
  return (
    <p className="fine" role="status">
      {busy ? t("ask.writing") : null}
      {stopped ? t("ask.stopped") : null}
      {answer === null ? null : answer.points.length === 0 ? t("ask.none") : t("ask.read", { count: answer.read })}
      {answer === null || answer.omitted === 0 ? null : ` ${t("ask.omitted", { count: answer.omitted })}`}
    </p>
  );
}
