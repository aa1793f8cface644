import { useTranslation } from "react-i18next";
import { LoadingScreen } from "#src/ui/screens.tsx";

/** Shown while a page loads (SPEC.md section 2, "Navigation"). */
export function Loading() {
  const { t } = useTranslation();
  return <LoadingScreen message={t("loading")} />;
}
