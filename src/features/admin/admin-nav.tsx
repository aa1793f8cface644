import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import nav from "#src/features/blog-admin/frame.module.css";
import { type AdminSectionName, adminSections } from "./search.ts";

/** The models have a page of their own beside the panel's sections. */
const entries = adminSections.flatMap((name) => (name === "overview" ? [name, "models" as const] : [name]));

interface AdminNavProps {
  /** Where the person is. */
  here: AdminSectionName | "models";
  /** The section as the address has it: none for the first. */
  section?: string | number | undefined;
}

/** On a narrow screen the entries are wider than it: the one where the person is comes into the middle. A ref. */
function bringIntoSight(entry: HTMLAnchorElement | null): void {
  const list = entry?.closest("ul");
  if (!entry || !list) return;
  const [at, frame] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
  // Only the list scrolls: the page stays where it is.
  list.scrollLeft += at.left + at.width / 2 - (frame.left + frame.width / 2);
}

/** Navigation between the parts of the administration. */
export function AdminNav({ here, section }: AdminNavProps) {
  const { t } = useTranslation("admin");
  // The open section's link has the same search parameters as the address, so that it counts as the current one.
  const searchOf = (name: string): Record<string, string | number> =>
    name !== here ? { section: name } : section === undefined ? {} : { section };
  return (
    <nav aria-label={t("nav.sections")} className={nav.nav}>
      <ul className={nav.entries}>
        {entries.map((name) => (
          <li key={name}>
            {name === "models" ? (
              <Link className={nav.entry} to="/admin/models" ref={name === here ? bringIntoSight : null}>
                {t("sections.models")}
              </Link>
            ) : (
              <Link
                className={nav.entry}
                to="/admin"
                search={searchOf(name)}
                ref={name === here ? bringIntoSight : null}
                activeOptions={{ exact: true }}
                // The address may have more than a section, of which the router knows nothing: a language, say.
                aria-current={name === here ? "page" : undefined}
              >
                {t(`sections.${name}`)}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
