import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { minPasswordLength, type VaultLink } from "#contract/index.ts";
import {
  selectHasLinksFailed,
  selectIsAskingLink,
  selectIsLinkMade,
  selectIsLoadingLinks,
  selectIsMakingLink,
  selectIsWritingLink,
  selectLinksFailure,
  selectRevokingLink,
  selectVaultLinks,
  type WantedLink,
} from "#machines/vault/links.ts";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { VaultLinks } from "./links-actor.ts";
import styles from "./vault.module.css";

interface LinksPanelProps {
  links: VaultLinks;
  /** The recording has a text. */
  hasText: boolean;
  /** A link may be made: the subscription goes on. */
  canMake: boolean;
  onClose(): void;
}

/** The links to one recording: made, listed with their views, revoked. */
export function LinksPanel({ links, hasText, canMake, onClose }: LinksPanelProps) {
  const { t } = useTranslation("vault");
  const { actor } = links;
  const isLoading = useSelector(actor, selectIsLoadingLinks);
  const hasFailed = useSelector(actor, selectHasLinksFailed);
  const isAsking = useSelector(actor, selectIsAskingLink);
  return (
    <Panel className={styles.linksPanel} title={t("links.title")} closeLabel={t("sharing:close")} onClose={onClose}>
      <p className={entries.fine}>{t("links.text")}</p>
      {isLoading ? <p role="status">{t("sharing:loading")}</p> : null}
      {hasFailed ? (
        <RetryNotice label={t("sharing:retry")} onRetry={() => actor.send({ type: "reload.requested" })}>
          {t("links.failed")}
        </RetryNotice>
      ) : null}
      {isLoading || hasFailed ? null : <Content links={links} hasText={hasText} canMake={canMake} />}
      {isAsking ? (
        <ConfirmDialog
          title={t("sharing:sure.title")}
          text={t("links.sure")}
          confirmLabel={t("sharing:sure.yes")}
          cancelLabel={t("sharing:sure.no")}
          onConfirm={() => actor.send({ type: "removal.confirmed" })}
          onCancel={() => actor.send({ type: "removal.dismissed" })}
        />
      ) : null}
    </Panel>
  );
}

