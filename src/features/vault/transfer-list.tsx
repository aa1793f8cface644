import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  selectCanCancel,
  selectCanRetry,
  selectTransferFailure,
  selectTransferIsOver,
  selectTransferSize,
  selectTransferState,
} from "#machines/vault/transfer.ts";
import { selectTransfers, type VaultTransferRef } from "#machines/vault/transfers.ts";
import { bytes, percent } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { problemKey } from "./problem.ts";
import type { VaultTransfers } from "./transfers-actor.ts";
import styles from "./vault.module.css";

/** Running transfers into the vault. */
export function Transfers({ transfers }: { transfers: VaultTransfers }) {
  const { t } = useTranslation("vault");
  const list = useSelector(transfers.actor, selectTransfers);
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="transfers-heading" className={`stack compact gap-4 ${styles.group}`}>
      <h2 id="transfers-heading">{t("transfer.title")}</h2>
      <ul className="stack">
        {list.map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} transfers={transfers} />
        ))}
      </ul>
    </section>
  );
}

export function TransferRow({ transfer, transfers }: { transfer: VaultTransferRef; transfers: VaultTransfers }) {
  const { t, i18n } = useTranslation("vault");
  const state = useSelector(transfer, selectTransferState);
  const failure = useSelector(transfer, selectTransferFailure);
  const size = useSelector(transfer, selectTransferSize);
  const over = useSelector(transfer, selectTransferIsOver);
  const canRetry = useSelector(transfer, selectCanRetry);
  const canCancel = useSelector(transfer, selectCanCancel);
  const name = transfers.nameOf(transfer.id);
  return (
    <li className={`card ${styles.item}`} data-testid="transfer" data-state={state}>
      <div className="stack gap-1">
        <p>
          <bdi className="strong anywhere">{name}</bdi>{" "}
          {size > 0 ? <span className="fine digits">{bytes(size, i18n.language)}</span> : null}
        </p>
        <p className="fine digits" role="status">
          {failure === null ? t(`transfer.state.${state}`) : null}
        </p>
        {state === "sending" || state === "settling" ? <Sent id={transfer.id} name={name} transfers={transfers} /> : null}
        {failure === null ? null : (
          <p className="line top wrong size-1" role="alert">
            {t(problemKey(failure))}
          </p>
        )}
      </div>
      <div className="row">
        {canRetry ? (
          <Button icon="retry" onClick={() => transfer.send({ type: "retry.requested" })}>
            {t("again")}
          </Button>
        ) : null}
        {canCancel ? (
          <IconButton
            icon="close"
            label={t("transfer.cancel", { name })}
            onClick={() => transfer.send({ type: "cancel.requested" })}
          />
        ) : null}
        {over ? (
          <IconButton
            icon="close"
            label={t("transfer.dismiss", { name })}
            onClick={() => transfers.actor.send({ type: "dismiss.requested", id: transfer.id })}
          />
        ) : null}
      </div>
    </li>
  );
}

function Sent({ id, name, transfers }: { id: string; name: string; transfers: VaultTransfers }) {
  const { t, i18n } = useTranslation("vault");
  const store = transfers.fractionOf(id);
  const fraction = useSyncExternalStore(store.subscribe, store.get);
  return (
    <>
      <Progress label={t("transfer.progress", { name })} fraction={fraction} />
      <p className="fine digits">{percent(fraction, i18n.language)}</p>
    </>
  );
}
