import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { VaultLink } from "#contract/index.ts";
import { selectFailure, selectIsOpen, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectIsCreating, selectIsWriting, selectItems, selectRemoving } from "#machines/collection/selectors.ts";
import { selectIsLinkMade, type WantedLink } from "#machines/vault/links.ts";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { RemovalQuestion } from "#src/features/collection/removal-question.tsx";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import { endIn, passphraseIn } from "#src/features/sharing/form-values.ts";
import { End, EndField, fieldFailures, PassphraseField, Revoke } from "#src/features/sharing/link-parts.tsx";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { VaultLinks } from "./links-actor.ts";

interface LinksPanelProps {
  links: VaultLinks;
  /** Whether the recording has a text. */
  hasText: boolean;
  /** Whether the user may create links, which needs a subscription. */
  canMake: boolean;
  onClose(): void;
}

/** Creates, lists and revokes the links to one recording. */
export function LinksPanel({ links, hasText, canMake, onClose }: LinksPanelProps) {
  const { t } = useTranslation("vault");
  const { actor } = links;
  const isOpen = useSelector(actor, selectIsOpen);
  const isUnavailable = useSelector(actor, selectIsUnavailable);
  return (
    <Panel className="gap-3" title={t("links.title")} closeLabel={t("sharing:close")} onClose={onClose}>
      <p className="measure note">{t("links.text")}</p>
      <LoadingNotices
        actor={actor}
        texts={{ loading: t("sharing:loading"), failed: t("links.failed"), retry: t("sharing:retry") }}
      />
      {isUnavailable ? <Notice>{t("links.failed")}</Notice> : null}
      {isOpen ? <Content links={links} hasText={hasText} canMake={canMake} /> : null}
      <RemovalQuestion actor={actor} say={(key) => t(key === "text" ? "links.sure" : `sharing:sure.${key}`)} />
    </Panel>
  );
}

function Content({ links, hasText, canMake }: Omit<LinksPanelProps, "onClose">) {
  const { t } = useTranslation("vault");
  const { actor } = links;
  const isWriting = useSelector(actor, selectIsWriting);
  const isMade = useSelector(actor, selectIsLinkMade);
  const failure = useSelector(actor, selectFailure);
  const known = useSelector(actor, selectItems);
  if (isWriting) return <LinkForm links={links} hasText={hasText} />;
  if (isMade) return <NewAddress links={links} isLocked={known[0]?.locked ?? false} />;
  return (
    <>
      {known.length === 0 ? <p className="measure note">{t("links.none")}</p> : null}
      <ul className="stack gap-0">
        {known.map((link) => (
          <Row key={link.id} links={links} link={link} />
        ))}
      </ul>
      {failure === null ? null : <Notice tone="danger">{t(failureKey(failure))}</Notice>}
      {canMake ? (
        <div className="row">
          <Button icon="plus" onClick={() => actor.send({ type: "creation.requested" })}>
            {t("sharing:new")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** A link's content, its end, and the number of its views. */
function Row({ links: { actor }, link }: { links: VaultLinks; link: VaultLink }) {
  const { t, i18n } = useTranslation("vault");
  const removing = useSelector(actor, selectRemoving);
  const shown = (["audio", "text", "locked"] as const).filter((what) => link[what]);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">{shown.map((what) => t(`sharing:shows.${what}`)).join(" · ")}</p>
        <p className="facts measure size-1">
          <span>{t("sharing:made", { date: dateTime(link.createdAt, i18n.language) })}</span>
          {link.expiresAt === null ? <span>{t("sharing:untilRevoked")}</span> : <End link={link} />}
          <span>{t("sharing:views", { count: link.views })}</span>
        </p>
      </div>
      <div className="row">
        <Revoke link={link} busy={removing === link.id} onRevoke={() => actor.send({ type: "removal.requested", id: link.id })} />
      </div>
    </li>
  );
}

const draftIn = (data: FormData): WantedLink => ({
  audio: data.has("audio"),
  text: data.has("text"),
  expiresAt: endIn(data),
  passphrase: passphraseIn(data),
});

function LinkForm({ links: { actor }, hasText }: { links: VaultLinks; hasText: boolean }) {
  const { t } = useTranslation("vault");
  const isBusy = useSelector(actor, selectIsCreating);
  const failure = useSelector(actor, selectFailure);
  return (
    <EntryForm
      title={t("sharing:form.title")}
      submitLabel={t("sharing:form.create")}
      cancelLabel={t("sharing:form.cancel")}
      busy={isBusy}
      onSubmit={(form) => actor.send({ type: "creation.submitted", draft: draftIn(new FormData(form)) })}
      onDismiss={() => actor.send({ type: "creation.dismissed" })}
    >
      <fieldset className={`stack gap-2 ${entries.choices}`}>
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
      <EndField failure={failure} />
      <PassphraseField failure={failure} hint={t("links.passphraseHint")} />
      {failure === null || fieldFailures.includes(failure) ? null : <Notice tone="danger">{t(failureKey(failure))}</Notice>}
    </EntryForm>
  );
}

const own = ["showsNothing", "tooLarge", "locked"];
const shared = ["badRequest", "tooManyAtOnce", "tooManyRequests", "network", "quotaReached"];
const failureKey = (failure: string): string => {
  if (own.includes(failure)) return `links.failure.${failure}`;
  return `sharing:failure.${shared.includes(failure) ? failure : "other"}`;
};

/** The address of a new link, shown only once. */
function NewAddress({ links: { actor, address }, isLocked }: { links: VaultLinks; isLocked: boolean }) {
  const { t } = useTranslation("vault");
  const shown = useSyncExternalStore(address.subscribe, address.get);
  return (
    <ShownOnce actor={actor} value={shown ?? ""} testId="new-address" say={(key) => t(`sharing:created.${key}`)}>
      {t(isLocked ? "links.createdLocked" : "links.created")}
    </ShownOnce>
  );
}
