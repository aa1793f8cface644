import { useSelector } from "@xstate/react";
import { lazy, Suspense, useEffect } from "react";
import { selectDialog, selectTyped } from "#machines/shortcuts/machine.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { openShortcuts, provideDialog } from "#src/features/shortcuts/actor.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { offerEverywhere } from "./everywhere.ts";

const loadSearch = async () => {
  const [{ Palette }] = await Promise.all([
    import("#src/features/search/palette.tsx"),
    loadTexts("search"),
    loadTexts("settings"),
    loadTexts("shortcuts"),
  ]);
  return { default: Palette };
};
const loadKeys = async () => {
  const [{ Keys }] = await Promise.all([import("./keys.tsx"), loadTexts("shortcuts")]);
  return { default: Keys };
};
provideDialog("search", loadSearch);
provideDialog("keys", loadKeys);

/** Rendered once they are loaded. */
const dialogs = { search: lazy(loadSearch), keys: lazy(loadKeys) };

/** What stands over a page goes with it. */
const closeWithPage = () =>
  pageRouter().subscribe("onBeforeNavigate", ({ pathChanged }) => {
    if (pathChanged) openShortcuts().send({ type: "dialog.closed" });
  });

/** The search and the list of keys, over every page of somebody who is signed in; what the keys do there. */
export function ShortcutDialogs() {
  const shortcuts = openShortcuts();
  const open = useSelector(shortcuts, selectDialog);
  const typed = useSelector(shortcuts, selectTyped);
  useEffect(offerEverywhere, []);
  useEffect(closeWithPage, []);
  if (open === null) return null;
  const Dialog = dialogs[open];
  return (
    <Suspense fallback={null}>
      <Dialog typed={typed} onClose={() => shortcuts.send({ type: "dialog.closed" })} />
    </Suspense>
  );
}
