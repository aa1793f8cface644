import * as v from "valibot";

/** What stands behind /admin in the address, as it was found there. */
export type RawAdminSearch = Readonly<Record<string, string | number | undefined>>;

export const adminSections = ["overview", "users", "inbox", "jobs", "log"] as const;
export type AdminSectionName = (typeof adminSections)[number];

/** The section; whatever is no section is the overview. */
export const SectionName = v.fallback(v.optional(v.picklist(adminSections), "overview"), "overview");

/** For the sections' own schemas: a page from 1 … */
export const PageNumber = v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999)), 1), 1);
/** … what somebody looks for; "" for nothing. A number that was typed is a text, too. */
export const SearchText = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim(), v.maxLength(200)), ""),
  "",
);

/** The choice of a filter; what is no choice is the first one. */
export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  const [first] = choices;
  return v.fallback(v.optional(v.picklist(choices), first), first);
}

/** The address of a section: what is as it is at first (page 1, no search) is left out. */
export function adminSearch(section: AdminSectionName, values: RawAdminSearch = {}): Record<string, string | number> {
  const said = Object.entries(values).flatMap(([key, value]): [string, string | number][] =>
    value === undefined || value === "" || value === "all" || (key === "page" && value === 1) ? [] : [[key, value]],
  );
  return { section, ...Object.fromEntries(said) };
}
