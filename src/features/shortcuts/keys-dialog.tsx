import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import { canPerform } from "./actor.ts";
import { isMac, labelOf, type Row, table } from "./keys.ts";
import styles from "./keys-dialog.module.css";
import { SingleKeysChoice } from "./single-keys-choice.tsx";

/** Whether the current page, or its focused part, can perform the row's action. */
const isHere = ({ keys, needs }: Row): boolean =>
  needs === undefined ? keys.some(({ action }) => action !== undefined && canPerform(action)) : canPerform(needs);

/** Lists the keys of the current page. @param children further settings */
export function KeysDialog({ onClose, children }: { onClose(): void; children?: ReactNode }) {
  const { t } = useTranslation("shortcuts");
  const id = useId();
  const groups = Object.entries<readonly Row[]>(table).flatMap(([group, rows]) => {
    const here = rows.filter(isHere);
    return here.length === 0 ? [] : [{ group, rows: here }];
  });
  return (
    <dialog
      ref={(dialog) => {
        if (!dialog || dialog.open) return;
        dialog.showModal();
        // Otherwise the browser would focus the first checkbox, at the end of the list.
        dialog.querySelector("h2")?.focus();
      }}
      closedby="any"
      className={`${dialogStyles.dialog} ${styles.dialog}`}
      aria-labelledby={id}
      onClose={onClose}
    >
      <h2 id={id} tabIndex={-1}>
        {t("title")}
      </h2>
      {groups.map(({ group, rows }) => (
        <section key={group}>
          <h3 className="label">{t(`groups.${group}`)}</h3>
          <dl className={styles.keys}>
            {rows.map((row) => (
              <KeyRow key={row.text} {...row} />
            ))}
          </dl>
        </section>
      ))}
      {canPerform("undo") ? <p className={`fine ${styles.note}`}>{t("note")}</p> : null}
      {children}
      <SingleKeysChoice />
      <div className="row at-end">
        <Button look="primary" onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
          {t("close")}
        </Button>
      </div>
    </dialog>
  );
}

function KeyRow({ text, keys }: Row) {
  const { t } = useTranslation("shortcuts");
  const labels = keys.flatMap((key) => labelOf(key, isMac()) ?? []);
  return (
    <div>
      <dt>{t(text)}</dt>
      <dd>
        {labels.map((label) => (
          <kbd key={label}>{label}</kbd>
        ))}
      </dd>
    </div>
  );
}
