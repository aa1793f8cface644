import { useTranslation } from "react-i18next";
import { deviceOf } from "./device.ts";

/** A browser and its system in words. @param userAgent the header of that name; null when there was none */
export function useDeviceName(userAgent: string | null): string {
  const { t } = useTranslation("settings");
  const { browser, system } = deviceOf(userAgent);
  return browser && system ? t("signIns.device", { browser, system }) : (browser ?? system ?? t("signIns.unknown"));
}
