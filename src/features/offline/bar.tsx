import { useSelector } from "@xstate/react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import type { Actor } from "xstate";
import { selectIsOffered, type updateMachine } from "#machines/update/machine.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./bar.module.css";

interface BarProps {
  update: Actor<typeof updateMachine>;
}

/** Announces a new version of the page, and offers to load it. */
function Bar({ update }: BarProps) {
  const { t } = useTranslation("offline");
  const isOffered = useSelector(update, selectIsOffered);
  if (!isOffered) return null;
  return (
    <Notice
      actions={
        <>
          <Button look="primary" icon="retry" onClick={() => update.send({ type: "update.requested" })}>
            {t("update.take")}
          </Button>
          <Button look="quiet" onClick={() => update.send({ type: "update.postponed" })}>
            {t("update.later")}
          </Button>
        </>
      }
    >
      {t("update.there")}
    </Notice>
  );
}

/** Mounted outside of the page's component tree, so that first visits don't load its code. */
export function mountBar(update: BarProps["update"]): void {
  const host = document.createElement("aside");
  host.className = styles.bar ?? "";
  document.body.append(host);
  createRoot(host).render(<Bar update={update} />);
}
