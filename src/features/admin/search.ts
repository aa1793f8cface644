import * as v from "valibot";

/** The search parameters of /admin, unvalidated. */
export type RawAdminSearch = Readonly<Record<string, string | number | undefined>>;

export const adminSections = ["overview", "users", "inbox", "jobs", "backups", "log"] as const;
export type AdminSectionName = (typeof adminSections)[number];

/** The section; unknown values mean the overview. */
export const SectionName = v.fallback(v.optional(v.picklist(adminSections), "overview"), "overview");

/** Parts of the sections' schemas: a page from 1 … */
export const PageNumber = v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999)), 1), 1);
/** … and a search term; "" for none. A number in the address counts as text. */
export const SearchText = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim(), v.maxLength(200)), ""),
  "",
);

/** A filter's value; an unknown one means the first. */
export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  const [first] = choices;
  return v.fallback(v.optional(v.picklist(choices), first), first);
}

/** The address of a section: default values (page 1, no search) are omitted. */
export function adminSearch(section: AdminSectionName, values: RawAdminSearch = {}): Record<string, string | number> {
  const said = Object.entries(values).flatMap(([key, value]): [string, string | number][] =>
    value === undefined || value === "" || value === "all" || (key === "page" && value === 1) ? [] : [[key, value]],
  );
  return { section, ...Object.fromEntries(said) };
}
