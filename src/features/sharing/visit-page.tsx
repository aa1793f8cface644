import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsGone, selectIsLocked, selectIsOpening, selectLoadFailure, selectShown } from "#machines/sharing/visit.ts";
import { Button } from "#src/ui/button.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import { Locked } from "./locked.tsx";
import { SharedText } from "./shared-text.tsx";
import type { Visit } from "./visit-actor.ts";

/** The page of a link: the transcript, the question for its passphrase, or what became of it. No search engine is to keep it. */
export function VisitPage({ visit }: { visit: Visit }) {
  return (
    <>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      <Content visit={visit} />
    </>
  );
}

/** Texts of failures that say more than that it failed. */
const explained = ["network", "tooManyRequests", "tooManyAtOnce"];

function Content({ visit }: { visit: Visit }) {
  const { t } = useTranslation("visit");
  const { actor } = visit;
  const opening = useSelector(actor, selectIsOpening);
  const locked = useSelector(actor, selectIsLocked);
  const gone = useSelector(actor, selectIsGone);
  const failure = useSelector(actor, selectLoadFailure);
  const transcript = useSelector(actor, selectShown);
  if (opening) return <LoadingScreen message={t("opening")} />;
  if (locked) return <Locked actor={actor} />;
  if (gone) return <MessageScreen title={t("gone")} text={t("goneText")} />;
  if (failure !== null) {
    return (
      <MessageScreen
        title={t("failed")}
        text={t(`failure.${explained.includes(failure) ? failure : "other"}`)}
        action={
          <Button look="primary" icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
            {t("retry")}
          </Button>
        }
      />
    );
  }
  return transcript === null ? null : <SharedText visit={visit} transcript={transcript} />;
}
