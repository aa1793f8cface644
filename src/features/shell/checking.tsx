import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { accessCheck } from "#src/features/session/access-stage.ts";
import { LoadingScreen } from "#src/ui/screens.tsx";

/** What the guard is waiting for (SPEC.md section 2, "Route guard"), and actions when it takes long. */
export function Checking() {
  const { t } = useTranslation();
  const { stage, slow } = useSyncExternalStore(accessCheck.subscribe, accessCheck.get);
  return (
    <>
      <LoadingScreen message={t(`checking.${stage}`)} />
      {slow}
    </>
  );
}
