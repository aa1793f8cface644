import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { searchLimits } from "#contract/index.ts";
import {
  selectIsReadingTexts,
  selectIsSearchingTexts,
  selectIsStopped,
  selectIsTextFound,
  selectReadingFailure,
} from "#machines/vault/search.ts";
import { selectItems } from "#machines/vault/selectors.ts";
import { Marked } from "#src/features/search/hits.tsx";
import { useSpeakerName } from "#src/features/transcription/speaker.tsx";
import { clock } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { OpenVault } from "./actor.ts";
import { problemKey } from "./problem.ts";
import type { VaultSearch } from "./search-actor.ts";
import type { VaultHit } from "./search-texts.ts";
import styles from "./vault.module.css";

/** The search in all texts and names of the vault. */
export function Search({ vault: { actor, search } }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  const isEmpty = useSelector(actor, (snapshot) => selectItems(snapshot).length === 0);
  const query = useSyncExternalStore(search.query.subscribe, search.query.get);
  if (isEmpty) return null;
  return (
    <search className="stack compact gap-3">
      <TextField
        type="search"
        label={t("search.label")}
        maxLength={searchLimits.query}
        autoComplete="off"
        value={query}
        onChange={({ target }) => search.ask(target.value)}
      />
      <Texts search={search} />
      <Results search={search} />
    </search>
  );
}

/** The progress of loading the texts, and how many are not searched. */
function Texts({ search: { actor, progress } }: { search: VaultSearch }) {
  const { t } = useTranslation("vault");
  const reading = useSelector(actor, selectIsReadingTexts);
  const stopped = useSelector(actor, selectIsStopped);
  const failure = useSelector(actor, selectReadingFailure);
  const { done, total, unreadable } = useSyncExternalStore(progress.subscribe, progress.get);
  const goOn = () => actor.send({ type: "retry.requested" });
  return (
    <>
      {reading && done < total ? (
        <div className="line gap-3">
          <span className="fine digits">{t("search.reading", { done, total })}</span>
          <Progress label={t("search.reading", { done, total })} fraction={done / total} />
          <Button look="quiet" onClick={() => actor.send({ type: "cancel.requested" })}>
            {t("search.cancel")}
          </Button>
        </div>
      ) : null}
      {stopped && failure !== null ? (
        <RetryNotice label={t("again")} onRetry={goOn}>
          {t("search.stopped", { done, total })} {t(problemKey(failure))}
        </RetryNotice>
      ) : null}
      {stopped && failure === null ? (
        <div className="row">
          <p className="fine digits">{t("search.stopped", { done, total })}</p>
          <Button look="quiet" icon="retry" onClick={goOn}>
            {t("search.goOn")}
          </Button>
        </div>
      ) : null}
      {unreadable > 0 ? <p className="fine">{t("search.unreadable", { count: unreadable })}</p> : null}
    </>
  );
}

function Results({ search: { actor, found } }: { search: VaultSearch }) {
  const { t } = useTranslation("vault");
  const searching = useSelector(actor, selectIsSearchingTexts);
  const isFound = useSelector(actor, selectIsTextFound);
  const reading = useSelector(actor, selectIsReadingTexts);
  const { hits, hasMore } = useSyncExternalStore(found.subscribe, found.get);
  const count = hits.length;
  const state = () => {
    if (searching) return t("search.searching");
    if (!isFound) return "";
    if (hasMore) return t("search.first", { count });
    return count === 0 ? (reading ? "" : t("search.nothing")) : t("search.found", { count });
  };
  return (
    <>
      <p className="soft roomless" role="status">
        {state()}
      </p>
      {count === 0 ? null : (
        <ol className={styles.hits} aria-label={t("search.results")} aria-busy={searching || undefined}>
          {hits.map((hit) => (
            <Hit key={keyOf(hit)} hit={hit} />
          ))}
        </ol>
      )}
    </>
  );
}

const keyOf = ({ id, passage }: VaultHit): string => `${id} ${passage?.start ?? ""} ${passage?.text ?? ""}`;

/** A link to the recording's page, at this passage. */
function Hit({ hit: { id, name, passage, marks } }: { hit: VaultHit }) {
  const { t } = useTranslation("vault");
  const nameOf = useSpeakerName();
  const named = name === "" ? t("item.unnamed") : name;
  const start = passage?.start ?? null;
  return (
    <li>
      <Link
        className="line"
        to="/encrypted-audio/$transcriptionId"
        params={{ transcriptionId: id }}
        {...(start !== null && { hash: `t=${start}`, resetScroll: false })}
        aria-label={start === null ? undefined : t("search.open", { name: named, time: clock(start) })}
      >
        <Icon name={passage === null ? "microphone" : "list"} />
        <bdi>{passage === null ? <Marked text={named} marks={marks} /> : named}</bdi>
      </Link>
      {passage === null ? null : (
        <>
          <p className="measure size-2 reading anywhere" dir="auto">
            <Marked text={passage.text} marks={marks} />
          </p>
          <p className="facts">
            {start === null ? null : <span>{clock(start)}</span>}
            {passage.speaker === null ? null : <span>{nameOf(passage.speaker)}</span>}
          </p>
        </>
      )}
    </li>
  );
}
