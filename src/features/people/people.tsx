import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { offerDays, type SharedPerson, shareRoles } from "#contract/index.ts";
import { selectBusy, selectIsCreating, selectItems } from "#machines/collection/selectors.ts";
import { selectChangeFailure, selectOfferFailure, selectOffers } from "#machines/people/machine.ts";
import { RemovalQuestion } from "#src/features/collection/removal-question.tsx";
import { date } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { focusFirstField } from "#src/ui/editing-in-place.ts";
import entries from "#src/ui/entries.module.css";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { People } from "./actor.ts";
import styles from "./people.module.css";

/** Shares a transcript with a person by email address. */
export function Invitation({ people }: { people: People }) {
  const { t } = useTranslation("people");
  const offers = useSelector(people, selectOffers);
  const creating = useSelector(people, selectIsCreating);
  const failure = useSelector(people, selectOfferFailure);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const role = shareRoles.find((one) => one === data.get("role")) ?? "read";
    people.send({ type: "creation.submitted", draft: { email: String(data.get("email") ?? ""), role } });
  };
  return (
    // The key empties the form after each offer.
    <div key={offers} ref={offers === 0 ? undefined : focusFirstField}>
      <form className={entries.form} noValidate aria-label={t("form.title")} onSubmit={submit}>
        <TextField
          name="email"
          type="email"
          label={t("form.email")}
          hint={t("form.emailHint", { days: offerDays })}
          error={failure === "badRequest" ? t("failure.badRequest") : undefined}
          maxLength={254}
          autoComplete="off"
        />
        <div className="line">
          <SelectField name="role" label={t("form.role")} labelHidden defaultValue="read">
            <Options of={shareRoles.map((one) => [one, t(`roles.${one}`)])} />
          </SelectField>
          <Button type="submit" busy={creating}>
            {t("form.offer")}
          </Button>
        </div>
        {failure === null || failure === "badRequest" ? null : <Failure failure={failure} />}
      </form>
    </div>
  );
}

/** The people with whom a transcript is shared, and their roles. */
export function PeopleRows({ people }: { people: People }) {
  const { t } = useTranslation("people");
  const list = useSelector(people, selectItems);
  const failure = useSelector(people, selectChangeFailure);
  return (
    <>
      <ul className="stack gap-0" aria-label={t("title")}>
        {list.map((person) => (
          <Row key={person.id} people={people} person={person} />
        ))}
      </ul>
      {failure === null ? null : <Failure failure={failure} />}
      <RemovalQuestion actor={people} say={(key, { email }) => t(`sure.${key}`, { email })} />
    </>
  );
}

function Row({ people, person }: { people: People; person: SharedPerson }) {
  const { t, i18n } = useTranslation("people");
  const busy = useSelector(people, selectBusy) === person.id;
  const { id, email, role, accepted, expiresAt } = person;
  return (
    <li className={`row apart ${styles.person}`}>
      <div className={entries.about}>
        <p className="strong anywhere">
          <bdi>{email}</bdi>
        </p>
        {accepted || expiresAt === null ? null : (
          <p className="measure note">{t("waits", { date: date(expiresAt, i18n.language) })}</p>
        )}
      </div>
      <div className="line">
        <SelectField
          label={t("roleOf", { email })}
          labelHidden
          name={`role-${id}`}
          value={role}
          disabled={busy}
          onChange={({ target }) => {
            const chosen = shareRoles.find((one) => one === target.value);
            if (chosen !== undefined) people.send({ type: "change.requested", id, change: { role: chosen } });
          }}
        >
          <Options of={shareRoles.map((one) => [one, t(`roles.${one}`)])} />
        </SelectField>
        <IconButton
          icon="close"
          label={t("withdrawFrom", { email })}
          aria-busy={busy || undefined}
          onClick={() => people.send({ type: "removal.requested", id })}
        />
      </div>
    </li>
  );
}

function Failure({ failure }: { failure: string }) {
  const { t } = useTranslation("people");
  return <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>;
}
