import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { type FormEvent, memo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { VaultItem } from "#contract/index.ts";
import {
  selectIsFetching,
  selectItemFailure,
  selectItemIsAsked,
  selectItemIsBusy,
  selectItemIsFree,
  selectItemIsOpen,
} from "#machines/vault/item.ts";
import { PlayerBar } from "#src/features/transcription/player-bar.tsx";
import { bytes, clock, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import { focusHeading } from "#src/ui/focus.ts";
import { Menu } from "#src/ui/menu.tsx";
import { Progress } from "#src/ui/progress.tsx";
import type { OpenVault } from "./actor.ts";
import { hearKeys } from "./blob-player.ts";
import { useCanAdd } from "./closed.tsx";
import { Failure } from "./failure.tsx";
import type { OpenItem } from "./items-actor.ts";
import { LinksPanel } from "./links-panel.tsx";
import { longestName, type VaultMeta } from "./meta.ts";
import { TranscribeButton, TranscribeWork } from "./transcribe-item.tsx";
import styles from "./vault.module.css";

interface ItemRowProps {
  vault: OpenVault;
  item: VaultItem;
  /** The decrypted metadata; undefined until then. */
  meta: VaultMeta | undefined;
}

/** One recording with its actions. Memoized, so that decrypting one name in a list of a thousand renders one row. */
export const ItemRow = memo(function ItemRow({ vault, item, meta }: ItemRowProps) {
  const { t } = useTranslation("vault");
  const open = vault.items.of(item.id);
  const isOpen = useSelector(open.actor, selectItemIsOpen);
  const free = useSelector(open.actor, selectItemIsFree);
  const renaming = useEditingInPlace();
  const name = meta?.name ?? t("item.unnamed");
  return (
    <li className={`card ${styles.item}`} data-testid="vault-item">
      <div className="stack gap-1">
        {renaming.editing ? (
          <Rename name={name} onDone={renaming.end} onRename={open.rename} />
        ) : (
          <Link className="strong anywhere" to="/encrypted-audio/$transcriptionId" params={{ transcriptionId: item.id }}>
            <bdi>{name}</bdi>
          </Link>
        )}
        <Facts item={item} meta={meta} />
        <Work open={open} name={name} />
        <TranscribeWork vault={vault} item={item} name={name} />
      </div>
      <div className="row">
        {isOpen ? (
          <Button key="close" icon="close" onClick={() => open.actor.send({ type: "close.requested" })}>
            {t("item.close")}
          </Button>
        ) : (
          <Button key="play" icon="play" disabled={!free || meta === undefined} onClick={() => vault.items.play(item.id)}>
            {t("item.play")}
            <span className="visuallyHidden">: {name}</span>
          </Button>
        )}
        <More vault={vault} item={item} name={name} known={meta !== undefined} onRename={renaming.begin} />
      </div>
      <Playing open={open} durationSeconds={meta?.durationSeconds ?? null} />
      <Links open={open} item={item} />
    </li>
  );
});

/** The item's date, duration and size. */
export function Facts({ item, meta }: Omit<ItemRowProps, "vault">) {
  const { t, i18n } = useTranslation("vault");
  const date = meta?.recordedAt ?? item.arrivedAt ?? "";
  return (
    <p className="facts">
      <time dateTime={date}>{dateTime(date, i18n.language)}</time>
      {typeof meta?.durationSeconds === "number" ? <span>{clock(meta.durationSeconds)}</span> : null}
      <span>{bytes(item.size, i18n.language)}</span>
      {item.hasText ? <span>{t("item.hasText")}</span> : null}
    </p>
  );
}

/** The progress and errors of the item's download. */
export function Work({ open, name }: { open: OpenItem; name: string }) {
  const { t } = useTranslation("vault");
  const fetching = useSelector(open.actor, selectIsFetching);
  const busy = useSelector(open.actor, selectItemIsBusy);
  const failure = useSelector(open.actor, selectItemFailure);
  const fraction = useSyncExternalStore(open.fetched.subscribe, open.fetched.get);
  return (
    <>
      {fetching ? (
        <div className="line gap-3">
          <Progress label={t("item.fetching", { name })} fraction={fraction} />
          <Button look="quiet" onClick={() => open.actor.send({ type: "cancel.requested" })}>
            {t("cancel")}
          </Button>
        </div>
      ) : null}
      <p className="visuallyHidden" role="status">
        {fetching || busy ? t("item.working", { name }) : ""}
      </p>
      <Failure code={failure} />
    </>
  );
}

/** Selects the text, so that typing replaces it. */
const takeFocus = (field: HTMLInputElement | null) => {
  field?.focus();
  field?.select();
};

function Rename({ name, onDone, onRename }: { name: string; onDone(): void; onRename(name: string): void }) {
  const { t } = useTranslation("vault");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = event.currentTarget.querySelector("input")?.value.trim() ?? "";
    if (typed !== "" && typed !== name) onRename(typed);
    onDone();
  };
  return (
    <form
      className={`row ${styles.rename}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <input aria-label={t("item.name")} defaultValue={name} maxLength={longestName} ref={takeFocus} />
      <Button type="submit" look="primary">
        {t("item.saveName")}
      </Button>
      <Button look="quiet" onClick={onDone}>
        {t("cancel")}
      </Button>
    </form>
  );
}

interface MoreProps extends Pick<ItemRowProps, "vault" | "item"> {
  name: string;
  /** Whether the name is readable: the vault is unlocked, and this page supports the item's version. */
  known: boolean;
  onRename(): void;
}

function More({ vault, item, name, known, onRename }: MoreProps) {
  const { t } = useTranslation("vault");
  const { actor, showLinks } = vault.items.of(item.id);
  const free = useSelector(actor, selectItemIsFree);
  const busy = useSelector(actor, selectItemIsBusy);
  const canAdd = useCanAdd();
  const asking = useSelector(actor, selectItemIsAsked);
  return (
    <>
      <Menu label={t("item.more")} icon="menu" busy={busy}>
        <Button look="quiet" icon="download" disabled={!free || !known} onClick={() => actor.send({ type: "save.requested" })}>
          {t("item.save")}
        </Button>
        <Button look="quiet" icon="shield" disabled={!free} onClick={() => actor.send({ type: "download.requested" })}>
          {t("item.download")}
        </Button>
        <Button look="quiet" icon="share" disabled={!free || !known} onClick={showLinks}>
          {t("links.open")}
        </Button>
        <Button look="quiet" icon="edit" disabled={!free || !known || !canAdd} onClick={onRename}>
          {t("item.rename")}
        </Button>
        <TranscribeButton vault={vault} item={item} look="quiet" disabled={!free || !known} />
        <Button look="quiet" icon="trash" disabled={!free} onClick={() => actor.send({ type: "remove.requested" })}>
          {t("item.remove")}
        </Button>
      </Menu>
      {asking ? (
        <ConfirmDialog
          title={t("item.removeTitle", { name })}
          text={t("item.removeText")}
          confirmLabel={t("item.remove")}
          cancelLabel={t("keep")}
          onConfirm={() => {
            focusHeading();
            actor.send({ type: "remove.confirmed" });
          }}
          onCancel={() => actor.send({ type: "cancel.requested" })}
        />
      ) : null}
    </>
  );
}

function Links({ open, item }: { open: OpenItem; item: VaultItem }) {
  const links = useSyncExternalStore(open.links.subscribe, open.links.get);
  const canMake = useCanAdd();
  if (links === null) return null;
  return (
    <div className="wide">
      <LinksPanel links={links} hasText={item.hasText} canMake={canMake} onClose={open.closeLinks} />
    </div>
  );
}

function Playing({ open, durationSeconds }: { open: OpenItem; durationSeconds: number | null }) {
  const opened = useSyncExternalStore(open.opened.subscribe, open.opened.get);
  if (opened === null) return null;
  return (
    <div className={`wide ${styles.player}`} ref={hearKeys(opened)}>
      <PlayerBar player={opened} durationSeconds={durationSeconds} />
    </div>
  );
}
