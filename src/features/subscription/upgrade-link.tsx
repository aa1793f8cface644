import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectFits } from "#machines/subscription/usage.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { openUsage } from "./usage.ts";

/** Whether the minutes suffice for this length; always true without a limit. @param seconds length; null: unknown */
export function useFits(seconds: number | null): boolean {
  return useSelector(openUsage(), (snapshot) => selectFits(snapshot, seconds));
}

interface UpgradeLinkProps {
  /** The contract's error code. */
  code: string | null;
  /** The length of the file that is too long; null: unknown. */
  seconds?: number | null;
  look?: "primary" | "secondary";
}

/**
 * A link to upgrade when the free minutes do not suffice. Renders nothing for other errors, or if the minutes suffice
 * by now.
 */
export function UpgradeLink({ code, seconds = null, look = "primary" }: UpgradeLinkProps) {
  const { t } = useTranslation("app");
  const fits = useFits(seconds);
  if (code !== "limitReached" || fits) return null;
  return (
    <Link className={buttonClass(look)} to="/subscription">
      {t("usage.upgrade")}
    </Link>
  );
}
