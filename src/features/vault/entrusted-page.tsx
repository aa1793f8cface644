import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { statusOf, type Transcription, type VaultItem } from "#contract/index.ts";
import { selectItemIsFree, selectItemIsOpen } from "#machines/vault/item.ts";
import { selectItems } from "#machines/vault/selectors.ts";
import { selectTransfers } from "#machines/vault/transfers.ts";
import { PlayerBar } from "#src/features/transcription/player-bar.tsx";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import type { OpenVault } from "./actor.ts";
import { hearKeys } from "./blob-player.ts";
import { Closed, useCanAdd } from "./closed.tsx";
import { Gate } from "./gate.tsx";
import { Facts, Work } from "./item-row.tsx";
import { problemKey } from "./problem.ts";
import { Reading, SaveAs } from "./reading.tsx";
import { TranscribeItem, TranscribeWork } from "./transcribe-item.tsx";
import { TransferRow } from "./transfer-list.tsx";
import styles from "./vault.module.css";
import { Lock } from "./vault-page.tsx";

interface EntrustedPageProps {
  vault: OpenVault;
  /** The id of the transcription, or of the item in the vault. */
  transcriptionId: string;
  /** The transcription outside of the vault; null when it does not exist. */
  plain: Transcription | null;
  /** The error if it is unknown whether the transcription exists; otherwise null. */
  problem: string | null;
}

/** A recording in the vault, or a transcription's audio that the user may move there. */
export function EntrustedPage(props: EntrustedPageProps) {
  const { t } = useTranslation("vault");
  return (
    <Page title={t("titles.encryptedAudio")} actions={<Lock vault={props.vault} />}>
      <Link className={`fit fine ${styles.back}`} to="/encrypted-audio">
        <Icon name="arrowBack" />
        {t("entrusted.back")}
      </Link>
      <Gate vault={props.vault}>
        <Content {...props} />
      </Gate>
    </Page>
  );
}

function Content({ vault, transcriptionId, plain, problem }: EntrustedPageProps) {
  const { t } = useTranslation("vault");
  const items = useSelector(vault.actor, selectItems);
  const item = items.find((one) => one.transcriptionId === transcriptionId) ?? items.find(({ id }) => id === transcriptionId);
  const transfer = useSelector(vault.transfers.actor, selectTransfers).find(({ id }) => id === transcriptionId);
  const moved = useSyncExternalStore(vault.moved.subscribe, vault.moved.get).has(transcriptionId);
  if (transfer !== undefined) {
    return (
      <ul className="stack">
        <TransferRow transfer={transfer} transfers={vault.transfers} />
      </ul>
    );
  }
  const left = moved ? null : plain;
  if (item === undefined) {
    if (problem !== null) return <Notice tone="danger">{t(problemKey(problem))}</Notice>;
    return left === null ? <p className={styles.empty}>{t("entrusted.missing")}</p> : <Move vault={vault} plain={left} />;
  }
  return (
    <>
      {left === null ? null : (
        <Notice tone="danger" actions={<Button onClick={() => vault.move(left)}>{t("move.finish")}</Button>}>
          {t("move.unfinished")}
        </Notice>
      )}
      <Entrusted vault={vault} item={item} />
    </>
  );
}

/** A recording in the vault. Its text opens by itself, its audio when it is played. */
function Entrusted({ vault, item }: { vault: OpenVault; item: VaultItem }) {
  const { t } = useTranslation("vault");
  const open = vault.items.of(item.id);
  const meta = useSyncExternalStore(vault.names.subscribe, vault.names.get).get(item.id);
  const player = useSyncExternalStore(open.opened.subscribe, open.opened.get);
  const isOpen = useSelector(open.actor, selectItemIsOpen);
  const free = useSelector(open.actor, selectItemIsFree);
  const keys = useMemo(() => (player === null ? undefined : hearKeys(player)), [player]);
  const name = meta?.name ?? t("item.unnamed");
  return (
    <article className={`stack compact gap-4 ${styles.group}`}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <Facts item={item} meta={meta} />
      <div className="row">
        {isOpen ? null : (
          <Button look="primary" icon="play" disabled={!free || meta === undefined} onClick={() => vault.items.play(item.id)}>
            {t("item.play")}
          </Button>
        )}
        <Button
          icon="download"
          disabled={!free || meta === undefined}
          onClick={() => open.actor.send({ type: "save.requested" })}
        >
          {t("item.save")}
        </Button>
        <Button icon="shield" disabled={!free} onClick={() => open.actor.send({ type: "download.requested" })}>
          {t("item.download")}
        </Button>
        {item.hasText ? <SaveAs reading={vault.readings.of(item.id)} /> : null}
      </div>
      <Work open={open} name={name} />
      {item.hasText ? (
        <TranscribeWork vault={vault} item={item} name={name} />
      ) : (
        <TranscribeItem vault={vault} item={item} name={name} />
      )}
      <div className="stack gap-4" ref={keys}>
        {item.hasText ? <Reading vault={vault} item={item} player={player} /> : null}
        {player === null ? null : <PlayerBar player={player} durationSeconds={meta?.durationSeconds ?? null} />}
      </div>
    </article>
  );
}

/** Explains what moving a transcription into the vault means. */
function Move({ vault, plain }: { vault: OpenVault; plain: Transcription }) {
  const { t } = useTranslation("vault");
  const status = statusOf(plain.status);
  const canAdd = useCanAdd();
  const ready = plain.hasAudio && (status === "completed" || status === "failed");
  return (
    <section className={`card pad-wide stack compact gap-4 ${styles.panel}`} aria-labelledby="move-heading">
      <h2 id="move-heading">
        <bdi>{plain.title || t("item.unnamed")}</bdi>
      </h2>
      {ready ? (
        <>
          <p>{t("move.text")}</p>
          <ul className="bullets stack gap-2 measure">
            {(["encrypted", "compared", "deleted", "seen"] as const).map((point) => (
              <li key={point}>{t(`move.points.${point}`)}</li>
            ))}
          </ul>
        </>
      ) : (
        <Notice>{t(plain.hasAudio ? "move.notReady" : "move.noAudio")}</Notice>
      )}
      {ready && !canAdd ? <Closed /> : null}
      <div className="row">
        {ready && canAdd ? (
          <Button look="primary" icon="shield" onClick={() => vault.move(plain)}>
            {t("move.submit")}
          </Button>
        ) : null}
        <Link className={buttonClass("secondary")} to="/transcription/$id" params={{ id: plain.id }}>
          {t("move.back")}
        </Link>
      </div>
    </section>
  );
}