function Content({ links, hasText, canMake }: Omit<LinksPanelProps, "onClose">) {
  const { t } = useTranslation("vault");
  const { actor } = links;
  const isWriting = useSelector(actor, selectIsWritingLink);
  const isMade = useSelector(actor, selectIsLinkMade);
  const failure = useSelector(actor, selectLinksFailure);
  const known = useSelector(actor, selectVaultLinks);
  if (isWriting) return <LinkForm links={links} hasText={hasText} />;
  if (isMade) return <NewAddress links={links} isLocked={known[0]?.locked ?? false} />;
  return (
    <>
      {known.length === 0 ? <p className={entries.fine}>{t("links.none")}</p> : null}
      <ul className={entries.entries}>
        {known.map((link) => (
          <Row key={link.id} links={links} link={link} />
        ))}
      </ul>
      {failure === null ? null : <Notice tone="danger">{t(failureKey(failure))}</Notice>}
      {canMake ? (
        <div className={entries.actions}>
          <Button icon="plus" onClick={() => actor.send({ type: "creation.requested" })}>
            {t("sharing:new")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** What a link shows, until when, and how often it was opened. */
function Row({ links: { actor }, link }: { links: VaultLinks; link: VaultLink }) {
  const { t, i18n } = useTranslation("vault");
  const revoking = useSelector(actor, selectRevokingLink);
  const { id, expiresAt, createdAt, ended, views } = link;
  const made = dateTime(createdAt, i18n.language);
  const shown = (["audio", "text", "locked"] as const).filter((what) => link[what]);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className={entries.name}>{shown.map((what) => t(`sharing:shows.${what}`)).join(" · ")}</p>
        <p className={entries.fine}>
          <span>{t("sharing:made", { date: made })}</span>
          <span className={ended ? entries.ended : undefined}>
            {expiresAt === null
              ? t("sharing:untilRevoked")
              : t(ended ? "sharing:ended" : "sharing:until", { date: date(expiresAt, i18n.language) })}
          </span>
          <span>{t("sharing:views", { count: views })}</span>
        </p>
      </div>
      <div className={entries.actions}>
        <Button
          aria-label={t("sharing:revokeWhich", { date: made })}
          busy={revoking === id}
          onClick={() => actor.send({ type: "removal.requested", id })}
        >
          {t("sharing:revoke")}
        </Button>
      </div>
    </li>
  );
}

/** What the form of a new link says. */
function draftIn(data: FormData): WantedLink {
  const day = String(data.get("day") ?? "");
  const end = new Date(`${day}T23:59:59.999`);
  return {
    audio: data.has("audio"),
    text: data.has("text"),
    expiresAt: day === "" || Number.isNaN(end.getTime()) ? null : end.toISOString(),
    passphrase: String(data.get("passphrase") ?? "") || null,
  };
}

const passphraseFlaws = ["shortPassphrase", "longPassphrase", "blankPassphrase"];

function LinkForm({ links: { actor }, hasText }: { links: VaultLinks; hasText: boolean }) {
  const { t } = useTranslation("vault");
  const isBusy = useSelector(actor, selectIsMakingLink);
  const failure = useSelector(actor, selectLinksFailure);
  const flaw = failure !== null && passphraseFlaws.includes(failure) ? failure : null;
  return (
    <EntryForm
      title={t("sharing:form.title")}
      submitLabel={t("sharing:form.create")}
      cancelLabel={t("sharing:form.cancel")}
      busy={isBusy}
      onSubmit={(form) => actor.send({ type: "creation.submitted", draft: draftIn(new FormData(form)) })}
      onDismiss={() => actor.send({ type: "creation.dismissed" })}
    >
      <fieldset className={entries.choices}>
        <legend>{t("links.shows")}</legend>
        <label className={entries.choice}>
          <input type="checkbox" name="audio" defaultChecked />
          <span>{t("links.audio")}</span>
        </label>
        {hasText ? (
          <label className={entries.choice}>
            <input type="checkbox" name="text" defaultChecked />
            <span>{t("links.transcript")}</span>
          </label>
        ) : null}
      </fieldset>
      <TextField
        name="day"
        type="date"
        label={t("sharing:form.until")}
        hint={t("sharing:form.untilHint")}
        error={failure === "pastEnd" ? t("sharing:failure.pastEnd") : undefined}
      />
      <TextField
        name="passphrase"
        type="password"
        label={t("sharing:form.passphrase")}
        hint={t("links.passphraseHint")}
        error={flaw === null ? undefined : t(`sharing:failure.${flaw}`, { count: minPasswordLength })}
        autoComplete="new-password"
      />
      {failure === null || failure === "pastEnd" || flaw !== null ? null : (
        <Notice tone="danger">{t(failureKey(failure))}</Notice>
      )}
    </EntryForm>
  );
}

const own = ["showsNothing", "tooLarge", "locked"];
const shared = ["badRequest", "tooManyAtOnce", "tooManyRequests", "network"];
const failureKey = (failure: string): string => {
  if (own.includes(failure)) return `links.failure.${failure}`;
  return `sharing:failure.${shared.includes(failure) ? failure : "other"}`;
};

/** The address of a new link, shown this once. */
function NewAddress({ links: { actor, address }, isLocked }: { links: VaultLinks; isLocked: boolean }) {
  const { t } = useTranslation("vault");
  const shown = useSyncExternalStore(address.subscribe, address.get);
  return (
    <ShownOnce
      actor={actor}
      title={t("sharing:created.title")}
      value={shown ?? ""}
      testId="new-address"
      labels={{
        copy: t("sharing:created.copy"),
        done: t("sharing:created.done"),
        copied: t("sharing:created.copied"),
        notCopied: t("sharing:created.notCopied"),
      }}
    >
      {t(isLocked ? "links.createdLocked" : "links.created")}
    </ShownOnce>
  );
}
