import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ReceivedShare } from "#contract/index.ts";
import {
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import { selectBusy, selectItems, selectReturns } from "#machines/collection/selectors.ts";
import { RemovalQuestion } from "#src/features/collection/removal-question.tsx";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { LibraryPage } from "#src/features/transcriptions/library-page.tsx";
import { clock, date } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import type { SharedWithMe } from "./shared-with-me-actor.ts";

const leaving = { title: "sure.leaving", yes: "sure.leavingYes" };
const declining = { title: "sure.declining", yes: "sure.decliningYes" };

/** Other people's transcripts: those offered and those accepted. */
export function SharedWithMePage({ actor, filing }: { actor: SharedWithMe; filing: OpenFiling }) {
  const { t } = useTranslation("people-shared-with-me");
  const loading = useSelector(actor, selectIsLoading);
  const failed = useSelector(actor, selectHasFailed);
  const unavailable = useSelector(actor, selectIsUnavailable);
  const isOpen = useSelector(actor, selectIsOpen);
  return (
    <LibraryPage title={t("title")} filing={filing} lead={t("lead")}>
      {loading ? <LoadingScreen message={t("loading")} /> : null}
      {unavailable ? <Notice>{t("unavailable")}</Notice> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => actor.send({ type: "reload.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {isOpen ? <Shares actor={actor} /> : null}
      <RemovalQuestion
        actor={actor}
        say={(key, { accepted, by }) =>
          t({ ...(accepted ? leaving : declining), text: "sure.text", no: "sure.no" }[key], { email: by })
        }
      />
    </LibraryPage>
  );
}

function Shares({ actor }: { actor: SharedWithMe }) {
  const { t } = useTranslation("people-shared-with-me");
  const shares = useSelector(actor, selectItems);
  const returns = useSelector(actor, selectReturns);
  const failure = useSelector(actor, selectFailure);
  return (
    <>
      {/* Takes the focus when the focused element disappears. */}
      <h2 key={returns} ref={returns === 0 ? undefined : claimFocus} tabIndex={-1} className="size-2">
        {t(shares.length === 0 ? "none" : "all")}
      </h2>
      {failure === null ? null : <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>}
      <ul className="stack gap-0" aria-label={t("title")}>
        {shares.map((share) => (
          <Row key={share.id} actor={actor} share={share} />
        ))}
      </ul>
    </>
  );
}

function Row({ actor, share }: { actor: SharedWithMe; share: ReceivedShare }) {
  const { t, i18n } = useTranslation("people-shared-with-me");
  const busy = useSelector(actor, selectBusy) === share.id;
  const { id, transcription, by, role, accepted, expiresAt, durationSeconds } = share;
  const title = share.title || t("untitled");
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">
          {accepted ? (
            <Link to="/transcription/$id" params={{ id: transcription }}>
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <p className="facts measure size-1">
          <span>{t("by", { email: by })}</span>
          <span>{t(`roles.${role}`)}</span>
          <span>{t("recorded", { date: date(share.date, i18n.language) })}</span>
          {durationSeconds === null ? null : <span>{clock(durationSeconds)}</span>}
          {expiresAt === null ? null : <span>{t("waits", { date: date(expiresAt, i18n.language) })}</span>}
        </p>
      </div>
      <div className="row">
        {accepted ? (
          <Link
            className={buttonClass("primary")}
            to="/transcription/$id"
            params={{ id: transcription }}
            aria-label={t("openWhich", { title })}
          >
            {t("open")}
          </Link>
        ) : (
          <Button
            look="primary"
            busy={busy}
            aria-label={t("acceptWhich", { title })}
            onClick={() => actor.send({ type: "acceptance.requested", id })}
          >
            {t("accept")}
          </Button>
        )}
        <Button
          busy={busy}
          aria-label={t(accepted ? "leaveWhich" : "declineWhich", { title })}
          onClick={() => actor.send({ type: "removal.requested", id })}
        >
          {t(accepted ? "leave" : "decline")}
        </Button>
      </div>
    </li>
  );
}
