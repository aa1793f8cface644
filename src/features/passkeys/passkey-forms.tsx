import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Passkey } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import type { PasskeyWish } from "#machines/passkeys/events.ts";
import { selectIsBusy, selectIsMaking, selectIsUnkept } from "#machines/passkeys/machine.ts";
import { PresentPassword } from "#src/features/collection/present-password.tsx";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { PasskeysActor } from "./actor.ts";

interface FormProps {
  passkeys: PasskeysActor;
  /** Confirms the identity of a user without a password. */
  confirmation: ReactNode;
}

const draftIn = (form: HTMLFormElement) => {
  const data = new FormData(form);
  return { name: String(data.get("name") ?? ""), password: String(data.get("password") ?? "") };
};

/** Asks for a name and the password. Then the device verifies the user. */
export function AddPasskey({ passkeys, confirmation }: FormProps) {
  const { t } = useTranslation("passkeys");
  const busy = useSelector(passkeys, selectIsBusy);
  const making = useSelector(passkeys, selectIsMaking);
  const unkept = useSelector(passkeys, selectIsUnkept);
  return (
    <EntryForm
      title={t("add.title")}
      submitLabel={t(unkept ? "retry" : "add.submit")}
      cancelLabel={t("cancel")}
      // While the device asks, the user can also cancel here.
      busy={busy && !making}
      onSubmit={(form) => making || passkeys.send({ type: "creation.submitted", draft: draftIn(form) })}
      onDismiss={() => passkeys.send({ type: "creation.dismissed" })}
    >
      <Name passkeys={passkeys} />
      {unkept ? null : <PresentPassword confirmation={confirmation} />}
      <p className="facts measure size-1" role="status">
        {making ? t("add.asking") : ""}
      </p>
      <Failure passkeys={passkeys} />
    </EntryForm>
  );
}

interface ChangeProps extends FormProps {
  passkey: Passkey;
  wish: PasskeyWish;
}

/** The form for a new name, or for the password before a removal. */
export function ChangePasskey({ passkeys, passkey: { name }, wish, confirmation }: ChangeProps) {
  const { t } = useTranslation("passkeys");
  const busy = useSelector(passkeys, selectIsBusy);
  return (
    <EntryForm
      title={t(`${wish}.title`, { name })}
      submitLabel={t(`${wish}.submit`)}
      cancelLabel={t("cancel")}
      busy={busy}
      onSubmit={(form) => passkeys.send({ type: "change.submitted", draft: draftIn(form) })}
      onDismiss={() => passkeys.send({ type: "change.dismissed" })}
    >
      {wish === "rename" ? (
        <Name passkeys={passkeys} value={name} />
      ) : (
        <>
          <p className="measure note">{t("remove.text")}</p>
          <PresentPassword confirmation={confirmation} />
        </>
      )}
      <Failure passkeys={passkeys} />
    </EntryForm>
  );
}

function Name({ passkeys, value = "" }: Pick<FormProps, "passkeys"> & { value?: string }) {
  const { t } = useTranslation("passkeys");
  const isMissing = useSelector(passkeys, selectFailure) === "noName";
  return (
    <TextField
      name="name"
      label={t("add.name")}
      hint={t("add.nameHint")}
      error={isMissing ? t("failure.noName") : undefined}
      defaultValue={value}
      maxLength={100}
      autoComplete="off"
      required
    />
  );
}

function Failure({ passkeys }: Pick<FormProps, "passkeys">) {
  const { t } = useTranslation("passkeys");
  const failure = useSelector(passkeys, selectFailure);
  const unkept = useSelector(passkeys, selectIsUnkept);
  if (failure === null || failure === "noName") return null;
  return <Notice tone="danger">{t(unkept ? "failure.unkept" : [`failure.${failure}`, "failure.other"])}</Notice>;
}
