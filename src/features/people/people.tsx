import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { offerDays, type SharedPerson, shareRoles } from "#contract/index.ts";
import {
  selectAsked,
  selectBusy,
  selectFailure,
  selectIsLoading,
  selectIsOpen,
  selectIsSaving,
  selectIsWriting,
  selectLoadError,
  selectPeople,
  selectWithdrawals,
} from "#machines/people/machine.ts";
import { date } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { openPeople, type People } from "./actor.ts";
import styles from "./people.module.css";

interface PeopleSectionProps {
  /** Of the transcription. */
  id: string;
  /** Calls it when the transcript's page is left. */
  onLeave(left: () => void): void;
}

/** With whom a transcript is shared, and what they may do. */
export function PeopleSection({ id, onLeave }: PeopleSectionProps) {
  const { t } = useTranslation("people");
  const people = openPeople(id, onLeave);
  const loading = useSelector(people, selectIsLoading);
  const failed = useSelector(people, selectLoadError) !== null;
  const isOpen = useSelector(people, selectIsOpen);
  return (
    <section className={styles.section} aria-label={t("title")}>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => people.send({ type: "reload.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {isOpen ? <Content people={people} /> : null}
      <Sure people={people} />
    </section>
  );
}

function Content({ people }: { people: People }) {
  const { t } = useTranslation("people");
  const writing = useSelector(people, selectIsWriting);
  const list = useSelector(people, selectPeople);
  const withdrawals = useSelector(people, selectWithdrawals);
  const failure = useSelector(people, selectFailure);
  return (
    <>
      {/* It takes the focus when what had it is gone. */}
      <h3 key={withdrawals} ref={withdrawals === 0 ? undefined : claimFocus} tabIndex={-1} className={entries.heading}>
        {t(list.length === 0 ? "none" : "title")}
      </h3>
      <p className={entries.fine}>{t("text")}</p>
      <ul className={entries.entries}>
        {list.map((person) => (
          <Row key={person.id} people={people} person={person} />
        ))}
      </ul>
      {writing ? <OfferForm people={people} /> : null}
      {failure === null || writing ? null : <Failure failure={failure} />}
      {writing ? null : (
        <div className={entries.actions}>
          <Button icon="plus" onClick={() => people.send({ type: "new.requested" })}>
            {t("new")}
          </Button>
        </div>
      )}
    </>
  );
}

function Row({ people, person }: { people: People; person: SharedPerson }) {
  const { t, i18n } = useTranslation("people");
  const busy = useSelector(people, selectBusy) === person.id;
  const { id, email, role, accepted, expiresAt } = person;
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className={entries.name}>
          <bdi>{email}</bdi>
        </p>
        {accepted || expiresAt === null ? null : (
          <p className={entries.fine}>{t("waits", { date: date(expiresAt, i18n.language) })}</p>
        )}
      </div>
      <div className={entries.actions}>
        <SelectField
          label={t("roleOf", { email })}
          labelHidden
          name={`role-${id}`}
          value={role}
          disabled={busy}
          onChange={({ target }) => {
            const chosen = shareRoles.find((one) => one === target.value);
            if (chosen !== undefined) people.send({ type: "role.chosen", id, role: chosen });
          }}
        >
          <Roles />
        </SelectField>
        <Button
          aria-label={t("withdrawFrom", { email })}
          busy={busy}
          onClick={() => people.send({ type: "withdrawal.requested", id })}
        >
          {t("withdraw")}
        </Button>
      </div>
    </li>
  );
}

function Roles() {
  const { t } = useTranslation("people");
  return shareRoles.map((role) => (
    <option key={role} value={role}>
      {t(`roles.${role}`)}
    </option>
  ));
}

function OfferForm({ people }: { people: People }) {
  const { t } = useTranslation("people");
  const saving = useSelector(people, selectIsSaving);
  const failure = useSelector(people, selectFailure);
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const role = shareRoles.find((one) => one === data.get("role")) ?? "read";
    people.send({ type: "offer.requested", wanted: { email: String(data.get("email") ?? ""), role } });
  };
  return (
    <EntryForm
      title={t("form.title")}
      submitLabel={t("form.offer")}
      cancelLabel={t("form.cancel")}
      busy={saving}
      onSubmit={submit}
      onDismiss={() => people.send({ type: "form.dismissed" })}
    >
      <TextField
        name="email"
        type="email"
        label={t("form.email")}
        hint={t("form.emailHint", { days: offerDays })}
        error={failure === "badRequest" ? t("failure.badRequest") : undefined}
        maxLength={254}
        autoComplete="off"
      />
      <SelectField name="role" label={t("form.role")} defaultValue="read">
        <Roles />
      </SelectField>
      {failure === null || failure === "badRequest" ? null : <Failure failure={failure} />}
    </EntryForm>
  );
}

const explained = ["conflict", "tooManyAtOnce", "tooManyRequests", "notFound", "network"];

function Failure({ failure }: { failure: string }) {
  const { t } = useTranslation("people");
  return <Notice tone="danger">{t(`failure.${explained.includes(failure) ? failure : "other"}`)}</Notice>;
}

/** Asks before somebody loses what they may read. */
function Sure({ people }: { people: People }) {
  const { t } = useTranslation("people");
  const asked = useSelector(people, selectAsked);
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={t("sure.title")}
      text={t("sure.text", { email: asked.email })}
      confirmLabel={t("sure.yes")}
      cancelLabel={t("sure.no")}
      onConfirm={() => people.send({ type: "withdrawal.confirmed" })}
      onCancel={() => people.send({ type: "withdrawal.dismissed" })}
    />
  );
}
