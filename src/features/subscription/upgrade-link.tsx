import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectFits } from "#machines/subscription/usage.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { openUsage } from "./usage.ts";

/** Whether this may be transcribed now: always without a limit. @param seconds its length; null: unknown */
export function useFits(seconds: number | null): boolean {
  return useSelector(openUsage(), (snapshot) => selectFits(snapshot, seconds));
}

interface UpgradeLinkProps {
  /** Of the contract. */
  code: string | null;
  /** How long it is that does not fit; null: unknown. */
  seconds?: number | null;
  look?: "primary" | "secondary";
}

/** A link to upgrade when the free minutes do not suffice; nothing for other errors, and for whoever has enough by now. */
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
