import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { insightLimits } from "#contract/index.ts";
import { selectInsights, selectPhase, selectPoints, selectRequest } from "#machines/insights/selectors.ts";
import { TextField } from "#src/ui/field.tsx";
import { About } from "./about.tsx";
import styles from "./insights.module.css";
import { Maker } from "./maker.tsx";
import type { PartProps } from "./part-props.ts";
import { Sentences } from "./points.tsx";

/** Asks questions about the transcript. The answers stay, the newest first. */
export function Questions({ actor, language, playing, languageField }: PartProps) {
  const { t } = useTranslation("insights");
  const insights = useSelector(actor, selectInsights);
  const phase = useSelector(actor, (snapshot) => selectPhase(snapshot, "answer"));
  const points = useSelector(actor, selectPoints);
  const asked = useSelector(actor, selectRequest);
  const [typed, setTyped] = useState("");
  const question = typed.trim();
  // Retries a failed question unchanged, even after the user has emptied the field.
  const again = phase === "failed" && question === "" ? asked : null;
  const answers = insights.filter(({ kind }) => kind === "answer").toReversed();
  return (
    <>
      <Maker
        actor={actor}
        kind="answer"
        label={t("answer.make")}
        request={question === "" ? again : { kind: "answer", question, language }}
        onMake={() => setTyped("")}
      >
        <div className={styles.question}>
          <TextField
            label={t("answer.label")}
            name="question"
            value={typed}
            maxLength={insightLimits.question}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        {languageField}
      </Maker>
      {phase !== null && phase !== "made" && asked?.kind === "answer" ? (
        <article className={styles.answer}>
          <h4 dir="auto">{asked.question}</h4>
          <Sentences points={points} playing={playing} />
        </article>
      ) : null}
      {answers.map((insight) => (
        <article key={insight.id} className={styles.answer}>
          <h4 dir="auto">{insight.question}</h4>
          {insight.points.length === 0 ? <p>{t("answer.none")}</p> : <Sentences points={insight.points} playing={playing} />}
          <About actor={actor} insight={insight} />
        </article>
      ))}
    </>
  );
}
