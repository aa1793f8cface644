import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SharedLink } from "#contract/index.ts";
import {
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import { selectItems } from "#machines/collection/selectors.ts";
import { selectIsAsking } from "#machines/sharing/machine.ts";
import { type Has, mainLink } from "#machines/sharing/rules.ts";
import { openPeople, type People } from "#src/features/people/actor.ts";
import { Invitation, PeopleRows } from "#src/features/people/people.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { openSharing, type Sharing } from "./actor.ts";
import { MainLink, OtherLink } from "./link.tsx";
import { fieldFailures } from "./link-parts.tsx";
import styles from "./sharing.module.css";

interface SharingPanelProps {
  /** The transcription's id. */
  id: string;
  /** What the transcript has to share besides the text. */
  has: Has;
  /** Registers a function to call when the user leaves the transcript's page. */
  onLeave(left: () => void): void;
  onClose(): void;
}

/** Shares a transcript with people by email address, and by a link. Below, it lists who has access. */
export function SharingPanel({ id, has, onLeave, onClose }: SharingPanelProps) {
  const { t } = useTranslation("sharing");
  const sharing = openSharing(id, onLeave);
  const people = openPeople(id, onLeave);
  const [loading, loadingPeople] = [useSelector(sharing, selectIsLoading), useSelector(people, selectIsLoading)];
  const [failed, peopleFailed] = [useSelector(sharing, selectHasFailed), useSelector(people, selectHasFailed)];
  const unavailable = useSelector(sharing, selectIsUnavailable);
  const retry = () => {
    sharing.send({ type: "reload.requested" });
    people.send({ type: "reload.requested" });
  };
  return (
    <Panel className="gap-4" title={t("title")} closeLabel={t("close")} onClose={onClose}>
      {loading || loadingPeople ? <p role="status">{t("loading")}</p> : null}
      {unavailable ? <Notice>{t("unavailable")}</Notice> : null}
      {failed || peopleFailed ? (
        <RetryNotice label={t("retry")} onRetry={retry}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {loading || loadingPeople ? null : <Content sharing={sharing} people={people} has={has} />}
      <Sure sharing={sharing} />
    </Panel>
  );
}

interface ContentProps {
  sharing: Sharing;
  people: People;
  has: Has;
}

function Content({ sharing, people, has }: ContentProps) {
  const hasLinks = useSelector(sharing, selectIsOpen);
  const hasPeople = useSelector(people, selectIsOpen);
  return (
    <>
      {hasPeople ? <Invitation people={people} /> : null}
      {hasLinks ? <LinkSection sharing={sharing} has={has} /> : null}
      {hasPeople ? <Access sharing={sharing} people={people} has={has} /> : null}
    </>
  );
}

const idsOf = (things: readonly { id: string }[]): string => things.map(({ id }) => id).join();

function LinkSection({ sharing, has }: Omit<ContentProps, "people">) {
  const { t } = useTranslation("sharing");
  const id = useId();
  const links = useSelector(sharing, selectItems);
  const failure = useSelector(sharing, selectFailure);
  return (
    <section className={`ruled stack ${styles.section}`} aria-labelledby={id}>
      {/* Takes the focus when the focused element disappears. */}
      <h3 key={idsOf(links)} id={id} ref={claimFocus} tabIndex={-1}>
        {t("link")}
      </h3>
      <p className="measure note">{t("text")}</p>
      <MainLink sharing={sharing} has={has} link={mainLink(links)} />
      {failure === null || fieldFailures.includes(failure) ? null : (
        <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>
      )}
    </section>
  );
}

/** The people, and the links besides the main one. */
function Access({ sharing, people, has }: ContentProps) {
  const { t } = useTranslation("sharing");
  const id = useId();
  const list = useSelector(people, selectItems);
  const links = useSelector(sharing, selectItems);
  const main = mainLink(links);
  const others: readonly SharedLink[] = links.filter((link) => link !== main);
  const isEmpty = list.length + others.length === 0;
  return (
    <section className={`ruled stack ${styles.section}`} aria-labelledby={id}>
      <h3 key={idsOf([...list, ...others])} id={id} ref={claimFocus} tabIndex={-1}>
        {t("access.title")}
      </h3>
      {isEmpty ? <p className="measure note">{t(main === undefined ? "access.nobody" : "access.linkOnly")}</p> : null}
      <PeopleRows people={people} />
      {others.map((link) => (
        <OtherLink key={link.id} sharing={sharing} has={has} link={link} />
      ))}
    </section>
  );
}

/** Asks for confirmation before a link stops working that people may already have. */
function Sure({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation("sharing");
  const asking = useSelector(sharing, selectIsAsking);
  if (!asking) return null;
  return (
    <ConfirmDialog
      title={t("sure.title")}
      text={t("sure.text")}
      confirmLabel={t("sure.yes")}
      cancelLabel={t("sure.no")}
      onConfirm={() => sharing.send({ type: "removal.confirmed" })}
      onCancel={() => sharing.send({ type: "removal.dismissed" })}
    />
  );
}
