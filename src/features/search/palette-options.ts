import type { TFunction } from "i18next";
import type { Mark, SearchHit } from "#contract/index.ts";
import { keyOf } from "#machines/search/machine.ts";
import { selectIsSuperuser } from "#machines/session/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { openSession, signOut } from "#src/features/session/actor.ts";
import { sections } from "#src/features/settings/sections.ts";
import { links, superuserLinks } from "#src/features/shell/sidebar-links.tsx";
import { themeChoice } from "#src/features/shell/theme-choice.ts";
import { perform } from "#src/features/shortcuts/actor.ts";
import { clock, dateTime } from "#src/i18n/format.ts";
import { type ComboboxOption, matching } from "#src/ui/combobox/options.ts";
import type { IconName } from "#src/ui/icon.tsx";
import { foundIn, placeOf } from "./address.ts";

/** An option of the palette. */
export interface PaletteOption extends ComboboxOption {
  icon: IconName;
  /** The places of the typed text in the label. */
  marks?: readonly Mark[];
  run(): void;
}

/** Maximum number of hits of each kind. The search page shows all. */
const shown = { transcripts: 4, passages: 6 };
/** Characters of a passage: before the match, and in total. */
const lead = 40;
const length = 160;

const go = (to: string) => () => void pageRouter().navigate({ to });

/** The commands, in order. They don't depend on the typed text. */
function fixedOptions(t: TFunction): PaletteOption[] {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = themeChoice.get() === "system" ? (isDark ? "dark" : "light") : themeChoice.get();
  const other = theme === "dark" ? "light" : "dark";
  const commands = [
    { name: "record", icon: "microphone", run: () => perform("record") },
    { name: "upload", icon: "upload", run: () => perform("upload") },
    { name: other, icon: "swap", run: () => themeChoice.set(other) },
    { name: "keys", icon: "keyboard", run: () => perform("help") },
    { name: "signOut", icon: "signOut", run: signOut },
  ] as const;
  const isSuperuser = selectIsSuperuser(openSession().getSnapshot());
  const pages = [
    ...links.map(({ to, key, icon }) => ({ to, label: t(key, { ns: "translation" }), icon })),
    { to: "/subscription", label: t("titles.subscription", { ns: "translation" }), icon: "sparkle" as const },
    ...(isSuperuser ? superuserLinks : []).map(({ to, key, icon }) => ({ to, label: t(key, { ns: "translation" }), icon })),
  ];
  const settings = sections.map(({ name, icon }) => ({
    to: `/settings/${name}`,
    label: t(`settings:sections.${name}.title`),
    icon,
    detail: t("settings:title"),
  }));
  return [
    ...commands.map(({ name, icon, run }) => ({
      value: name,
      label: t(`search:palette.commands.${name}`),
      group: t("search:palette.groups.commands"),
      keywords: [],
      icon,
      run,
    })),
    ...[...pages, ...settings].map(({ to, ...page }) => ({
      value: to,
      group: t("search:palette.groups.pages"),
      keywords: [],
      run: go(to),
      ...page,
    })),
  ];
}

/** The part of a passage around the match. */
function excerpt(hit: SearchHit): { label: string; marks: Mark[] } {
  const found = foundIn(hit);
  const from = Math.max(0, (found.marks[0]?.[0] ?? 0) - lead);
  const begin = from === 0 ? 0 : found.text.indexOf(" ", from) + 1;
  const before = begin === 0 ? "" : "… ";
  const shift = before.length - begin;
  const end = begin + length;
  return {
    label: before + found.text.slice(begin, end),
    marks: found.marks.flatMap(([a, b]): Mark[] => (b <= end ? [[a + shift, b + shift]] : [])),
  };
}

function hitOption(t: TFunction, hit: SearchHit, language: string): PaletteOption {
  const { id, title, start, date, isTitle } = hit;
  const named = title === "" ? dateTime(date, language) : title;
  return {
    value: keyOf(hit),
    group: t(isTitle ? "search:palette.groups.transcripts" : "search:results"),
    keywords: [],
    icon: isTitle || start === null ? "list" : "play",
    ...(isTitle ? { label: named, marks: title === "" ? [] : hit.marks } : excerpt(hit)),
    detail: isTitle ? dateTime(date, language) : start === null ? named : `${clock(start)} · ${named}`,
    run: () =>
      void pageRouter().navigate({
        to: "/transcription/$id",
        params: { id },
        search: placeOf(hit),
        resetScroll: start === null,
      }),
  };
}

/**
 * Commands and pages that match the typed text, the transcripts and passages found, and the link to all hits.
 * @param language the page's language
 */
export function paletteOptions(t: TFunction, language: string, typed: string, hits: readonly SearchHit[]): PaletteOption[] {
  const query = typed.trim();
  const found = hits.map((hit) => ({ option: hitOption(t, hit, language), isTitle: hit.isTitle }));
  const some = (wanted: boolean, most: number) =>
    found.flatMap(({ option, isTitle }) => (isTitle === wanted ? [option] : [])).slice(0, most);
  const everything: PaletteOption = {
    value: "everything",
    label: t("search:palette.everything", { query }),
    group: t("search:title"),
    keywords: [],
    icon: "search",
    run: () => void pageRouter().navigate({ to: "/search", search: { q: query } }),
  };
  return [
    ...matching(fixedOptions(t), query),
    ...some(true, shown.transcripts),
    ...some(false, shown.passages),
    ...(query === "" ? [] : [everything]),
  ];
}
