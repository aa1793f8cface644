import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Feed } from "#contract/index.ts";
import { selectIsOpen } from "#machines/collection/loading.ts";
import { selectChanging } from "#machines/collection/selectors.ts";
import { selectFolders, selectLimit, selectWantedFolder } from "#machines/feeds/machine.ts";
import { Items } from "#src/features/collection/items.tsx";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { NewItem } from "#src/features/collection/new-item.tsx";
import { PausableButtons } from "#src/features/collection/pausable-buttons.tsx";
import { RemovalQuestion } from "#src/features/collection/removal-question.tsx";
import { dateTime } from "#src/i18n/format.ts";
import entries from "#src/ui/entries.module.css";
import { Options, SelectField } from "#src/ui/field.tsx";
import type { Feeds } from "./actor.ts";
import styles from "./feeds.module.css";
import { type FeedLanguages, NewFeedForm } from "./new-feed.tsx";

interface FeedsProps {
  feeds: Feeds;
}

interface FeedsCardProps extends FeedsProps {
  languages: FeedLanguages;
}

/**
 * Podcasts whose new episodes are transcribed. Lists each with its state, and lets the user follow, pause and unfollow
 * feeds.
 */
export function FeedsCard({ feeds, languages }: FeedsCardProps) {
  const { t } = useTranslation("feeds");
  const isOpen = useSelector(feeds, selectIsOpen);
  const limit = useSelector(feeds, selectLimit);
  return (
    <div className="stack">
      <LoadingNotices actor={feeds} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {isOpen ? (
        <>
          <Items
            actor={feeds}
            texts={{ none: t("none"), yours: t("yours") }}
            row={(feed) => <Row key={feed.id} feeds={feeds} feed={feed} />}
            failure={(code) => t([`failure.${code}`, "failure.other"])}
          />
          <NewItem actor={feeds} label={t("new")} form={<NewFeedForm feeds={feeds} known={languages} />} />
        </>
      ) : null}
      <p className="measure note">{t("how")}</p>
      {isOpen ? <p className="measure note">{t("limit", { count: limit })}</p> : null}
      <RemovalQuestion actor={feeds} say={(key, feed) => t(`sure.${key}`, { name: nameOf(feed) })} />
    </div>
  );
}

const nameOf = ({ title, url }: Feed): string => title || url;

/** A feed's name and state. */
function Row({ feeds, feed }: FeedsProps & { feed: Feed }) {
  const { t } = useTranslation("feeds");
  const { url, title } = feed;
  const name = nameOf(feed);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">
          <bdi>{name}</bdi>
        </p>
        {title === "" ? null : (
          <p className="facts measure size-1">
            <bdi>{url}</bdi>
          </p>
        )}
        <Health feed={feed} />
        <Episodes feed={feed} />
        <FolderOf feeds={feeds} feed={feed} />
      </div>
      <div className="row">
        <PausableButtons actor={feeds} item={feed} say={(key) => t(key, { name })} />
      </div>
    </li>
  );
}

/** The times of the last and next check, or why the feed is paused, and why the last check failed. */
function Health({ feed: { paused, error, failures, lookedAt, nextAt } }: { feed: Feed }) {
  const { t, i18n } = useTranslation("feeds");
  const on = (at: string) => dateTime(at, i18n.language);
  const problem =
    error === null ? null : <p className="wrong">{t([`error.${error}`, "error.urlUnreachable"], { count: failures })}</p>;
  if (paused !== null) {
    // A pause by the owner is no warning.
    const look = paused.reason === "owner" ? "facts size-1 measure" : "wrong";
    return (
      <>
        <p className={look}>{t(`paused.${paused.reason}`, { date: on(paused.at) })}</p>
        {problem}
      </>
    );
  }
  return (
    <>
      <p className="facts measure size-1">
        {lookedAt === null ? null : <span>{t("looked", { date: on(lookedAt) })}</span>}
        {nextAt === null ? null : <span>{t("next", { date: on(nextAt) })}</span>}
      </p>
      {problem}
    </>
  );
}

/** The state of the feed's episodes. */
function Episodes({ feed: { taken, waiting, waitingFor, newest } }: { feed: Feed }) {
  const { t } = useTranslation("feeds");
  return (
    <>
      <p className="facts measure size-1">
        <span>{t("taken", { count: taken })}</span>
        {newest === null || newest.transcriptionId === null ? null : (
          <Link to="/transcription/$id" params={{ id: newest.transcriptionId }}>
            {newest.title || t("untitled")}
          </Link>
        )}
      </p>
      {waiting === 0 ? null : <p className="measure note">{t([`waiting.${waitingFor}`, "waiting.turn"], { count: waiting })}</p>}
    </>
  );
}

/** Selects the folder for future transcripts. Renders nothing if the user has no folders. */
function FolderOf({ feeds, feed }: FeedsProps & { feed: Feed }) {
  const { t } = useTranslation("feeds");
  const folders = useSelector(feeds, selectFolders);
  const changing = useSelector(feeds, selectChanging);
  const wanted = useSelector(feeds, selectWantedFolder);
  if (folders.length === 0) return null;
  const isChanging = changing === feed.id;
  const shown = isChanging && wanted !== undefined ? wanted : feed.folderId;
  const choose = (value: string) => {
    feeds.send({ type: "change.requested", id: feed.id, change: { folderId: value === "" ? null : value } });
  };
  return (
    <div className={styles.folder}>
      <SelectField
        label={t("form.folder")}
        aria-label={t("folderWhich", { name: nameOf(feed) })}
        value={shown ?? ""}
        aria-busy={isChanging}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{t("form.noFolder")}</option>
        <Options of={folders.map(({ id, name }) => [id, name])} />
      </SelectField>
    </div>
  );
}
