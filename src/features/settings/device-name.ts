import { useTranslation } from "react-i18next";
import { deviceOf } from "./device.ts";

/** The name of a browser and its system. @param userAgent the User-Agent header; null when there was none */
export function useDeviceName(userAgent: string | null): string {
  const { t } = useTranslation("settings");
  const { browser, system } = deviceOf(userAgent);
  return browser && system ? t("signIns.device", { browser, system }) : (browser ?? system ?? t("signIns.unknown"));
}
