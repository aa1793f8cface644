import { useTranslation } from "react-i18next";
import { LoadingScreen } from "#src/ui/screens.tsx";

/** What a page shows while it loads (SPEC.md section 2, "Navigation"). */
export function Loading() {
  const { t } = useTranslation();
  return <LoadingScreen message={t("loading")} />;
}
