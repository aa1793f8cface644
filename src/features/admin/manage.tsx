import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { AdminSubscription, AdminUser } from "#contract/index.ts";
import {
  actionsFor,
  dayOf,
  needsDay,
  selectAction,
  selectAskedChange,
  selectChanges,
  selectFailure,
  selectIsChanging,
  selectProblem,
  type UserChange,
} from "#machines/admin/user.ts";
import { date } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { TextArea, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import own from "./users.module.css";
import { endOfDay, type OpenUser } from "./users-actor.ts";

/** The subscription, the account, and the actions on them. Each action needs a reason and a confirmation. */
export function Manage({ actor, user }: { actor: OpenUser; user: AdminUser }) {
  const { t } = useTranslation("admin");
  const failure = useSelector(actor, selectFailure);
  const changes = useSelector(actor, selectChanges);
  const asked = useSelector(actor, selectAskedChange);
  return (
    <section className="card pad-roomy stack compact" aria-labelledby="manage">
      <h3 id="manage">{t("manage.title")}</h3>
      <State subscription={user.subscription} />
      <Form key={changes} actor={actor} user={user} />
      {failure === null ? null : (
        <Notice tone="danger">
          <strong>{t("manage.failed")}</strong>
          <p>{t(failure === "conflict" ? "manage.conflict" : `errors.${failure}`)}</p>
        </Notice>
      )}
      {asked === null ? null : <Question actor={actor} user={user} change={asked} />}
    </section>
  );
}

function State({ subscription }: { subscription: AdminSubscription | null }) {
  const { t, i18n } = useTranslation("admin");
  const end = subscription?.currentPeriodEnd ?? null;
  const day = end === null ? "" : date(end, i18n.language);
  if (subscription === null) return <p>{t("subscription.none")}</p>;
  const { provider, premium, cancelAtPeriodEnd, status } = subscription;
  if (!premium) return <p>{t(status === "past_due" ? "subscription.pastDue" : "subscription.ended")}</p>;
  if (provider === null) return <p>{day === "" ? t("subscription.givenOpen") : t("subscription.given", { date: day })}</p>;
  const through = t(`subscription.providers.${provider}`);
  if (day === "") return <p>{t("subscription.paid", { through })}</p>;
  return <p>{t(cancelAtPeriodEnd ? "subscription.ending" : "subscription.renewed", { through, date: day })}</p>;
}

function Form({ actor, user }: { actor: OpenUser; user: AdminUser }) {
  const { t } = useTranslation("admin");
  const action = useSelector(actor, selectAction);
  const problem = useSelector(actor, selectProblem);
  const busy = useSelector(actor, selectIsChanging);
  const end = user.subscription?.currentPeriodEnd ?? null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const [until, reason] = [filled.get("until"), filled.get("reason")].map((value) => (typeof value === "string" ? value : ""));
    actor.send({ type: "change.requested", until: until ?? "", reason: reason ?? "" });
  };
  return (
    <form className={`stack starts ${own.form}`} noValidate onSubmit={submit}>
      <ChoiceCards stacked legend={t("manage.actions")} legendClass="label">
        {actionsFor(user).map((one) => (
          <ChoiceCard
            key={one}
            name="action"
            checked={action === one}
            onChange={() => actor.send({ type: "action.chosen", action: one })}
          >
            {t(`actions.${one}`)}
          </ChoiceCard>
        ))}
      </ChoiceCards>
      {needsDay(action) ? (
        <TextField
          type="date"
          name="until"
          label={t("manage.until")}
          defaultValue={user.subscription?.premium && end !== null ? dayOf(new Date(end)) : undefined}
          error={problem === "until" ? t("manage.untilMissing") : undefined}
        />
      ) : null}
      {action === null ? null : (
        <>
          <TextArea
            name="reason"
            rows={2}
            maxLength={500}
            label={t("manage.reason")}
            hint={t("manage.reasonHint")}
            error={problem === "reason" ? t("manage.reasonMissing") : undefined}
          />
          <Button type="submit" busy={busy}>
            {t("manage.goOn")}
          </Button>
        </>
      )}
      <p className="visuallyHidden" role="status">
        {busy ? t("manage.working") : ""}
      </p>
    </form>
  );
}

interface QuestionProps {
  actor: OpenUser;
  user: AdminUser;
  change: UserChange;
}

function Question({ actor, user, change: { action, until } }: QuestionProps) {
  const { t, i18n } = useTranslation("admin");
  const end = needsDay(action) ? endOfDay(until) : (user.subscription?.currentPeriodEnd ?? "");
  return (
    <ConfirmDialog
      title={t(`actions.${action}`)}
      text={t(`questions.${action}`, { email: user.email, date: date(end, i18n.language) })}
      confirmLabel={t("manage.confirm")}
      cancelLabel={t("manage.cancel")}
      icon={action === "deleteUser" ? "trash" : null}
      onConfirm={() => actor.send({ type: "change.confirmed" })}
      onCancel={() => actor.send({ type: "change.dismissed" })}
    />
  );
}
