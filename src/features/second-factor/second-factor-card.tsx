import { useSelector } from "@xstate/react";
import { type ReactNode, type RefCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SecondFactor } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import type { SecondFactorWish } from "#machines/second-factor/events.ts";
import {
  selectCodes,
  selectIsBusy,
  selectIsProving,
  selectOffer,
  selectStatus,
  selectWish,
} from "#machines/second-factor/machine.ts";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { PresentPassword } from "#src/features/collection/present-password.tsx";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import { date } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { SecondFactorActor } from "./actor.ts";
import { CodeField } from "./code-field.tsx";
import { Proving, Scanning } from "./set-up.tsx";

interface SecondFactorProps {
  factor: SecondFactorActor;
  /** Confirms the identity of a user without a password. */
  confirmation: ReactNode;
}

/** Sets the second factor up, creates new recovery codes, and turns it off. */
export function SecondFactorCard({ factor, confirmation }: SecondFactorProps) {
  const { t } = useTranslation("second-factor");
  const status = useSelector(factor, selectStatus);
  const proving = useSelector(factor, selectIsProving);
  const offer = useSelector(factor, selectOffer);
  const wish = useSelector(factor, selectWish);
  const codes = useSelector(factor, selectCodes);
  // When a form closes, the focus returns to the button that opened it.
  const { begin, opener } = useEditingInPlace();
  const [last, setLast] = useState<SecondFactorWish | null>(null);
  const open = (wish: SecondFactorWish | null) => {
    begin();
    setLast(wish);
    factor.send(wish === null ? { type: "setUp.requested" } : { type: "change.requested", wish });
  };
  return (
    <>
      <LoadingNotices
        actor={factor}
        texts={{ loading: t("loading", { ns: "settings" }), failed: t("failed"), retry: t("retry") }}
      />
      {status === null ? null : <Status factor={factor} status={status} last={last} opener={opener} onOpen={open} />}
      {proving ? <Proving factor={factor} confirmation={confirmation} /> : null}
      {offer === null ? null : <Scanning factor={factor} offer={offer} />}
      {wish === null ? null : <Changing factor={factor} wish={wish} confirmation={confirmation} />}
      {codes === null ? null : <Codes factor={factor} codes={codes} />}
    </>
  );
}

/** With this many recovery codes or fewer, the card suggests new ones. */
const fewCodes = 3;

interface StatusProps extends Pick<SecondFactorProps, "factor"> {
  status: SecondFactor;
  /** The form that was opened last; null: the setup. */
  last: SecondFactorWish | null;
  opener: RefCallback<HTMLElement>;
  onOpen(wish: SecondFactorWish | null): void;
}

function Status({ factor, status, last, opener, onOpen }: StatusProps) {
  const { t, i18n } = useTranslation("second-factor");
  const failure = useSelector(factor, selectFailure);
  const { enabledAt, recoveryCodesLeft: count, required } = status;
  return (
    <>
      {failure === null ? null : <Notice tone="danger">{t("failure.old")}</Notice>}
      {enabledAt === null ? (
        <>
          {required ? <Notice announce={false}>{t("required")}</Notice> : null}
          <p className="measure note">{t("off")}</p>
          <div className="row">
            <Button ref={opener} onClick={() => onOpen(null)}>
              {t("setUp.begin")}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            <strong>{t("on", { date: date(enabledAt, i18n.language) })}</strong>
          </p>
          {count <= fewCodes ? (
            <Notice announce={false}>{t("few", { count })}</Notice>
          ) : (
            <p className="measure note">{t("left", { count })}</p>
          )}
          <div className="row">
            <Button ref={last === "off" ? undefined : opener} onClick={() => onOpen("newCodes")}>
              {t("newCodes.begin")}
            </Button>
            <Button ref={last === "off" ? opener : undefined} onClick={() => onOpen("off")}>
              {t("turnOff.begin")}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

const textsOf = { off: "turnOff", newCodes: "newCodes" } as const;

/** Asks for the password and a code before a change. */
function Changing({ factor, wish, confirmation }: SecondFactorProps & { wish: SecondFactorWish }) {
  const { t } = useTranslation("second-factor");
  const busy = useSelector(factor, selectIsBusy);
  const failure = useSelector(factor, selectFailure);
  const submit = (form: HTMLFormElement) => {
    const typed = new FormData(form);
    const text = (name: string) => String(typed.get(name) ?? "");
    factor.send({ type: "change.submitted", password: text("password"), proof: text("code") });
  };
  return (
    <EntryForm
      title={t(`${textsOf[wish]}.title`)}
      submitLabel={t(`${textsOf[wish]}.submit`)}
      cancelLabel={t("cancel")}
      busy={busy}
      onSubmit={submit}
      onDismiss={() => factor.send({ type: "form.dismissed" })}
    >
      <p className="measure note">{t(`${textsOf[wish]}.text`)}</p>
      <PresentPassword confirmation={confirmation} />
      <CodeField kind="any" failure={failure} />
    </EntryForm>
  );
}

function Codes({ factor, codes }: Pick<SecondFactorProps, "factor"> & { codes: readonly string[] }) {
  const { t } = useTranslation("second-factor");
  return (
    <ShownOnce actor={factor} value={codes.join("\n")} testId="recovery-codes" say={(key) => t(`codes.${key}`)}>
      {t("codes.text")}
    </ShownOnce>
  );
}
