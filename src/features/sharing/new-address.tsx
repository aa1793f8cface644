import { useTranslation } from "react-i18next";
import { type CreatedSharedLink, sharedAddress } from "#contract/index.ts";
import { ShownOnce } from "#src/ui/shown-once.tsx";
import type { Sharing } from "./actor.ts";

/** The address of a new link, shown this once. */
export function NewAddress({ sharing, created }: { sharing: Sharing; created: CreatedSharedLink }) {
  const { t } = useTranslation("sharing");
  return (
    <ShownOnce
      title={t("created.title")}
      value={`${location.origin}/shared#${sharedAddress(created)}`}
      testId="new-address"
      labels={{
        copy: t("created.copy"),
        done: t("created.done"),
        copied: t("created.copied"),
        notCopied: t("created.notCopied"),
      }}
      onDone={() => sharing.send({ type: "address.dismissed" })}
    >
      {t(created.locked ? "created.textLocked" : "created.text")}
    </ShownOnce>
  );
}
