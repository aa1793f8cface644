import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PersonalToken } from "#contract/index.ts";
import { selectIsOpen } from "#machines/collection/loading.ts";
import { selectRemoving } from "#machines/collection/selectors.ts";
import { Items } from "#src/features/collection/items.tsx";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { NewItem } from "#src/features/collection/new-item.tsx";
import { RemovalQuestion } from "#src/features/collection/removal-question.tsx";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import entries from "#src/ui/entries.module.css";
import type { PersonalTokens } from "./actor.ts";
import { NewToken } from "./new-token.tsx";
import styles from "./personal-tokens.module.css";
import { scopeKey } from "./scope-key.ts";

interface PersonalTokensProps {
  tokens: PersonalTokens;
  /** Confirms the identity of a user without a password. */
  confirmation: ReactNode;
}

/** Lists, creates and revokes the tokens with which programs sign in. */
export function PersonalTokensCard({ tokens, confirmation }: PersonalTokensProps) {
  const { t } = useTranslation("personal-tokens");
  const isOpen = useSelector(tokens, selectIsOpen);
  return (
    <div className="stack">
      <LoadingNotices actor={tokens} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {isOpen ? (
        <>
          <Items
            actor={tokens}
            texts={{ none: t("none"), yours: t("yours") }}
            row={(token) => <Row key={token.id} tokens={tokens} token={token} />}
            failure={(code) => t([`failure.${code}`, "failure.other"])}
          />
          <NewItem
            actor={tokens}
            label={t("new")}
            form={<NewToken tokens={tokens} confirmation={confirmation} />}
            secret={({ item, secret }) => (
              <ShownOnce actor={tokens} value={secret} testId="new-token" say={(key) => t(`created.${key}`, { name: item.name })}>
                {t("created.text")}
              </ShownOnce>
            )}
          />
        </>
      ) : null}
      <p className="measure note">{t("limits")}</p>
      <p className="facts measure size-1">
        <Link to="/api">{t("api")}</Link>
      </p>
      <RemovalQuestion actor={tokens} say={(key, { name }) => t(`sure.${key}`, { name })} />
    </div>
  );
}

/** A token's purpose, scopes, expiry and last use. */
function Row({ tokens, token }: { tokens: PersonalTokens; token: PersonalToken }) {
  const { t, i18n } = useTranslation("personal-tokens");
  const { id, name, scopes, expiresAt, lastUsedAt } = token;
  const removing = useSelector(tokens, selectRemoving);
  const hasEnded = Date.parse(expiresAt) <= Date.now();
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">
          <bdi>{name}</bdi> <code className={`note ${styles.id}`}>{`parlance_${id}_…`}</code>
        </p>
        <p className="facts measure size-1">{scopes.map((scope) => t(`scope.${scopeKey(scope)}`)).join(" · ")}</p>
        <p className="facts measure size-1">
          <span className={hasEnded ? "wrong" : undefined}>
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
