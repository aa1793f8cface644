import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
  type CodeKind,
  selectEmail,
  selectFailure,
  selectHasFailed,
  selectIsChecking,
  selectIsOver,
  selectKind,
} from "#machines/second-factor/step.ts";
import styles from "#src/features/account/account-form.module.css";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { focusFirstField } from "#src/ui/editing-in-place.ts";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import { CodeField } from "./code-field.tsx";
import type { SecondStep as Actor } from "./step-actor.ts";

/** Asks for the code that completes a sign-in. @param instead another way to sign in */
export function SecondStep({ step, instead }: { step: Actor; instead: ReactNode }) {
  const { t } = useTranslation("second-factor");
  const email = useSelector(step, selectEmail);
  const isOver = useSelector(step, selectIsOver);
  const failed = useSelector(step, selectHasFailed);
  if (isOver || failed) {
    const again = () => step.send({ type: "reload.requested" });
    return (
      <div role="alert">
        <MessageScreen
          title={t(isOver ? "step.over" : "step.failed")}
          text={t(isOver ? "step.overText" : "failure.network")}
          action={isOver ? <BackToSignIn /> : <Button onClick={again}>{t("retry")}</Button>}
        />
      </div>
    );
  }
  if (email === null) return <LoadingScreen message={t("checking.authenticating", { ns: "translation" })} />;
  return <CodeForm step={step} email={email} instead={instead} />;
}

function CodeForm({ step, email, instead }: { step: Actor; email: string; instead: ReactNode }) {
  const { t } = useTranslation("second-factor");
  const kind = useSelector(step, selectKind);
  const failure = useSelector(step, selectFailure);
  const checking = useSelector(step, selectIsChecking);
  const other: CodeKind = kind === "app" ? "recovery" : "app";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    step.send({ type: "code.submitted", proof: String(new FormData(event.currentTarget).get("code") ?? "") });
  };
  return (
    <div className={styles.account}>
      <h1 tabIndex={-1}>{t("step.title")}</h1>
      <p>{t(`step.${kind}Lead`, { email })}</p>
      {/* The key makes another kind of code another field, which takes the focus. */}
      <form key={kind} ref={focusFirstField} className="stack gap-4" noValidate onSubmit={submit}>
        <CodeField kind={kind} failure={failure} />
        <Button type="submit" look="primary" busy={checking} className={styles.submit}>
          {t("step.submit")}
        </Button>
      </form>
      {instead}
      <p className={`ruled stack starts gap-2 note ${styles.other}`}>
        <Button onClick={() => step.send({ type: "kind.changed", kind: other })}>{t(`step.${other}Instead`)}</Button>
        <Link to="/signin" replace>
          {t("step.back")}
        </Link>
      </p>
      <span className="visuallyHidden" role="status">
        {checking ? t("loading", { ns: "translation" }) : ""}
      </span>
    </div>
  );
}

function BackToSignIn() {
  const { t } = useTranslation("second-factor");
  return (
    <Link to="/signin" replace className={buttonClass("primary")}>
      {t("step.back")}
    </Link>
  );
}
