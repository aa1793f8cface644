import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";

/** A link to the trash. */
export function TrashLink() {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass("quiet")} to="/trash">
      <Icon name="trash" />
      {t("trash.title")}
    </Link>
  );
}

/** A link to the transcripts that other users share. */
export function SharedLink() {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass("quiet")} to="/shared-with-me">
      <Icon name="share" />
      {t("sharedWithMe.title")}
    </Link>
  );
}
