import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { wordsOf } from "#contract/blog-admin.ts";
import type { GeneratorPhase, Written } from "#machines/blog-admin/generator/machine.ts";
import {
  selectFailure,
  selectForm,
  selectMode,
  selectPhase,
  selectSavedId,
  selectStep,
  selectWritten,
} from "#machines/blog-admin/generator/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Markdown } from "#src/ui/markdown/markdown.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { useBlogAdminRoutes } from "./admin-routes.ts";
import styles from "./generator.module.css";
import type { Generator } from "./generator-actor.ts";

interface ResultProps {
  generator: Generator;
}

/** The status, the actions, and the text generated so far. */
export function Result({ generator }: ResultProps) {
  const { t } = useTranslation("blog-admin-generator");
  const phase = useSelector(generator, selectPhase);
  const written = useSelector(generator, selectWritten);
  const hasText = written !== null && written.text !== "";
  return (
    <section className="stack gap-4" aria-labelledby="generator-result">
      <div className={`stack ${phase === "generating" ? styles.sticking : ""}`}>
        {/* Takes the focus, because a change of the state may remove the focused element. */}
        <h2 id="generator-result" key={phase} tabIndex={-1} ref={phase === "idle" || phase === "recovered" ? null : claimFocus}>
          {phase === "idle" ? t("result.preview") : t(`result.${phase}`)}
        </h2>
        {phase === "generating" || phase === "saving" ? (
          <Going generator={generator} phase={phase} />
        ) : (
          <Rest generator={generator} phase={phase} hasText={hasText} />
        )}
      </div>
      {hasText ? <Preview written={written} /> : phase === "idle" ? <p className="note">{t("result.empty")}</p> : null}
    </section>
  );
}

function wordsIn(text: string): number {
  return text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
}

function Going({ generator, phase }: ResultProps & { phase: "generating" | "saving" }) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  const step = useSelector(generator, selectStep) ?? "asking";
  const { length } = useSelector(generator, selectForm);
  const text = useDeferredValue(useSelector(generator, (snapshot) => selectWritten(snapshot)?.text ?? ""));
  // A new attempt shows the previous attempt's text until it has produced some itself.
  const words = step === "writing" ? wordsIn(text) : 0;
  const wanted = wordsOf[length];
  const isSaving = phase === "saving";
  const figures = { words: words.toLocaleString(i18n.language), wanted: wanted.toLocaleString(i18n.language) };
  return (
    <>
      <Progress label={t("result.progress")} fraction={isSaving ? 1 : words === 0 ? undefined : Math.min(words / wanted, 0.97)} />
      <div className={styles.going}>
        <div className={styles.stand}>
          {isSaving ? null : <p role="status">{t(`steps.${step}`)}</p>}
          {words === 0 ? null : <p className="note">{t("result.words", figures)}</p>}
        </div>
        {isSaving ? null : (
          <Button icon="stop" onClick={() => generator.send({ type: "stop.requested" })}>
            {t("result.stop")}
          </Button>
        )}
      </div>
    </>
  );
}

type RestProps = ResultProps & { phase: GeneratorPhase; hasText: boolean };

function Rest({ generator, phase, hasText }: RestProps) {
  const { t } = useTranslation("blog-admin-generator");
  const complete = useSelector(generator, (snapshot) => selectWritten(snapshot)?.complete === true);
  const actions = <Actions generator={generator} phase={phase} hasText={hasText} />;
  if (phase === "idle") return null;
  if (phase === "saved") return <Saved generator={generator} />;
  if (phase === "failed" || phase === "notSaved") return <Failure generator={generator} phase={phase} hasText={hasText} />;
  const stopped = hasText ? "result.stoppedText" : "result.stoppedEmpty";
  const recovered = complete ? "result.recoveredWhole" : "result.recoveredPart";
  return <Notice actions={actions}>{t(phase === "recovered" ? recovered : stopped)}</Notice>;
}

function Saved({ generator }: ResultProps) {
  const { t } = useTranslation("blog-admin-generator");
  const { editor } = useBlogAdminRoutes();
  const id = useSelector(generator, selectSavedId);
  if (id === null) return null;
  return (
    <Notice tone="good">
      <Link to={editor} search={{ id }}>
        {t("result.open")}
      </Link>
    </Notice>
  );
}

/** SPEC.md section 8: shows which step failed, then why. */
function Failure({ generator, phase, hasText }: RestProps) {
  const { t } = useTranslation("blog-admin-generator");
  const failure = useSelector(generator, selectFailure);
  const mode = useSelector(generator, selectMode);
  const { code, detail } = failure ?? { code: "internal", detail: null };
  const operation = phase === "notSaved" ? "save" : mode === "topic" ? "generate" : "unique";
  return (
    <Notice tone="danger" actions={<Actions generator={generator} phase={phase} hasText={hasText} />}>
      <strong>{t(`failed.${operation}`)}</strong>
      <p>{code === "tooManyRequests" ? t("failed.busy") : t(`errors.${code}`)}</p>
      {detail === null ? null : (
        <p>
          {t("result.said")} <span lang="en">{detail}</span>
        </p>
      )}
      {hasText ? <p>{t("result.kept")}</p> : null}
    </Notice>
  );
}

function Actions({ generator, phase, hasText }: RestProps) {
  const { t } = useTranslation("blog-admin-generator");
  const mode = useSelector(generator, selectMode);
  const again = (
    <Button icon="retry" onClick={() => generator.send({ type: "generate.requested", mode })}>
      {t(hasText ? "result.again" : "retry")}
    </Button>
  );
  if (!hasText) return again;
  return (
    <>
      <Button look="primary" icon="check" onClick={() => generator.send({ type: "save.requested" })}>
        {t(phase === "notSaved" ? "result.saveAgain" : "result.take")}
      </Button>
      {phase === "recovered" ? null : again}
      <Button look="quiet" icon="trash" onClick={() => generator.send({ type: "discard.requested" })}>
        {t("result.discard")}
      </Button>
    </>
  );
}

/** The preview of the post. React renders a long text at low priority, and several chunks at once. */
function Preview({ written }: { written: Written }) {
  const text = useDeferredValue(written.text);
  const { head, language } = written;
  return (
    <article className="stack gap-5 measure">
      <header className="stack" lang={language}>
        <h2 className="size-4">{head.title}</h2>
        {head.summary === "" ? null : <p className="soft size-2">{head.summary}</p>}
        {head.topics.length === 0 ? null : (
          <ul className={`row ${styles.topics}`}>
            {head.topics.map((topic) => (
              <li key={topic}>{topic}</li>
            ))}
          </ul>
        )}
      </header>
      <Markdown text={text} lang={language} />
    </article>
  );
}
