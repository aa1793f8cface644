import type { ShortcutAction } from "#machines/shortcuts/events.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { offerKeys, openShortcuts } from "#src/features/shortcuts/actor.ts";

const owe = (action: ShortcutAction) => openShortcuts().send({ type: "action.owed", action });

/** Focuses the page's search field, or opens the search page if there is none. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (!field?.checkVisibility()) return void pageRouter().navigate({ to: "/search" });
  field.focus();
  field.select();
}

/**
 * Starts a recording on the recorder's page as soon as that is ready. Once the page is open, it registers the key
 * itself.
 */
function record(): void {
  if (location.pathname === "/speech-to-text") return;
  void pageRouter().navigate({ to: "/speech-to-text" });
  owe("record");
}

/** Rows of a list have the attribute `data-row`. */
const rows = () => [...document.querySelectorAll<HTMLElement>("main [data-row]")];
const hasFocus = (row: HTMLElement) => row.contains(document.activeElement);

/** Moves the focus to the next or previous row, or to the first visible one. @param by 1 or -1 */
function step(by: number): void {
  const all = rows();
  const at = all.findIndex(hasFocus);
  const row = at < 0 ? all.find((one) => one.getBoundingClientRect().top >= 0) : all[at + by];
  row?.querySelector<HTMLElement>("a, button")?.focus();
}

const transcriptIn = (row: Element | undefined) => row?.querySelector<HTMLAnchorElement>('a[href^="/transcription/"]');

/** Opens the transcript of the focused row for editing. */
function edit(): void {
  const link = transcriptIn(rows().find(hasFocus));
  if (!link) return;
  void pageRouter().navigate({ to: link.pathname });
  owe("edit");
}

/** Registers the keys that work on every page of a signed-in user. @returns a function that removes them */
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
