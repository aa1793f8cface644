import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectTextsOpposite } from "#machines/translator/face-to-face.ts";
import { IconButton } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import type { Translator } from "./actor.ts";
import styles from "./face-to-face.module.css";
import { FaceToFaceHalf } from "./face-to-face-half.tsx";

/**
 * Makes everything outside an element inert, at every level above it, except toasts. @returns a function that undoes it
 */
function isolate(element: HTMLElement): () => void {
  const hidden: HTMLElement[] = [];
  for (let at = element; at.parentElement !== null && at !== document.body; at = at.parentElement)
    for (const sibling of at.parentElement.children) {
      if (sibling === at || !(sibling instanceof HTMLElement) || sibling.inert || sibling.matches(".Toastify")) continue;
      sibling.inert = true;
      hidden.push(sibling);
    }
  return () => {
    for (const each of hidden) each.inert = false;
  };
}

/** The ref of the view. Moves the focus to the owner's button, and restores it afterwards. */
function takeOver(view: HTMLElement | null) {
  if (view === null) return undefined;
  const before = document.activeElement;
  const release = isolate(view);
  (view.querySelector<HTMLElement>("[data-speak]") ?? view.querySelector("button"))?.focus({ preventScroll: true });
  return () => {
    release();
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus({ preventScroll: true });
    else focusHeading();
  };
}

/**
 * The device lies between two people. The screen has two halves; the far one is turned around and in the other person's
 * language. Screen readers read the owner's half first.
 */
export function FaceToFace({ translator }: { translator: Translator }) {
  const { choices, faceToFace } = translator;
  const { t, i18n } = useTranslation("translator");
  const opposite = useSelector(faceToFace, selectTextsOpposite);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  return (
    <div className={styles.view} role="dialog" aria-modal="true" aria-label={t("faceToFace")} ref={takeOver}>
      <FaceToFaceHalf key={`0 ${sides[0]}`} translator={translator} side={0} texts={{ t, language: i18n.language }} />
      <IconButton
        className={styles.close}
        look="secondary"
        icon="close"
        label={t("face.close")}
        onClick={() => faceToFace.send({ type: "close.requested" })}
      />
      <FaceToFaceHalf
        key={`1 ${sides[1]}`}
        translator={translator}
        side={1}
        texts={opposite === null ? null : { t: i18n.getFixedT(opposite, "translator"), language: opposite }}
      />
    </div>
  );
}
