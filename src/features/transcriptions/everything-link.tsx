import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";

/** To the search in everything that was said. @param term what is looked for here: there, too */
export function EverythingLink({ term }: { term: string }) {
  const { t } = useTranslation("app");
  const q = term.trim();
  return (
    <Link className={buttonClass("quiet")} to="/search" search={q === "" ? {} : { q }}>
      <Icon name="search" />
      {t("history.everything")}
    </Link>
  );
}
