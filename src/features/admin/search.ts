import * as v from "valibot";

/** The search parameters of /admin, unvalidated. */
export type RawAdminSearch = Readonly<Record<string, string | number | undefined>>;

export const adminSections = ["overview", "users", "inbox", "jobs", "backups", "log"] as const;
export type AdminSectionName = (typeof adminSections)[number];

/** The section's name. Unknown values mean the overview. */
export const SectionName = v.fallback(v.optional(v.picklist(adminSections), "overview"), "overview");

/** Part of the sections' schemas: a page number from 1. */
export const PageNumber = v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999)), 1), 1);
/** Part of the sections' schemas: a search term, "" for none. A number in the address counts as text. */
export const SearchText = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim(), v.maxLength(200)), ""),
  "",
);

/** Part of the sections' schemas: a filter's value. An unknown one means the first choice. */
export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  const [first] = choices;
  return v.fallback(v.optional(v.picklist(choices), first), first);
}

/** The search parameters of a section, without default values (page 1, no search). */
export function adminSearch(section: AdminSectionName, values: RawAdminSearch = {}): Record<string, string | number> {
  const said = Object.entries(values).flatMap(([key, value]): [string, string | number][] =>
    value === undefined || value === "" || value === "all" || (key === "page" && value === 1) ? [] : [[key, value]],
  );
  return { section, ...Object.fromEntries(said) };
}
