import type { ShortcutAction } from "#machines/shortcuts/events.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { offerKeys, openShortcuts } from "#src/features/shortcuts/actor.ts";

const owe = (action: ShortcutAction) => openShortcuts().send({ type: "action.owed", action });

/** The search field of the page, or else the page of the search. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (!field?.checkVisibility()) return void pageRouter().navigate({ to: "/search" });
  field.focus();
  field.select();
}

/** The page with the recorder begins as soon as it can. Once it is open, it alone knows when. */
function record(): void {
  if (location.pathname === "/speech-to-text") return;
  void pageRouter().navigate({ to: "/speech-to-text" });
  owe("record");
}

/** Rows of a list have `data-row`. */
const rows = () => [...document.querySelectorAll<HTMLElement>("main [data-row]")];
const hasFocus = (row: HTMLElement) => row.contains(document.activeElement);

/** To the row beside that with the focus, or else to the first in sight. @param by 1 or -1 */
function step(by: number): void {
  const all = rows();
  const at = all.findIndex(hasFocus);
  const row = at < 0 ? all.find((one) => one.getBoundingClientRect().top >= 0) : all[at + by];
  row?.querySelector<HTMLElement>("a, button")?.focus();
}

const transcriptIn = (row: Element | undefined) => row?.querySelector<HTMLAnchorElement>('a[href^="/transcription/"]');

/** The transcript of the row with the focus is opened, and its text with it. */
function edit(): void {
  const link = transcriptIn(rows().find(hasFocus));
  if (!link) return;
  void pageRouter().navigate({ to: link.pathname });
  owe("edit");
}

/** What can be done by key on every page of somebody who is signed in. @returns ends it */
export function offerEverywhere(): () => void {
  const actor = openShortcuts();
  const ends = [
    offerKeys(
      {
        palette: () => actor.send({ type: "dialog.requested", dialog: "search" }),
        help: () => actor.send({ type: "dialog.requested", dialog: "keys" }),
        search,
        record,
        upload: () => void pageRouter().navigate({ to: "/file-upload-config" }),
      },
      { everywhere: true },
    ),
    offerKeys({ next: () => step(1), previous: () => step(-1) }, { everywhere: true, isHere: () => rows().length > 0 }),
    offerKeys({ edit }, { everywhere: true, isHere: () => rows().some(transcriptIn) }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
