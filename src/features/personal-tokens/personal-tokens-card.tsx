import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PersonalToken } from "#contract/index.ts";
import { selectFailure, selectIsOpen } from "#machines/collection/loading.ts";
import { selectAsked, selectCreated, selectIsWriting, selectRemoving } from "#machines/collection/selectors.ts";
import { Items } from "#src/features/collection/items.tsx";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import type { PersonalTokens } from "./actor.ts";
import { NewSecret } from "./new-secret.tsx";
import { NewToken } from "./new-token.tsx";
import styles from "./personal-tokens.module.css";
import { scopeKey } from "./scope-key.ts";

interface PersonalTokensProps {
  tokens: PersonalTokens;
  /** Confirms who somebody is that has no password. */
  confirmation: ReactNode;
}

/** What programs sign in with: listed, made, revoked. */
export function PersonalTokensCard({ tokens, confirmation }: PersonalTokensProps) {
  const { t } = useTranslation("personal-tokens");
  const isOpen = useSelector(tokens, selectIsOpen);
  const writing = useSelector(tokens, selectIsWriting);
  const created = useSelector(tokens, selectCreated);
  const { begin, opener } = useEditingInPlace();
  const open = () => {
    begin();
    tokens.send({ type: "creation.requested" });
  };
  return (
    <div className={styles.card}>
      <LoadingNotices actor={tokens} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {isOpen ? <List tokens={tokens} /> : null}
      {writing ? <NewToken tokens={tokens} confirmation={confirmation} /> : null}
      {created === null ? null : <NewSecret tokens={tokens} created={created} />}
      {isOpen && !writing && created === null ? (
        <div className={entries.actions}>
          <Button ref={opener} icon="plus" onClick={open}>
            {t("new")}
          </Button>
        </div>
      ) : null}
      <p className={entries.fine}>{t("limits")}</p>
      <p className={entries.fine}>
        <Link to="/api">{t("api")}</Link>
      </p>
      <Sure tokens={tokens} />
    </div>
  );
}

const shownWhileListed = ["notFound", "network"];

function List({ tokens }: Pick<PersonalTokensProps, "tokens">) {
  const { t } = useTranslation("personal-tokens");
  const writing = useSelector(tokens, selectIsWriting);
  const failure = useSelector(tokens, selectFailure);
  return (
    <>
      <Items
        actor={tokens}
        texts={{ none: t("none"), yours: t("yours") }}
        row={(token) => <Row key={token.id} tokens={tokens} token={token} />}
      />
      {failure === null || writing ? null : (
        <Notice tone="danger">{t(`failure.${shownWhileListed.includes(failure) ? failure : "other"}`)}</Notice>
      )}
    </>
  );
}

/** What a token is for and may do, until when, and when it was last used. */
function Row({ tokens, token }: { tokens: PersonalTokens; token: PersonalToken }) {
  const { t, i18n } = useTranslation("personal-tokens");
  const { id, name, scopes, expiresAt, lastUsedAt } = token;
  const removing = useSelector(tokens, selectRemoving);
  const hasEnded = Date.parse(expiresAt) <= Date.now();
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className={entries.name}>
          <bdi>{name}</bdi> <code className={styles.id}>{`parlance_${id}_…`}</code>
        </p>
        <p className={entries.fine}>{scopes.map((scope) => t(`scope.${scopeKey(scope)}`)).join(" · ")}</p>
        <p className={entries.fine}>
          <span className={hasEnded ? entries.ended : undefined}>
            {t(hasEnded ? "ended" : "ends", { date: date(expiresAt, i18n.language) })}
          </span>
          <span>{lastUsedAt === null ? t("unused") : t("used", { date: dateTime(lastUsedAt, i18n.language) })}</span>
        </p>
      </div>
      <Button
        aria-label={t("revokeWhich", { name })}
        busy={removing === id}
        onClick={() => tokens.send({ type: "removal.requested", id })}
      >
        {t("revoke")}
      </Button>
    </li>
  );
}

/** Asks before programs stop. */
function Sure({ tokens }: Pick<PersonalTokensProps, "tokens">) {
  const { t } = useTranslation("personal-tokens");
  const asked = useSelector(tokens, selectAsked);
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={t("sure.title", { name: asked.name })}
      text={t("sure.text")}
      confirmLabel={t("sure.yes")}
      cancelLabel={t("sure.no")}
      onConfirm={() => tokens.send({ type: "removal.confirmed" })}
      onCancel={() => tokens.send({ type: "removal.dismissed" })}
    />
  );
}
