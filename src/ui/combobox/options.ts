import { folded } from "#contract/search/terms.ts";

export interface ComboboxOption {
  value: string;
  label: string;
  /** The native name, shown beside the label. */
  detail?: string;
  /** A second line: why the option is unavailable or restricted. */
  note?: string | undefined;
  /** Further search terms. */
  keywords: readonly string[];
  disabled?: boolean;
  /** Options with the same heading form a group. */
  group: string;
}

/** Ignores accents and case, so that "portugues" matches "Português". */
export const plain = (text: string): string => folded(text).trim();

/** The matching options in the order of their groups, prefix matches first. */
export function matching<Option extends ComboboxOption>(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = plain(typed);
  if (wanted === "") return options;
  const rank = ({ label, keywords }: ComboboxOption) => {
    const texts = [label, ...keywords].map(plain);
    return texts.some((text) => text.startsWith(wanted)) ? 0 : texts.some((text) => text.includes(wanted)) ? 1 : 2;
  };
  const ranked = options.map((option) => ({ option, rank: rank(option) })).filter(({ rank }) => rank < 2);
  const groups = [...new Set(options.map(({ group }) => group))];
  return ranked
    .toSorted((a, b) => groups.indexOf(a.option.group) - groups.indexOf(b.option.group) || a.rank - b.rank)
    .map(({ option }) => option);
}

/** The text of a live region: that nothing was found, or why no match can be chosen; else "". */
export function findingsText(found: readonly ComboboxOption[], emptyText: string): string {
  const [first] = found;
  if (first === undefined) return emptyText;
  if (!found.every(({ disabled }) => disabled)) return "";
  return first.note === undefined ? first.label : `${first.label}: ${first.note}`;
}
