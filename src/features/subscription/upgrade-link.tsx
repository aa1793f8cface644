import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";

/** A link to upgrade when the free minutes are used up; nothing for other errors. @param code of the contract */
export function UpgradeLink({ code, look = "primary" }: { code: string | null; look?: "primary" | "secondary" }) {
  const { t } = useTranslation("app");
  if (code !== "limitReached") return null;
  return (
    <Link className={buttonClass(look)} to="/subscription">
      {t("usage.upgrade")}
    </Link>
  );
}
