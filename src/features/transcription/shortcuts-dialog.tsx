import { useId, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import { transcriptPreferences } from "./preferences.ts";
import { isMac, withOurs } from "./shortcuts.ts";
import styles from "./shortcuts-dialog.module.css";

/** The keys of each action, as labelled on the keyboard; `where` says when they apply. */
function keysOf(mac: boolean) {
  const undo = mac ? ["⌘ Z"] : ["Ctrl + Z"];
  const redo = mac ? ["⇧ ⌘ Z"] : ["Ctrl + Shift + Z", "Ctrl + Y"];
  const ours = (letter: string) => [withOurs(letter, mac)];
  return {
    listening: [
      ["playPause", [...ours("K"), mac ? "⌃ ␣" : "Ctrl + ␣", "␣"]],
      ["back", ours("J")],
      ["forward", ours("L")],
      ["slower", ours(",")],
      ["faster", ours(".")],
      ["words", ["←", "→"]],
    ],
    correcting: [
      ["rows", ["↑", "↓"]],
      ["save", [mac ? "⌘ ↵" : "Ctrl + ↵"]],
      ["split", ["↵"]],
      ["merge", ["⌫"]],
      ["line", ["⇧ ↵"]],
      ["leave", ["Esc"]],
      ["undo", undo],
      ["redo", redo],
      ["find", ours("R")],
      ["unsure", [...ours("U"), withOurs(mac ? "⇧ U" : "Shift + U", mac)]],
      ["confirmWord", ours("O")],
      ["annotate", ours("N")],
    ],
    all: [["help", ["?"]]],
  } as const;
}

/** Lists the shortcuts; some can be disabled. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("app");
  const id = useId();
  const { rewinds, singleKeys } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  const choices = { rewinds, singleKeys };
  return (
    <dialog
      ref={(dialog) => {
        if (!dialog || dialog.open) return;
        dialog.showModal();
        // Otherwise the first checkbox, at the end of the list, would be focused.
        dialog.querySelector("h2")?.focus();
      }}
      className={`${dialogStyles.dialog} ${styles.dialog}`}
      aria-labelledby={id}
      onClose={onClose}
    >
      <h2 id={id} tabIndex={-1}>
        {t("transcript.keys.title")}
      </h2>
      {Object.entries(keysOf(isMac())).map(([group, actions]) => (
        <section key={group}>
          <h3>{t(`transcript.keys.groups.${group}`)}</h3>
          <dl className={styles.keys}>
            {actions.map(([action, keys]) => (
              <div key={action}>
                <dt>{t(`transcript.keys.${action}`)}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={styles.note}>{t("transcript.keys.note")}</p>
      {(["rewinds", "singleKeys"] as const).map((choice) => (
        <label key={choice} className={styles.choice}>
          <input
            type="checkbox"
            checked={choices[choice]}
            onChange={(event) => transcriptPreferences.choose({ [choice]: event.target.checked })}
          />
          {t(`transcript.keys.${choice}`)}
        </label>
      ))}
      <div className={dialogStyles.actions}>
        <Button look="primary" onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
          {t("transcript.keys.close")}
        </Button>
      </div>
    </dialog>
  );
}
