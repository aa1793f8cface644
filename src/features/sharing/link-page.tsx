import { useSelector } from "@xstate/react";
import { type FormEvent, type ReactNode, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import {
  selectIsBroken,
  selectIsGone,
  selectIsLocked,
  selectIsOpening,
  selectIsUnlocking,
  selectLoadFailure,
  selectRefusal,
} from "#machines/sharing/visit.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Page } from "#src/ui/page.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import type { LinkVisit } from "./open-visit.ts";
import styles from "./visit.module.css";

interface LinkPageProps<Shown> {
  visit: LinkVisit<Shown>;
  /** Keys of the texts: the link asks for a passphrase, could not be opened, or refuses the typed passphrase. */
  texts: { locked: string; failed: string; refusal(code: string): string };
  children(shown: Shown): ReactNode;
}

/** A link's page: its content, the question for its passphrase, or an error. Search engines must not index it. */
export function LinkPage<Shown>(props: LinkPageProps<Shown>) {
  return (
    <>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      <Content {...props} />
    </>
  );
}

function Content<Shown>({ visit: { actor, shown }, texts, children }: LinkPageProps<Shown>) {
  const { t } = useTranslation("sharing-visit");
  const opening = useSelector(actor, selectIsOpening);
  const locked = useSelector(actor, selectIsLocked);
  const gone = useSelector(actor, selectIsGone);
  const broken = useSelector(actor, selectIsBroken);
  const failure = useSelector(actor, selectLoadFailure);
  const content = useSyncExternalStore(shown.subscribe, shown.get);
  if (opening) return <LoadingScreen message={t("opening")} />;
  if (locked) return <Locked actor={actor} texts={texts} />;
  if (gone) return <MessageScreen title={t("gone")} text={t("goneText")} />;
  if (broken) return <MessageScreen title={t("recording.broken")} text={t("recording.brokenText")} />;
  if (failure !== null) {
    return (
      <MessageScreen
        title={t(texts.failed)}
        text={t([`failure.${failure}`, "failure.other"])}
        action={
          <Button look="primary" icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
            {t("retry")}
          </Button>
        }
      />
    );
  }
  return content === null ? null : children(content);
}

const fieldIn = (form: HTMLFormElement | null) => form?.querySelector<HTMLElement>("input") ?? null;
const focusField = (form: HTMLFormElement | null) => fieldIn(form)?.focus();

/** Asks for the passphrase that the link's owner has told its visitors. */
function Locked({ actor, texts }: Pick<LinkVisit<unknown>, "actor"> & Pick<LinkPageProps<unknown>, "texts">) {
  const { t } = useTranslation("sharing-visit");
  const unlocking = useSelector(actor, selectIsUnlocking);
  const refusal = useSelector(actor, selectRefusal);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const passphrase = String(new FormData(form).get("passphrase") ?? "");
    flushSync(() => actor.send({ type: "passphrase.entered", passphrase }));
    fieldIn(form)?.focus();
  };
  return (
    <Page title={t(texts.locked)} lead={t("lockedText")}>
      <form ref={focusField} className={`stack gap-4 ${styles.form}`} noValidate onSubmit={submit}>
        <TextField
          name="passphrase"
          type="password"
          label={t("passphrase")}
          error={refusal === null ? undefined : t(texts.refusal(refusal))}
          autoComplete="off"
          maxLength={1000}
          required
        />
        <div>
          <Button type="submit" look="primary" icon="lock" busy={unlocking}>
            {t("unlock")}
          </Button>
        </div>
        <span className="visuallyHidden" role="status">
          {unlocking ? t("opening") : ""}
        </span>
      </form>
    </Page>
  );
}
